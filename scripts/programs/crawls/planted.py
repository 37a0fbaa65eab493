"""Faults planted in a site that was unpacked rightly, to see that a check finds each of them."""

# Where, what stands there, what is put in its place, and the kind and a part of what has to be told.
CHANGES = [
    ("inner.html", b"<img src=img/1.png>", b"<img src=img/2.png>", "links", "inner.html: img@src 'img/1.png' became 'img/2.png'"),
    ("inner.html", b"href=places.html ", b"href=places.html?91 ", "links", "inner.html: a@href 'places.html' became 'places.html?91'"),
    ("places.html", b"href=http://site.test/absent.html", b"href=absent.html", "links", "places.html: link@href next 'absent.html' became"),
    ("refresh.html", b"<meta http-equiv=refresh", b"<meta data-http-equiv=refresh", "links", "refresh.html has 0 links instead of 1"),
    ("base/page.html", b'base href=""', b'base href="/x/"', "links", "base/page.html: link@href stylesheet"),
    ("slash/index.html", b"../q.html", b"../q%2Ehtm", "links", "slash/index.html: a@href '../q' became"),
    ("nested/one.css", b"three.css", b"tree.css", "links", "nested/one.css: @import"),
    ("img/drawing.svg", b'"1.png"', b'"2.png"', "links", "img/drawing.svg: svg image@href"),
    ("latin1.html", b"img/1.png", b"http://site.test/img/1.png", "request", "http://site.test/img/1.png was captured, and is asked for"),
    ("semi;v=1.html", b'src="', b'src="none/', "request", "there is no such file"),
    ("policy.html", b"rel=stylesheet", b"rel=stylesheet crossorigin", "shown", "link of site.test/nested/three.css has integrity or crossorigin"),
    ("policy.html", b"rel=stylesheet", b"rel=stylesheet crossorigin", "shown", "the style site.test/nested/three.css is not applied"),
    ("integrity.html", b"href=nested/one.css data-", b"href=nested/one.css ", "shown", "integrity.html: the style site.test/nested/one.css is not applied"),
    ("integrity.html", b"img data-crossorigin", b"img crossorigin", "shown", "integrity.html: the image site.test/img/1.png is not shown"),
    ("frames.html", b"<title>", b"<meta http-equiv=Content-Security-Policy content=\"frame-src http://site.test\"><title>", "shown", "frames.html: Framing"),
    ("koi8.html", b'"koi8-r"', b'"latin1"', "charset", "koi8.html is shown in windows-1252 instead of koi8-r"),
    ("img/octets.bin", b"IHDR", b"IHDX", "files", "site.test/img/octets.bin has not the bytes of"),
    ("img/8.png", b"IDAT", b"XXXX", "shown", "the image site.test/img/8.png is not shown"),
    ("fonts/own.ttf", b"glyf", b"gone", "shown", "fonts are not usable"),
]
# The names of files, with what has to be told if they have others.
NAMES = [
    ("bare.css", "bare", "shown", "places.html: the style site.test/bare is not applied"),
    ("q.html", "q.txt", "shown", "the page site.test/q.txt is shown as text/plain"),
    ("q.html", "q.txt", "links", "expected site.test/q.txt"),
]
# Rows of the list: what stands there, what is put in its place.
ROWS = [
    ("/code.js,http:", "/code.js?1,http:", "files", "code.js?1 is that of a redirect"),
    ("site.test/media/sound.wav,", "site.test/media/other.wav,", "files", "site.test/media/sound.wav is not in urls.csv"),
    (",http://site.test/data,", ",http://site.test/dater,", "files", "urls.csv has http://site.test/dater, which does not count"),
    (",http://site.test/data,", ",http://site.test/dater,", "files", "http://site.test/data (2023"),
    ("/cdn.css,http://cdn.test/cdn.css,2023", "/cdn.css,http://cdn.test/cdn.css,2022", "files", "urls.csv has the date 2022"),
]


def plant(site):
    """Plants all faults in a site, and returns (kind, what has to be told) of each."""
    host = site / "site.test"
    for name, before, after, *_ in dict.fromkeys(change[:3] for change in CHANGES):
        content = (host / name).read_bytes()
        if before not in content:
            raise RuntimeError(f"{name} has no {before!r} to change")
        (host / name).write_bytes(content.replace(before, after))
    rows = (site / "urls.csv").read_text(encoding="utf-8")
    for before, after in dict.fromkeys(name[:2] for name in NAMES):
        (host / before).rename(host / after)
        rows = rows.replace(f"site.test/{before},", f"site.test/{after},")
        for page in host.rglob("*.html"):
            page.write_bytes(page.read_bytes().replace(f"={before}".encode(), f"={after}".encode()))
    for before, after in dict.fromkeys(row[:2] for row in ROWS):
        if before not in rows:
            raise RuntimeError(f"urls.csv has no {before!r} to change")
        rows = rows.replace(before, after)
    with open(site / "urls.csv", "w", newline="", encoding="utf-8") as file:
        file.write(rows)
    (site / "index.html").write_text("<a href=site.test/index.html>site</a><a href=none.html>none</a>")
    return [tuple(planted[-2:]) for planted in (*CHANGES, *NAMES, *ROWS)] + [
        ("files", "index.html leads to none.html, which is not there"), ("files", "index.html leads to no page of other.test")]
