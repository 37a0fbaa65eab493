//! Markdown that is expensive to read.

use super::bomb::{Bomb, bomb};
use super::documents::{numbered, text};

pub(crate) const BOMBS: &[Bomb] = &[
    bomb("Markdown: a table without cells", "a.md", |times| {
        text(&format!("{}\n{}\n", "|a".repeat(2_000 * times), "|-".repeat(2_000 * times)), "a\n", 2_000 * times, "")
    }),
    bomb("Markdown: a table", "a.md", |times| text("|a|b|\n|-|-|\n", "|[a](b)|c|\n", 100_000 * times, "")),
    bomb("Markdown: delimiters of two lengths", "a.md", |times| text("", "~~a ~b ", 150_000 * times, "[a](b)")),
    bomb("Markdown: delimiters that never close", "a.md", |times| text("", "*a _b **c ", 100_000 * times, "[a](b)")),
    bomb("Markdown: brackets", "a.md", |times| text("", "[", 500_000 * times, "[a](b)")),
    bomb("Markdown: images in images", "a.md", |times| text("", "![a", 300_000 * times, "](b)")),
    bomb("Markdown: links", "a.md", |times| text("", "[a](b) ", 150_000 * times, "")),
    bomb("Markdown: destinations that never end", "a.md", |times| text("", "[a](<b", 150_000 * times, "")),
    bomb("Markdown: titles that never end", "a.md", |times| text("", "[a](b \"", 150_000 * times, "")),
    bomb("Markdown: prices", "a.md", |times| text("", "*$5*/", 200_000 * times, "[a](b)")),
    bomb("Markdown: mathematics that never ends", "a.md", |times| text("", "$$a $b ", 150_000 * times, "[a](b)")),
    bomb("Markdown: code that never ends", "a.md", |times| text("", "`a ``b ", 150_000 * times, "[a](b)")),
    bomb("Markdown: definitions", "a.md", |times| text("", &numbered("[a", 60_000 * times, "]: b\n"), 1, "")),
    bomb("Markdown: one label", "a.md", |times| text("[a]: b\n\n", "[a] ", 250_000 * times, "")),
    bomb("Markdown: quotes in quotes", "a.md", |times| text("", "> ", 400_000 * times, "[a](b)")),
    bomb("Markdown: lists in lists", "a.md", |times| text("", "- ", 400_000 * times, "[a](b)")),
    bomb("Markdown: short lines", "a.md", |times| text("", "a\n", 400_000 * times, "[a](b)\n")),
    bomb("Markdown: tags that never end", "a.md", |times| text("x ", "<a b=\"", 150_000 * times, "")),
    bomb("Markdown: comments that never end", "a.md", |times| text("x ", "<!-- a", 150_000 * times, "")),
    bomb("Markdown: blocks that end early", "a.md", |times| text("", "<pre></style>\n\n", 60_000 * times, "[a](b)")),
];
