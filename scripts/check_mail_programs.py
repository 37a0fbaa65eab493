#!/usr/bin/env python3
"""Check what mail programs show of packed and of rewritten pages.

    check_mail_programs.py [--absolve FILE] [--programs NAME,...] [--keep FOLDER] [--write]

Pages of the fixtures are served by a server on this machine and shown by Chromium. Each is made a message twice: packed by `pack`,
and rewritten by `rewrite --for mail`, with links that lead to the server. Thunderbird (Debian packages thunderbird and xvfb) and the
web mail Roundcube (roundcube-core, roundcube-sqlite3, dovecot-imapd, php-cli and chromium) open each message for reading and as a
draft for editing: of packed messages no remote content is loaded, of rewritten ones it is allowed.

Each feature of fixtures/mail-programs/features.html is a box of its own, and its picture in the program is compared with that of the
served page; scripts say why one differs. Of the other pages, images, backgrounds and declared styles are counted. What came out last
is the section "In mail programs" of docs/email.md, which --write writes anew. All that the programs keep is in a temporary folder, and
nothing runs afterwards.

Each page and way is one line. The exit status is 0 if all is as in docs/email.md, 1 if not, and 77 if no program is there.
"""

import argparse
import contextlib
import email.message
import email.policy
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from programs.chromium import Chromium
from programs.pictures import difference, pixels
from programs.probe import Shown, WITHOUT_SHEETS
from programs.roundcube import Roundcube
from programs.served import serve
from programs.thunderbird import Thunderbird

HERE = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = HERE / "docs/email.md"
HEADING = "## In mail programs\n"
FEATURES = (HERE / "fixtures/mail-programs", "features.html")
PAGES = [FEATURES, (HERE / "fixtures/site", "index.html"), (HERE / "fixtures/site", "guide/first-night.html"),
         (HERE / "fixtures/pack", "pages/lamp.html")]
PROGRAMS = (Thunderbird, Roundcube)
WAYS = [("packed", "read"), ("packed", "draft"), ("rewritten", "read"), ("rewritten", "draft")]
# Of the pixels of a picture, which programs smooth and scale in their own way.
FEW = 0.1
HERE_IS = "const [shown, body, origin] = [document, document.body, [0, 0]];"


class Served:
    """A page as Chromium shows it."""

    def __init__(self, chromium, url):
        chromium.open(url)
        shown = Shown(lambda script, *arguments: chromium.run(HERE_IS + script, *arguments), chromium.picture)
        self.boxes, self.images = shown.state["boxes"], shown.state["images"]
        self.rows = pixels(chromium.picture(0, 0, 900, 1800))
        elements = list(numbered(shown.state["elements"]))
        self.backgrounds = [key for number, (key, _) in enumerate(elements) if shown.draws(number)]
        shown.run(WITHOUT_SHEETS)
        bare = Shown(shown.run, shown.picture).state["elements"]
        # What style sheets declare: the values that are others without them.
        self.declared = [
            (key, name, value)
            for (key, element), without in zip(elements, bare)
            for name, value in element["styles"].items() if value != without["styles"][name]
        ]


def numbered(elements):
    """Each element by its name and its number among those of its name."""
    counts = {}
    for element in elements:
        counts[element["name"]] = counts.get(element["name"], -1) + 1
        yield (element["name"], counts[element["name"]]), element


def part(rows, x, y, width, height):
    """A part of a picture, or None if it lies outside."""
    x, y, width, height = round(x), round(y), math.floor(width), math.floor(height)
    if x < 0 or y < 0 or width < 1 or height < 1 or y + height > len(rows) or x + width > len(rows[0]):
        return None
    return [row[x:x + width] for row in rows[y:y + height]]


def middle(rows, place):
    x, y, width, height = place
    return part(rows, x + width / 4, y + height / 4, width / 2, height / 2)


def alike(one, other):
    if not one or not other:
        return False
    # A program may draw a box a little larger or smaller.
    height, width = min(len(one), len(other)), min(len(one[0]), len(other[0]))
    return difference([row[:width] for row in one[:height]], [row[:width] for row in other[:height]]) <= FEW


def message_of(options, page, way, mode, url, folder):
    """A file with the message."""
    root, name = page
    message = folder / f"{root.name}-{name.replace('/', '-')}-{way}-{mode}.eml"
    if way == "packed":
        more = ["--from", "writer@example.org", "--to", "reader@example.org"] if mode == "read" else []
        run(options, "pack", root / name, "--root", root, "--url", urllib.parse.urljoin(url, "/"), "-o", message, "--force", *more)
        return message
    html = folder / "rewritten.html"
    run(options, "rewrite", root / name, "--for", "mail", "--url", url, "-o", html, "--force")
    made = email.message.EmailMessage(policy=email.policy.SMTP)
    made["Subject"] = "A page"
    if mode == "read":
        made["From"], made["To"], made["Date"] = "writer@example.org", "reader@example.org", "Mon, 23 Nov 2026 08:00:00 +0000"
    else:
        made["X-Unsent"] = "1"
    made.set_content(html.read_bytes(), "text", "html", cte="base64", params={"charset": "utf-8"})
    message.write_bytes(made.as_bytes())
    return message


def run(options, *arguments):
    done = subprocess.run([options.absolve, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())


def features(served, shown, rows):
    """What became of each feature, and why."""
    results, reasons = {}, {}
    for name, box in served.boxes.items():
        its = shown.state["boxes"].get(name)
        if its and alike(middle(served.rows, box["place"]), middle(rows, its["place"])):
            results[name] = "yes"
            continue
        results[name] = "another image" if its and its["width"] else "no"
        reasons[name] = (
            "the element is gone" if not its
            else "another candidate" if its["width"]
            else "does not load" if its["width"] == 0
            else "another rule applies" if box["image"] == "none" and its["colour"] != "rgba(0, 0, 0, 0)"
            else "its rule is lost" if box["image"] == "none"
            else "its image is lost" if its["image"] == "none"
            else "is not drawn"
        )
    results["a notice of blocked content"] = "yes" if shown.notices else "no"
    results["files listed as attachments"] = str(shown.attachments)
    return results, reasons


def counts(served, shown, rows):
    """How many images, backgrounds and declared styles of a page are as served, and which are not."""
    elements = {key: (number, element) for number, (key, element) in enumerate(numbered(shown.state["elements"]))}
    images = [f"image {number + 1}" for number, image in enumerate(served.images)
              if not same_image(served, image, shown.state["images"][number:number + 1], rows)]
    backgrounds = [f"background of {key[0]}" for key in served.backgrounds
                   if key not in elements or not shown.draws(elements[key][0])]
    styles = [f"{name} of {key[0]}" for key, name, value in served.declared
              if key not in elements or elements[key][1]["styles"][name] != value]
    wanted = (served.images, served.backgrounds, served.declared)
    totals = [f"{len(all_of) - len(lost)} of {len(all_of)}" for all_of, lost in zip(wanted, (images, backgrounds, styles))]
    return ", ".join(totals), list(dict.fromkeys(images + backgrounds + styles))


def same_image(served, image, its, rows):
    return any(one["width"] and alike(middle(served.rows, image["place"]), middle(rows, one["place"])) for one in its)


def check(program, page, served, message, way, mode):
    """The results of a page that a program opens in one way: a dictionary with the rows of a column."""
    title = f"{program.name} {program.version}, {page[0].name}/{page[1]} {named(way, mode)}"
    with program.open(message, mode, remote=way == "rewritten") as shown:
        picture = shown.picture(*shown.area)
        message.with_name(f"{program.name}-{message.stem}.png").write_bytes(picture)
        rows = pixels(picture)
        if page == FEATURES:
            results, reasons = features(served, shown, rows)
            differences = "".join(f"; {name}: {reason}" for name, reason in reasons.items())
            print(f"{title}: {len(served.boxes) - len(reasons)} of {len(served.boxes)} as served{differences}", flush=True)
            return results
        result, lost = counts(served, shown, rows)
        print(f"{title}: images, backgrounds, styles: {result}{'; not: ' * bool(lost)}{', '.join(lost)}", flush=True)
        return {f"`{page[0].name}/{page[1]}`": result}


def named(way, mode):
    return f"{way}, {'reading' if mode == 'read' else 'draft'}"


def tables(versions, results):
    """The tables of docs/email.md."""
    head = [f"{name} {versions[name]}: {named(*way)}" for name in results for way in WAYS]
    columns = [column for program in results.values() for column in program]
    pages = [name for name in columns[0] if name.startswith("`")]
    boxes = [name for name in columns[0] if name not in pages]
    between = "\nImages, backgrounds, and values that style sheets declare, of other pages:\n\n"
    return table(["of `features.html`", *head], boxes, columns) + between + table(["page", *head], pages, columns)


def table(head, names, columns):
    lines = [head, ["---"] * len(head), *([name, *(column[name] for column in columns)] for name in names)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def documented(text):
    """What docs/email.md has of each program (a column), way and row."""
    expected, head = {}, None
    for line in text.partition(HEADING)[2].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            head = None
        elif head is None:
            head = cells
        elif not cells[0].startswith("---"):
            for title, cell in zip(head[1:], cells[1:]):
                program, _, way = title.partition(": ")
                expected[program.partition(" ")[0], way, cells[0]] = cell
    return expected


def compared(expected, results):
    """The lines that differ from the documented ones."""
    for program, columns in results.items():
        for way, column in zip(WAYS, columns):
            for name, result in column.items():
                before = expected.get((program, named(*way), name), "nothing")
                if before != result:
                    yield f"WRONG  {program}, {named(*way)}: {name}: {result}, and docs/email.md has {before}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--absolve", default=str(HERE / "target/release/absolve"))
    parser.add_argument("--programs", default="Thunderbird,Roundcube")
    parser.add_argument("--keep", type=pathlib.Path, help="keep messages and pictures in this folder")
    parser.add_argument("--write", action="store_true", help="write the tables of docs/email.md")
    options = parser.parse_args()
    chromium_program = shutil.which("chromium")
    if not chromium_program:
        print("skipped: chromium is not installed")
        return 77
    chosen = []
    for program in PROGRAMS:
        if program.name in options.programs.split(","):
            absent = program.absent()
            if absent:
                print(f"skipped: {program.name}: {', '.join(absent)} not installed")
            else:
                chosen.append(program)
    if not chosen:
        return 77
    if options.write and len(chosen) < len(PROGRAMS):
        parser.error("--write needs all programs")
    versions, results = {}, {program.name: [{} for _ in WAYS] for program in chosen}
    with tempfile.TemporaryDirectory(prefix="mail-programs-") as temporary:
        temporary = pathlib.Path(temporary)
        folder = (options.keep or temporary / "kept").resolve()
        folder.mkdir(parents=True, exist_ok=True)
        servers = [serve(root) for root, _ in PAGES]
        urls = [f"http://127.0.0.1:{server.server_address[1]}/{name}" for server, (_, name) in zip(servers, PAGES)]
        with contextlib.closing(Chromium(chromium_program, temporary, 900, 1800)) as chromium:
            served = [Served(chromium, url) for url in urls]
        for kind in chosen:
            with contextlib.closing(kind(temporary)) as program:
                versions[kind.name] = program.version
                for page, shown, url in zip(PAGES, served, urls):
                    for column, (way, mode) in zip(results[kind.name], WAYS):
                        message = message_of(options, page, way, mode, url, folder)
                        column.update(check(program, page, shown, message, way, mode))
    text = DOCUMENT.read_text()
    if options.write:
        before, heading, section = text.partition(HEADING)
        prose = section.partition("\n|")[0]
        DOCUMENT.write_text(f"{before}{heading}{prose}\n{tables(versions, results)}")
        return 0
    wrong = list(compared(documented(text), results))
    print("\n".join(wrong + [f"{len(wrong)} results are others than those of docs/email.md"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, subprocess.SubprocessError) as problem:
        sys.exit(f"WRONG  {problem}")
