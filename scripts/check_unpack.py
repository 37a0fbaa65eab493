#!/usr/bin/env python3
"""Check that a web archive which is unpacked opens in a browser from disk, without network.

    check_unpack.py [--program FILE] [--chromium FILE] [--at DATE] [--pages N] [--print N] [--keep FOLDER]
                    [--site FOLDER] [ARCHIVE ...]

ARCHIVE is a WARC, ARC or WACZ, or several of them that belong together, with commas between. Without any, those of scripts/make_crawl.py are
made. Each is unpacked, and read again by warcio, which says what counts: of several captures of a URL the latest with a status of 2xx, or
a redirect that leads to one; with `--at DATE` the nearest. Then these are counted:

    files    each URL that counts has its row in urls.csv and its file, byte for byte if it is no document; nothing else has
    links    each link of each document, found by the parsers of Chromium in the archive and in the file, leads to the file of its URL
             if this counts, and else is its URL
    back     `rewrite --urls urls.csv` gives each link its first target
    charset  a page is read in the charset that its header declared
    shown    of the first N pages (all, without `--pages`) that headless Chromium opens from disk: images, styles, fonts, frames, sound
    request  nothing is asked for that was captured, or that is no file

`blocked` counts what Chromium takes from no file, whatever a page says (drawings by <use>, masks, modules), `by scripts` what only scripts ask
for; neither is a fault. To show that this check can fail, faults are planted in one site of ours, and each must be found.
`--site FOLDER` checks a site that is there instead of unpacking one. The exit status is 1 if there was any fault,
and 77 without Chromium or warcio.
"""

import argparse
import collections
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile

from programs.chromium import Chromium
from programs.crawls import archive, compared, shown
from programs.crawls.planted import plant

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("files", "links", "back", "charset", "shown", "request")


def run(program, *arguments):
    """Returns what a program told if it did not end well, else nothing."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode < 0 or done.returncode > 1:
        raise RuntimeError(f"{arguments[0]}: exit {done.returncode}: {done.stderr.strip()[-400:]}")
    return f"{arguments[0]} ends with 1: {done.stderr.strip().splitlines()[-1][:300]}" if done.returncode else ""


def rows_of(site, normal):
    """Returns the rows of the list of a site by their URLs in normal form, and what is wrong with it."""
    with open(site / "urls.csv", newline="", encoding="utf-8") as file:
        # A redirect to a place in a page has a second row, for links without a fragment.
        rows = [row for row in csv.DictReader(file) if "#" not in row["path"]]
    normal.add(row["url"] for row in rows)
    found = {normal[row["url"]]: row for row in rows}
    return found, [f"urls.csv has {len(rows) - len(found)} rows of URLs that have another"] if len(rows) != len(found) else []


def faults_of_files(site, index, rows):
    """Yields what is wrong with the files of a site and their list."""
    for url in index.keys() - rows.keys():
        yield f"{url} ({index[url].date}, {index[url].status}) has no row in urls.csv"
    for url in rows.keys() - index.keys():
        yield f"urls.csv has {url}, which does not count"
    for url in index.keys() & rows.keys():
        path, query = rows[url]["path"].partition("?")[::2]
        end, capture = archive.last(index, url), index[url]
        if rows[url]["date"][:19] != capture.date[:19]:
            yield f"{url}: urls.csv has the date {rows[url]['date']} instead of {capture.date}"
        if bool(query) != (end != url):
            yield f"{url}: its path {rows[url]['path']} is {'' if query else 'not '}that of a redirect"
        elif end in rows and rows[end]["path"] != path:
            yield f"{url} leads to {end}, but its path is {rows[url]['path']}"
        elif not (site / path).is_file():
            yield f"{url}: {path} is not there"
        elif end == url and capture.body is not None and not compared.is_edited(capture) and (site / path).read_bytes() != capture.body:
            yield f"{path} has not the bytes of {url} ({(site / path).stat().st_size} instead of {len(capture.body)})"
    listed = {row["path"].partition("?")[0] for row in rows.values()} | {"urls.csv", "index.html"}
    for file in site.rglob("*"):
        if file.is_file() and str(file.relative_to(site)) not in listed:
            yield f"{file.relative_to(site)} is not in urls.csv"


def check_start(site, rows, chromium):
    """Yields what is wrong with the page that lists the hosts."""
    [start] = compared.read(chromium, [((site / "index.html").read_bytes(), "text/html", None)])
    resolved = compared.resolve(chromium, [(link["written"], [(site / "index.html").as_uri()]) for link in start["links"]])
    paths = {path.partition("?")[0] for url in resolved if url and (path := shown.path_of(url, site))}
    yield from (f"index.html leads to {path}, which is not there" for path in paths if not (site / path).is_file())
    # Where the archive names pages to begin with, those are all.
    named = b"<h2>Begin with</h2>" in (site / "index.html").read_bytes()
    folders = set() if named else {row["path"].partition("/")[0] for row in rows.values() if row["path"].partition("?")[0].endswith((".html", ".xhtml"))}
    yield from (f"index.html leads to no page of {folder}" for folder in folders - {path.partition("/")[0] for path in paths})


def check_pages(chromium, options, site, index, rows, documents, add):
    """Opens pages, and returns how many of how many."""
    types = {row["path"]: index[url].media_type for url, row in rows.items() if url in index}
    pages = sorted(row["path"] for url, row in rows.items() if url in index and "?" not in row["path"] and types[row["path"]] in ("text/html", "application/xhtml+xml"))
    chosen = pages[:options.pages] if options.pages else pages
    normal = compared.Normal(chromium)
    written = {url.partition("#")[0] for document in documents for url in document.targets_now if url}

    def index_has(url):
        normal.add([url])
        return normal[url] in index

    for path in chosen:
        try:
            found = shown.show(chromium, site / path)
            found = list(shown.faults(site, (site / path).as_uri(), types, written, index_has, found)), found[0]
        except RuntimeError as error:
            add("shown", f"{path}: {error}")
            continue
        add.count("shown")
        for kind, what in set(found[0]):
            add(kind, f"{path}: {what}")
        add.charsets[path] = found[1]["charset"]
    return f"{len(chosen)} of {len(pages)}"


class Faults:
    """What is wrong, by its kind, and how many things were looked at."""

    def __init__(self):
        self.found, self.counted, self.charsets = collections.defaultdict(list), collections.Counter(), {}

    def __call__(self, kind, what):
        self.found[kind].append(what)

    def count(self, kind, number=1):
        self.counted[kind] += number


def check(options, name, folder, chromium):
    """Checks one archive, and returns its faults and how many pages were opened."""
    paths = [pathlib.Path(part).resolve() for part in name.split(",")]
    site, add = options.site or folder / "site", Faults()
    chromium.open("about:blank#reader")
    normal = compared.Normal(chromium)
    captures = archive.captures(paths)
    normal.add([capture.url for capture in captures] + [(capture.location, capture.url) for capture in captures if capture.location])
    index = archive.chosen(captures, normal, options.at)
    if not options.site:
        told = run(options.program, "unpack", *paths, "-o", site, *(["--at", options.at] if options.at else []))
        if told and index:
            add("files", told)
        if not site.is_dir():
            return add, "0 of 0"
    rows, wrong = rows_of(site, normal)
    for what in [*wrong, *faults_of_files(site, index, rows), *check_start(site, rows, chromium)]:
        add("files", what)
    add.count("files", len(index))
    # Of a site without documents there is nothing to rewrite.
    has_documents = any(compared.is_edited(capture) for capture in index.values())
    back = folder / "back" if has_documents and not options.site else None
    if back:
        if told := run(options.program, "rewrite", site, "--urls", site / "urls.csv", "-o", back):
            add("back", told)
    documents = compared.documents(chromium, site, back, index, rows)
    for kind, what in compared.faults(chromium, site, documents, index, rows, normal, add.count):
        add(kind, what)
    opened = check_pages(chromium, options, site, index, rows, documents, add)
    for what in compared.faults_of_charsets(documents, add.charsets, add.count):
        add("charset", what)
    return add, opened


def not_found(options, name, folder, chromium):
    """Plants faults in a site that was unpacked, and returns those that are not found, and how many were planted."""
    options = argparse.Namespace(**vars(options) | {"site": folder / "planted"})
    shutil.copytree(folder / "site", options.site)
    planted = plant(options.site)
    found = check(options, name, folder, chromium)[0].found
    return [(kind, what) for kind, what in planted if not any(what in told for told in found[kind])], len(planted)


def ours(folder):
    """Makes our archives, and returns those to check, with dates; faults are planted in the first."""
    subprocess.run([HERE / "make_crawl.py", folder], check=True, stdout=subprocess.DEVNULL)
    made = [folder / name for name in ("first.warc.gz", "first.arc", "second.warc.gz", "snapshots.warc", "snapshots.warc.gz", "snapshots.wacz", "odd.warc.gz", "wget.warc.gz")]
    return [*((str(file), None) for file in made if file.exists()), (f"{folder}/first.warc.gz,{folder}/second.warc.gz", None),
            (str(folder / "snapshots.warc.gz"), "2023-06-01T00:00:00Z"), (str(folder / "snapshots.wacz"), "2024-05-20T00:00:00Z")]


def check_one(options, folder, chromium, is_planted):
    """Checks an archive, prints what was found, and returns whether anything is wrong."""
    name = ",".join(pathlib.Path(part).name for part in options.name.split(",")) + (f" at {options.at}" if options.at else "")
    failed = report(name, *check(options, options.name, folder, chromium), options.print)
    if is_planted:
        missed, count = not_found(options, options.name, folder, chromium)
        failed += len(missed)
        print(f"{'WRONG' if missed else 'ok   '}  {count} planted faults, not found: {missed or 'none'}", flush=True)
    return bool(failed)


def report(name, add, opened, printed):
    """Prints a row of the table, and what was wrong; returns how many faults there were."""
    wrong = {kind: len(add.found[kind]) for kind in KINDS}
    counts = "  ".join(f"{kind} {wrong[kind]} of {add.counted[kind]}" if add.counted[kind] else f"{kind} {wrong[kind]}" for kind in KINDS)
    more = ", ".join(f"{len(add.found[kind])} {kind}" for kind in ("blocked", "by scripts", "outside") if add.found[kind])
    print(f"{'WRONG' if sum(wrong.values()) else 'ok   '}  {name}: {counts}; {opened} pages opened; {add.counted['local']} links within"
          f"{'; ' + more if more else ''}", flush=True)
    for kind in KINDS:
        for what in sorted(add.found[kind])[:printed]:
            print(f"       {kind}: {what}")
        if wrong[kind] > printed:
            print(f"       {kind}: and {wrong[kind] - printed} more")
    return sum(wrong.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(HERE.parent / "target/release/absolve"))
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    parser.add_argument("--at", help="the date that captures should be nearest to, as 2023-05-01T00:00:00Z")
    parser.add_argument("--pages", type=int, default=0, metavar="N")
    parser.add_argument("--print", type=int, default=12, metavar="N", help="faults of each kind that are printed")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the sites in this folder")
    parser.add_argument("--site", type=pathlib.Path, help="a site that was unpacked already; `back` is not checked")
    parser.add_argument("archives", nargs="*", metavar="ARCHIVE")
    options = parser.parse_args()
    try:
        import warcio  # noqa: F401
    except ImportError:
        options.chromium = None
    if not options.chromium:
        print("skipped: chromium or warcio is not installed")
        return 77
    options.site = options.site and options.site.resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        chosen = [(name, options.at) for name in options.archives] or ours(folder / "crawl")
        for number, (options.name, options.at) in enumerate(chosen):
            (folder / str(number)).mkdir(parents=True)
            chromium = Chromium(options.chromium, folder / str(number), 900, 1200, *shown.FLAGS)
            try:
                failed += check_one(options, folder / str(number), chromium, not options.archives and number == 0)
            except archive.unreadable() as error:
                print(f"skipped: warcio cannot read {options.name}: {str(error).strip().splitlines()[0]}", flush=True)
            except (RuntimeError, OSError) as error:
                failed += 1
                print(f"WRONG  {options.name}: {error}", flush=True)
            finally:
                chromium.close()
    print(f"{failed} of {len(chosen)} archives wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
