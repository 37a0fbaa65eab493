#!/usr/bin/env python3
"""Check that what browsers load of a page, they load of the page with absolute links as well.

    check_engines.py [--absolve FILE] [--keep FOLDER] [--engines NAME,...] [--verbose] [PAGE ...]

The pages of programs/engine_pages.py are served on this machine, and Chromium, Firefox and WebKitGTK open them, each in one process; the
log of the server says what each page loads. Then `absolve rewrite` makes the folder of the pages absolute, and the engines open the new
pages at another port, below another folder, so that whatever stayed relative is not there. For each engine and page, every file that was
loaded before has to be loaded after:

  lost   it is not: exit status 1
  doubt  it is not, but the page is one for which no answer is right for all engines, and absolve reports a finding
  limit  it is not, as the documentation says

What the server sees of prefetches is not counted. To show that this check can fail, one page is served elsewhere as it is, and has to lose
what it loads. The figures come last; the exit status is 77 if there is no engine.
"""

import argparse
import collections
import http.server
import mimetypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from programs.engine_pages import PAGES
from programs.engines import installed, opened, version
from programs.pictures import one_colour

HERE = pathlib.Path(__file__).resolve().parent.parent
MOVED = "elsewhere/deep"
CONTROL = "control"
# So many pages are shown at a time, each in a frame.
FRAMES = 10
# A page is done when nothing has been asked for so long; animations take 0.6 seconds.
QUIET = 1.2
PATIENCE = 25
# On a busy machine an engine may end a page before all has been asked for; what is lost is lost each time.
ATTEMPTS = 3
HOLDER = """<!DOCTYPE html><title>{number}</title><style>iframe {{ width: 230px; height: 400px }}</style>{frames}
<script>
  // Firefox loads the images of styles of a frame when it lays it out, which it may put off for ever.
  const lay = (frame) => {{ try {{ frame.contentDocument.documentElement.getBoundingClientRect(); }} catch {{ }} }};
  setInterval(() => document.querySelectorAll("iframe").forEach(lay), 200);
  onload = async () => location.replace(await (await fetch("/next/{number}")).text());
</script>"""
BODIES = {".png": one_colour(4, (90, 160, 60)), ".html": b"<!DOCTYPE html><title>a frame</title>",
          ".svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'}


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers every request of a site, and writes down the paths."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        visit, path = self.server.visit, urllib.parse.unquote(self.path.partition("?")[0]).lstrip("/")
        kind, _, rest = path.partition("/")
        if kind == "next":
            return self.answer("text/plain", visit.next(int(rest)).encode())
        if kind == "holder":
            return self.answer("text/html", visit.holder(int(rest)).encode())
        if "prefetch" not in self.headers.get("Sec-Purpose", self.headers.get("Purpose", "")):
            visit.saw(self.server.server_port, self.path)
        content = self.server.content(path)
        if content is None:
            return self.send_error(404)
        # The type of a page has no charset: a page declares its own.
        return self.answer(mimetypes.guess_type(path)[0] or "text/html", content)

    def answer(self, kind, content):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, content):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content, self.visit = content, None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *arguments):
        """Says nothing: browsers end connections as they like."""


class Visit:
    """One engine at one set of pages: what is opened next, and what the server was asked for."""

    def __init__(self, urls):
        self.batches = [urls[at:at + FRAMES] for at in range(0, len(urls), FRAMES)]
        self.requests, self.last, self.over = [], time.monotonic(), threading.Event()

    def saw(self, port, path):
        self.requests.append((port, path))
        self.last = time.monotonic()

    def holder(self, number):
        frames = "".join(f'<iframe src="{url}"></iframe>' for url in self.batches[number])
        return HOLDER.format(number=number, frames=frames)

    def next(self, number):
        """Returns where to go from a set of pages, as soon as nothing more is asked for."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < min(end, self.last + QUIET):
            time.sleep(0.05)
        if number + 1 == len(self.batches):
            self.over.set()
            return "about:blank"
        return f"/holder/{number + 1}"


class Site:
    """The pages on disk and as two servers: as they are, and rewritten, elsewhere."""

    def __init__(self, folder, pages):
        self.folder, self.output, self.pages = folder / "pages", folder / "absolute", pages
        self.original, self.moved = Server(self.at_original), Server(self.at_moved)
        for name, page in pages.items():
            for path, text in {"docs/page.html": page.start + page.markup, **page.files}.items():
                file = self.folder / name / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(generic(path) if text is None else self.filled(text, name).encode(page.charset))

    def filled(self, text, name):
        # Firefox takes a style element for one of another page with the same text, and with it the base of its variables.
        text = text.replace("<style>", f"<style>/* {name} */ ")
        return text.replace("/~", f"/{name}").replace("{port}", str(self.original.server_port))

    def at_original(self, path):
        """Everything is there, and what needs its origin is there rewritten as well."""
        if path.startswith(MOVED):
            return self.at_moved(path)
        file = self.folder / path
        return file.read_bytes() if file.is_file() else generic(path)

    def at_moved(self, path):
        file = self.output / path.removeprefix(MOVED).lstrip("/")
        return file.read_bytes() if path.startswith(MOVED) and file.is_file() else None

    def urls(self, names, folder):
        """The URLs of pages: as they are, or in the folder of the rewritten ones."""
        def url(name):
            server = self.original if not folder or self.pages[name].same_origin else self.moved
            return f"http://127.0.0.1:{server.server_port}/{folder}{name}/docs/page.html"
        return [url(name) for name in names]

    def loads(self, engine, names, folder):
        """Returns what an engine loads of each page, by its name: paths below the folder of the page."""
        visit = Visit(self.urls(names, folder))
        self.original.visit = self.moved.visit = visit
        server = self.moved if folder else self.original
        with opened(engine, f"http://127.0.0.1:{server.server_port}/holder/0"):
            visit.over.wait(60 + PATIENCE * len(visit.batches))
        if not visit.over.is_set():
            print("NOTE   an engine did not come to its last page", flush=True)
        loads = {name: set() for name in names}
        for port, path in visit.requests:
            # A copy that lies beside a rewritten page is that file, too.
            moved, path = path.startswith(f"/{MOVED}/"), path.removeprefix(f"/{MOVED}")
            name, _, rest = path.lstrip("/").partition("/")
            if name in loads and rest != "docs/page.html" and (moved or port == self.original.server_port):
                if not moved or (self.output / name / urllib.parse.unquote(rest.partition("?")[0])).is_file():
                    loads[name].add(rest)
        return loads


def generic(path):
    return BODIES.get(os.path.splitext(path)[1], b"")


def rewrite(options, site):
    """Rewrites the pages, and returns the findings of each by its name, and whether `verify` agrees."""
    url = f"http://127.0.0.1:{site.original.server_port}/"
    command = [options.absolve, "rewrite", site.folder, "--url", url, "-o", site.output, "--verbose"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"absolve rewrite: {done.stderr.strip()}")
    findings = collections.defaultdict(list)
    for line in done.stderr.splitlines():
        for name in site.pages:
            if f"/{name}/" in line:
                findings[name].append(line)
    command = [options.absolve, "verify", site.folder, site.output, "--url", url]
    return findings, subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def lost_of(site, engine, names):
    """Returns what was loaded before, and what of it is not loaded after, by the names of the pages."""
    before = site.loads(engine, names, "")
    after = site.loads(engine, names, f"{MOVED}/")
    lost = {}
    for name in names:
        page = site.pages[name]
        lost[name] = sorted(path for path in before[name].difference(page.too_early) if page.copies.get(path, path) not in after[name])
    return before, {name: paths for name, paths in lost.items() if paths}


def check(site, engine, findings, is_verbose):
    """Returns the counts of an engine, and prints what is lost."""
    before, lost = lost_of(site, engine, list(site.pages))
    if is_verbose:
        for name, paths in before.items():
            print(f"loads  {name}: {', '.join(sorted(paths))}")
    for _ in range(ATTEMPTS - 1):
        if lost:
            again = lost_of(site, engine, list(lost))[1]
            lost = {name: [path for path in paths if path in again.get(name, ())] for name, paths in lost.items()}
            lost = {name: paths for name, paths in lost.items() if paths}
    counts = collections.Counter(loaded=sum(map(len, before.values())))
    is_seeing = bool(before[CONTROL]) and lost.pop(CONTROL, []) == sorted(before[CONTROL])
    counts["lost"] += not is_seeing
    print("ok     the page that is not rewritten loses all" if is_seeing else "WRONG  a page that is not rewritten loses nothing")
    for name, paths in lost.items():
        page = site.pages[name]
        kind = "limit" if page.limit else "doubt" if page.doubt and findings[name] else "lost"
        counts[kind] += len(paths)
        why = f" ({page.limit or page.doubt})" if kind != "lost" else ""
        print(f"{kind:5}  {name}: {', '.join(paths)}{why}", flush=True)
    return before, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--absolve", default=str(HERE / "target/release/absolve"))
    parser.add_argument("--keep", type=pathlib.Path, help="keep the pages in this new folder")
    parser.add_argument("--engines", default="Chromium,Firefox,WebKitGTK", help="names, divided by commas")
    parser.add_argument("--verbose", action="store_true", help="list what each page loads before")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="names of pages, or their beginnings")
    options = parser.parse_args()
    pages = {name: page for name, page in PAGES.items() if not options.pages or name.startswith((CONTROL, *options.pages))}
    engines = {name: engine for name, engine in installed().items() if name in options.engines.split(",")}
    for name in [name for name, (program, _) in engines.items() if not program]:
        print(f"skipped: {name} is not installed")
        del engines[name]
    if not engines:
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        site = Site((options.keep or pathlib.Path(temporary)).resolve(), pages)
        findings, verified = rewrite(options, site)
        shutil.copy(site.folder / CONTROL / "docs/page.html", site.output / CONTROL / "docs/page.html")
        right = verified.returncode == 0
        print(f"{'ok   ' if right else 'WRONG'}  absolve verify: {(verified.stdout + verified.stderr).strip().splitlines()[-1]}")
        rows, loaded = [], set()
        for name, engine in engines.items():
            print(f"== {name} {version(*engine)}", flush=True)
            before, counts = check(site, engine, findings, options.verbose)
            loaded |= {page for page, paths in before.items() if paths}
            rows.append((name, counts))
    print(f"\n{'engine':10}{'pages':>7}{'loaded':>8}{'lost':>6}{'doubt':>7}{'limit':>7}")
    for name, counts in rows:
        print(f"{name:10}{len(pages):7}{counts['loaded']:8}{counts['lost']:6}{counts['doubt']:7}{counts['limit']:7}")
    for name in pages.keys() - loaded:
        print(f"WRONG  {name}: no engine has loaded anything of it")
    return 1 if not right or pages.keys() - loaded or any(counts["lost"] for _, counts in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
