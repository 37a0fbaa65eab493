#!/usr/bin/env python3
"""Check that a page which Chromium saved loses nothing when it is made absolute or unpacked.

    check_saved_pages.py [--absolve FILE] [--chromium FILE] [--keep FOLDER]

A page with styles, imported styles, frames, images and a font is served by a server on this machine, and headless Chromium saves it as
MHTML (Page.captureSnapshot). The message is rewritten, unpacked to a folder and unpacked to one page. Then the server is gone, and Chromium
has to show each of them like the page of the site: each image has a place and a colour of its own. `check` must find nothing relative, and
`verify` nothing wrong; each file of the site that Chromium saved must be in the folder, byte for byte, and each that it did not save (as
Chromium 156 saves no fonts) must be linked by its URL on the site. To show that this check can fail, the message as Chromium saved it
must differ: there the styles of frames have no base.

Each check is one line; the exit status is 1 if one of them failed, and 77 if there is no Chromium.
"""

import argparse
import email
import email.policy
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from programs.chromium import Chromium
from programs.pictures import difference, one_colour, pixels
from programs.served import serve

WIDTH, HEIGHT = 700, 500
# Of the pixels of a picture.
FEW = 0.001
MANY = 0.005

HERE = pathlib.Path(__file__).resolve().parent.parent

BLOCK = "display:block; width:60px; height:30px; margin:5px"
PAGE = f"""<!DOCTYPE html><title>A saved page</title>
<style>@import "styles/imported.css"; @import url(styles/printed.css) print;
  body {{ background: url(images/page.png); margin: 5px }} iframe {{ width: 200px; height: 90px; border: 0 }} b, i {{ {BLOCK} }}
  @font-face {{ font-family: Own; src: url(fonts/own.ttf) }} p {{ font-family: Own; position: absolute; top: 600px }}
  @media screen {{ .media {{ background: url("images/media.png") }} }}</style>
<link rel=stylesheet href=styles/linked.css>
<b class=media></b><b class=imported></b><b class=chained></b><b class=linked></b><b class=other></b>
<b style="background: url(images/attribute.png)"></b><img src=images/image.png width=60 height=30>
<iframe src=../frames/outer.html></iframe>
<iframe srcdoc="<style>body {{ background: url(images/srcdoc.png) }} i {{ {BLOCK}; background: url('images/srcdoc2.png') }}</style><i></i>"></iframe>
<p>In a font of its own.</p>
"""
OUTER = f"""<!DOCTYPE html><style>@import "frame.css"; body {{ background: url(page.png) }} iframe {{ width: 90px; height: 50px; border: 0 }}
  i {{ {BLOCK}; background: url(style.png) }}</style><i></i><u></u>
<iframe srcdoc="<style>body {{ background: url(nested.png) }}</style>"></iframe>
"""
STYLES = {
    "pages/styles/imported.css": '@import url("more/chained.css"); .imported { background: url(../images/imported.png) }',
    "pages/styles/more/chained.css": ".chained { background: url(../../images/chained.png) }",
    "pages/styles/printed.css": "p { color: red }",
    "pages/styles/linked.css": "@import url(more/other.css); .linked { background: url('../images/linked.png') }",
    # Of a style that two others import, Chromium saves no images.
    "pages/styles/more/other.css": ".other { background: url(../../images/other.png) }",
    "frames/frame.css": f"u {{ {BLOCK}; background: url(imported.png) }}",
}
IMAGES = [
    *(f"pages/images/{name}.png" for name in
      ("page", "media", "imported", "chained", "linked", "other", "attribute", "image", "srcdoc", "srcdoc2")),
    *(f"frames/{name}.png" for name in ("page", "style", "imported", "nested")),
]


def image(number):
    """A PNG of one colour, that no other number has."""
    return one_colour(4, (40 + 67 * number % 200, 40 + 113 * number % 200, 40 + 29 * number % 200))


def make_site(folder):
    """Writes the site, and returns the contents of its files that a browser loads, by their paths."""
    files = {path: image(number) for number, path in enumerate(IMAGES)}
    files |= {path: text.encode() for path, text in STYLES.items()}
    files |= {"pages/page.html": PAGE.encode(), "frames/outer.html": OUTER.encode()}
    font = next(pathlib.Path("/usr/share/fonts").rglob("*.ttf"), None)
    files["pages/fonts/own.ttf"] = font.read_bytes() if font else b"no font, but asked for like one"
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return files


def absolve(options, *arguments):
    done = subprocess.run([options.absolve, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).strip()


def picture(chromium, url):
    chromium.open(url)
    return pixels(chromium.picture(0, 0, WIDTH, HEIGHT))


def parts_of(message):
    """The parts of a message by their locations."""
    parsed = email.message_from_bytes(message, policy=email.policy.compat32)
    return {part["Content-Location"]: part.get_payload(decode=True) for part in parsed.walk() if not part.is_multipart()}


def outcomes(options, folder):
    """Yields what was found, and whether it is as it should be."""
    site, saved, absolute, unpacked, single = (
        folder / name for name in ("site", "saved.mhtml", "absolute.mhtml", "unpacked", "single.html"))
    files = make_site(site)
    chromium = Chromium(options.chromium, folder, WIDTH, HEIGHT)
    try:
        server = serve(site)
        origin = f"http://127.0.0.1:{server.server_address[1]}/"
        try:
            original = picture(chromium, f"{origin}pages/page.html")
            saved.write_text(chromium.call("Page.captureSnapshot", format="mhtml")["data"], newline="")
        finally:
            server.shutdown()
            server.server_close()
        for arguments in (("rewrite", saved, "-o", absolute), ("check", absolute), ("verify", saved, absolute),
                          ("unpack", saved, "-o", unpacked), ("unpack", saved, "--single", single)):
            status, told = absolve(options, *arguments)
            yield f"absolve {arguments[0]}: {told.splitlines()[-1] if told else 'nothing to say'}", status == 0
        for name, opened in (("rewritten", absolute), ("unpacked to a folder", unpacked / "page.html"), ("unpacked to one page", single)):
            share = difference(original, picture(chromium, opened.as_uri()))
            yield f"{name}: {share:.3%} of the pixels differ", share <= FEW
        share = difference(original, picture(chromium, saved.as_uri()))
        yield f"as it was saved: {share:.3%} of the pixels differ", share >= MANY
    finally:
        chromium.close()
    yield from files_found(files, origin, parts_of(saved.read_bytes()), parts_of(absolute.read_bytes()), unpacked)


def files_found(files, origin, saved, absolute, unpacked):
    """Yields where the files of the site are."""
    written = [path.read_bytes() for path in unpacked.iterdir()]
    styles = b"".join(content for content in absolute.values() if content)
    kept = {path: content for path, content in files.items() if origin + path in saved}
    images = {path: content for path, content in kept.items() if path.endswith(".png")}
    lost = [path for path, content in images.items() if content not in written]
    yield f"{len(images)} images saved, not in the folder: {', '.join(lost) or 'none'}", not lost and len(images) == len(IMAGES)
    for path in files.keys() - kept.keys():
        url = f"{origin}{path}".encode()
        yield f"{path} was not saved, and is linked by its URL", url in styles and any(url in content for content in written)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--absolve", default=str(HERE / "target/release/absolve"))
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    parser.add_argument("--keep", type=pathlib.Path, help="keep the site, the messages and pages in this new folder")
    options = parser.parse_args()
    if not options.chromium:
        print("skipped: chromium is not installed")
        return 77
    failed = count = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        os.makedirs(folder, exist_ok=True)
        for found, is_right in outcomes(options, folder):
            count += 1
            failed += not is_right
            print(f"{'ok   ' if is_right else 'WRONG'}  {found}", flush=True)
    print(f"{failed} of {count} checks wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
