#!/usr/bin/env python3
"""Check that a browser shows a packed page as it shows the page itself.

    check_browser.py [--absolve FILE] [--chromium FILE] [--keep FOLDER] [ROOT//PAGE ...]

Each page is served by a server on this machine, and packed under a URL that does not exist: as .mhtml, whose links lead to parts
by Content-Location, and as .eml, whose links lead there by Content-ID; pages of the fixtures without a URL as well. The .eml is unpacked
into a folder, which is served, and the .mhtml into one page. Headless Chromium shows all of them, without scripts, and the pictures may
differ in few pixels. To show that this check can fail, each page that has embedded files is packed without them too,
and then the pictures must differ.

ROOT is the folder that is served, up to the first `//` in the argument: site//pages/a.html. Without pages, those of
fixtures/pack are taken, and some of ../shared/corpora if that is there. Each check is one line; the exit status is 1 if one of
them failed, and 77 if there is no Chromium.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from programs.pictures import difference, pixels
from programs.served import serve

WIDTH, HEIGHT = 900, 1200
# Of the pixels of a picture: letters may be smoothed otherwise.
FEW = 0.001
# A packed page that lacks its images and styles differs in far more.
MANY = 0.005
# On a busy machine Chromium may draw a page before its images have come; a page that is wrong is wrong each time.
ATTEMPTS = 3
# Longer than most lines of header fields.
URL = "https://nowhere.invalid/a-folder/with-a-long-name/so-that/the-url-of-a-file/takes-more/than-one-line/"

HERE = pathlib.Path(__file__).resolve().parent.parent
CORPORA = HERE.parent / "shared" / "corpora"
POSTGRESQL = CORPORA / "html-postgresql-doc/html"
DOCBOOK = CORPORA / "html-docbook-xsl-latin1/docbook-xsl-doc-html/doc"
PAGES = [
    (HERE / "fixtures/pack", "pages/lamp.html"),
    (HERE / "fixtures/site", "index.html"),
    (POSTGRESQL, "gin-implementation.html"),
    (POSTGRESQL, "geqo-intro2.html"),
    (POSTGRESQL, "storage-page-layout.html"),
    (POSTGRESQL, "sql-select.html"),
    (DOCBOOK, "fo/body.font.family.html"),
    (DOCBOOK, "html/admon.graphics.html"),
    (CORPORA / "html-phpdoc-base/docs", "classes/ArtilleryPhp-Scenario.html"),
    (CORPORA / "html-phpdoc-base/docs", "index.html"),
    (CORPORA / "html-apache2-ko/ko", "howto/auth.html"),
    (CORPORA / "html-nokogiri-sjis/test/files", "shift_jis.html"),
]


def shown(chromium, url, picture, folder):
    """The picture of a page. Chromium may die while it starts on a busy machine, so it gets a second try."""
    for attempt in range(2):
        profile = folder / f"profile-{picture.stem}-{attempt}"
        command = [
            chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--force-device-scale-factor=1", "--run-all-compositor-stages-before-draw", f"--user-data-dir={profile}",
            "--host-resolver-rules=MAP nowhere.invalid ~NOTFOUND", "--virtual-time-budget=5000",
            f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={picture}", url,
        ]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)
        shutil.rmtree(profile, ignore_errors=True)
        if picture.exists():
            return pixels(picture.read_bytes())
    raise RuntimeError(f"{chromium} has made no picture of {url}")


def pack(absolve, root, page, message, *more):
    command = [absolve, "pack", str(root / page), "--root", str(root), "-o", str(message), "--force", *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return message.read_bytes().count(b"\r\nContent-ID:")


def unpack(absolve, message, *more):
    done = subprocess.run([absolve, "unpack", str(message), "--force", *map(str, more)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())


def served(options, root, page, picture, folder):
    """The picture of a page of a folder that is served."""
    server = serve(root)
    try:
        return shown(options.chromium, f"http://127.0.0.1:{server.server_address[1]}/{urllib.parse.quote(page)}", picture, folder)
    finally:
        server.shutdown()
        server.server_close()


def unpacked(options, message, name, folder):
    """The pictures of an unpacked message: of its folder if it is mail, else of one page."""
    if message.suffix == ".eml":
        files, summary = folder / f"{name}-unpacked", folder / f"{name}-unpacked.json"
        unpack(options.absolve, message, "-o", files, "--summary", summary)
        page = json.loads(summary.read_text())["document"]
        return served(options, files, page, folder / f"{name}-unpacked.png", folder)
    single = folder / f"{name}-single.html"
    unpack(options.absolve, message, "--single", single)
    return served(options, folder, single.name, single.with_suffix(".png"), folder)


def check(options, root, page, folder):
    """What was found of a page, and whether all is as it should be."""
    name = page.replace("/", "-").removesuffix(".html")
    original = served(options, root, page, folder / f"{name}-original.png", folder)
    ways = {"by location": ("mhtml", "--url", URL), "by id": ("eml", "--url", URL)}
    if root.is_relative_to(HERE / "fixtures"):
        ways["without a URL"] = ("mhtml",)
    shares, worst = [], 0
    for way, (extension, *more) in ways.items():
        message = folder / f"{name}.{extension}"
        files = pack(options.absolve, root, page, message, *more)
        if "--url" in more:
            share = difference(original, unpacked(options, message, name, folder))
            # Of several images at several scales in `data:` URLs, Chromium takes the largest.
            worst = max(worst, share if extension == "eml" else share / 2)
            shares.append(f"{share:.4%} unpacked {'into files' if extension == 'eml' else 'into one page'}")
        # The browser goes by the name of the file.
        opened = message.rename(folder / f"{name}-{way.replace(' ', '-')}.mhtml")
        share = difference(original, shown(options.chromium, opened.as_uri(), opened.with_suffix(".png"), folder))
        worst = max(worst, share)
        shares.append(f"{share:.4%} {way}")
    found = f"{files} files embedded, of the pixels differ {', '.join(shares)}"
    if files == 0:
        return found, worst <= FEW
    bare = folder / f"{name}-bare.mhtml"
    pack(options.absolve, root, page, bare, "--url", URL, "--embed", "none")
    without = difference(original, shown(options.chromium, bare.as_uri(), bare.with_suffix(".png"), folder))
    return f"{found}; {without:.2%} without them", worst <= FEW and without >= MANY


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--absolve", default=str(HERE / "target/release/absolve"))
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    parser.add_argument("--keep", type=pathlib.Path, help="keep messages and pictures in this folder")
    parser.add_argument("pages", nargs="*", metavar="ROOT//PAGE")
    options = parser.parse_args()
    if not options.chromium:
        print("skipped: chromium is not installed")
        return 77
    chosen = [(pathlib.Path(root), page) for root, _, page in (page.partition("//") for page in options.pages)]
    pages = [(root.resolve(), page) for root, page in chosen or PAGES]
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        os.makedirs(folder, exist_ok=True)
        for root, page in pages:
            if not (root / page).exists():
                print(f"{'WRONG' if chosen else 'skipped'}  {page}: it is not there")
                failed += bool(chosen)
                continue
            for _ in range(ATTEMPTS):
                try:
                    found, is_right = check(options, root, page, folder)
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    found, is_right = str(error), False
                if is_right:
                    break
            failed += not is_right
            print(f"{'ok   ' if is_right else 'WRONG'}  {page}: {found}", flush=True)
    print(f"{failed} of {len(pages)} pages wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
