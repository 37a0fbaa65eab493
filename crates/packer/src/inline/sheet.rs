//! A style sheet and those that it imports, as pieces for style elements.

use crate::inline::files::Files;
use crate::inline::media;
use crate::inline::rules::{Level, Rule, has_rules, is_closed, rules};
use crate::limits::{IMPORT_DEPTH, MEDIA_DEPTH};

/// A condition under which rules apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Media(String),
    Supports(String),
    /// A layer that they belong to.
    Layer(String),
}

/// Rules that fill one style element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The value of the `media` attribute; empty for any medium.
    pub(crate) media: String,
    pub(crate) css: String,
}

/// The pieces of one sheet or several, in the order of the cascade.
pub(crate) struct Pieces<'p> {
    pub(crate) files: &'p Files<'p>,
    pub(crate) pieces: Vec<Piece>,
    /// The sheets that became part of them, each as often as it did.
    pub(crate) used: Vec<usize>,
    /// The rules that stay within a condition: mail programs remove them.
    pub(crate) conditional: usize,
    /// The bytes that there is room for.
    pub(crate) room: u64,
    /// The layers that were given a name.
    pub(crate) layers: usize,
}

/// Why a sheet has no pieces.
#[derive(Debug)]
pub(crate) enum Failure {
    /// They would fill the message.
    TooLong,
    /// A sheet within conditions does not end where its rules do.
    Open,
    /// Sheets import each other too deep.
    TooDeep,
}

impl Pieces<'_> {
    /// Adds the pieces of a sheet that applies under these conditions. `open` are the sheets that import it, which it does
    /// not import again.
    pub(crate) fn add(&mut self, css: &str, conditions: &[Condition], open: &mut Vec<usize>) -> Result<(), Failure> {
        if open.len() > IMPORT_DEPTH {
            return Err(Failure::TooDeep);
        }
        self.spend(css.len())?;
        let rules = rules(css, Level::Sheet);
        let namespaces: String = rules.iter().filter_map(|(_, rule)| namespace(rule)).collect();
        self.add_rules(css, rules, &namespaces, conditions, open, 0)
    }

    fn add_rules(
        &mut self,
        css: &str,
        rules: Vec<(std::ops::Range<usize>, Rule<'_>)>,
        namespaces: &str,
        conditions: &[Condition],
        open: &mut Vec<usize>,
        depth: usize,
    ) -> Result<(), Failure> {
        let mut run = String::new();
        let mut conditional = 0;
        for (range, rule) in rules {
            let inner = |condition: Condition| [conditions, &[condition]].concat();
            match rule {
                Rule::Void | Rule::Namespace(_) => {}
                Rule::Plain => run.push_str(&css[range]),
                Rule::Media { query, block } if depth < MEDIA_DEPTH && is_liftable(conditions, query) => {
                    self.push(&std::mem::take(&mut run), namespaces, conditions, std::mem::take(&mut conditional))?;
                    let inner = inner(Condition::Media(query.to_owned()));
                    let rules = crate::inline::rules::rules(block, Level::Block);
                    self.add_rules(block, rules, namespaces, &inner, open, depth + 1)?;
                }
                Rule::Conditional | Rule::Media { .. } => {
                    run.push_str(&css[range]);
                    conditional += 1;
                }
                Rule::Import { url, conditions: text } => {
                    self.push(&std::mem::take(&mut run), namespaces, conditions, std::mem::take(&mut conditional))?;
                    self.add_import(&url, text, &css[range], conditions, open)?;
                }
            }
        }
        self.push(&run, namespaces, conditions, conditional)
    }

    /// Adds the sheet that an `@import` leads to; `whole` is the rule, which stays an import if that sheet is not here.
    pub(crate) fn add_import(
        &mut self,
        url: &str,
        text: &str,
        whole: &str,
        conditions: &[Condition],
        open: &mut Vec<usize>,
    ) -> Result<(), Failure> {
        let Some((index, sheet)) = self.files.sheet(url) else {
            // Nothing precedes it in its element.
            return self.push_import(whole, conditions);
        };
        if open.contains(&index) {
            return Ok(());
        }
        let conditions = [conditions, &self.conditions_of_import(text)].concat();
        self.used.push(index);
        open.push(index);
        self.add(sheet, &conditions, open)?;
        open.pop();
        Ok(())
    }

    /// Adds a piece, unless it has no rules.
    fn push(
        &mut self,
        css: &str,
        namespaces: &str,
        conditions: &[Condition],
        conditional: usize,
    ) -> Result<(), Failure> {
        if !has_rules(css) {
            return Ok(());
        }
        let (media, others) = media_of(conditions);
        if !others.is_empty() && !is_closed(css) {
            return Err(Failure::Open);
        }
        self.conditional += conditional + usize::from(!others.is_empty());
        let opened: String = others.iter().map(Condition::opened).collect();
        let closed = "}".repeat(others.len());
        let css = format!("{namespaces}{opened}{css}{closed}");
        let css = within_media(&media, &css).unwrap_or(css);
        self.push_piece(Piece { media, css })
    }

    /// Adds an import of a sheet elsewhere as a piece.
    fn push_import(&mut self, import: &str, conditions: &[Condition]) -> Result<(), Failure> {
        let (media, others) = media_of(conditions);
        if !others.is_empty() {
            return Err(Failure::Open);
        }
        self.conditional += 1;
        self.push_piece(Piece { media, css: import.to_owned() })
    }

    fn push_piece(&mut self, piece: Piece) -> Result<(), Failure> {
        self.spend(piece.media.len() + piece.css.len())?;
        self.pieces.push(piece);
        Ok(())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Failure> {
        self.room = self.room.checked_sub(bytes as u64).ok_or(Failure::TooLong)?;
        Ok(())
    }

    /// Returns the conditions of an `@import`: `layer`, `supports(…)` and media queries.
    fn conditions_of_import(&mut self, text: &str) -> Vec<Condition> {
        let mut conditions = Vec::new();
        let mut text = text;
        if let Some((argument, rest)) = word_or_function(text, "layer") {
            // Layers without a name are all different.
            let name = argument.map_or_else(
                || {
                    self.layers += 1;
                    format!("absolve-{}", self.layers)
                },
                str::to_owned,
            );
            conditions.push(Condition::Layer(name));
            text = rest;
        }
        if let Some((Some(argument), rest)) = word_or_function(text, "supports") {
            conditions.push(Condition::Supports(argument.to_owned()));
            text = rest;
        }
        if !text.is_empty() {
            conditions.push(Condition::Media(text.to_owned()));
        }
        conditions
    }
}

impl Condition {
    /// Returns the beginning of an at-rule with this condition.
    fn opened(&self) -> String {
        match self {
            Self::Media(query) => format!("@media {query}{{"),
            // A declaration needs parentheses here.
            Self::Supports(test) => format!("@supports ({test}){{"),
            Self::Layer(name) => format!("@layer {name}{{"),
        }
    }
}

/// Returns the rules of a style element within a `@media` with its query, if that never holds on a screen: Roundcube ignores the
/// attribute. `None` if they cannot stand in one, as `@namespace`.
fn within_media(media: &str, css: &str) -> Option<String> {
    let may_be_within = |(_, rule): &(_, Rule<'_>)| !matches!(rule, Rule::Import { .. } | Rule::Namespace(_));
    if !media::excludes_screens(media) || !is_closed(css) || !rules(css, Level::Sheet).iter().all(may_be_within) {
        return None;
    }
    let within = format!("@media {media}{{{css}}}");
    let is_one =
        matches!(&rules(&within, Level::Sheet)[..], [(_, Rule::Media { query, .. })] if *query == media.trim());
    is_one.then_some(within)
}

fn namespace<'r>(rule: &Rule<'r>) -> Option<&'r str> {
    match rule {
        Rule::Namespace(whole) => Some(whole),
        _ => None,
    }
}

/// Returns whether a `@media` under these conditions can be said by an attribute alone.
fn is_liftable(conditions: &[Condition], query: &str) -> bool {
    let (media, others) = media_of(conditions);
    others.is_empty() && media::both(&media, query).is_some()
}

/// Returns the first conditions as media queries for an attribute, and the others.
fn media_of(conditions: &[Condition]) -> (String, &[Condition]) {
    let mut media = String::new();
    for (index, condition) in conditions.iter().enumerate() {
        let combined = match condition {
            Condition::Media(query) => media::both(&media, query),
            _ => None,
        };
        match combined {
            Some(combined) => media = combined,
            None => return (media, &conditions[index..]),
        }
    }
    (media, &[])
}

/// Returns the argument of the function, if it has one, and the text behind it, if `text` begins with this word or function.
fn word_or_function<'t>(text: &'t str, name: &str) -> Option<(Option<&'t str>, &'t str)> {
    let rest = text.get(name.len()..).filter(|_| text[..name.len()].eq_ignore_ascii_case(name))?;
    match rest.strip_prefix('(') {
        None if rest.is_empty() || rest.starts_with(|next: char| next.is_ascii_whitespace()) => {
            Some((None, rest.trim_start()))
        }
        None => None,
        Some(inside) => {
            let mut depth = 1_usize;
            let end = inside.bytes().position(|byte| {
                match byte {
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?;
            Some((Some(&inside[..end]), inside[end + 1..].trim_start()))
        }
    }
}
