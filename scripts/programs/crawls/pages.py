"""The pages of a small site with every place where a browser loads something, and with names that are hard to write to disk."""

import base64
import hashlib
import struct
import zlib

SITE, CDN, OTHER = "http://site.test", "http://cdn.test", "http://other.test:8080"
LONG = "a-long-name-" * 25
# Beside the site: its pages link to them, and nothing answers.
ABSENT = "http://absent.test/never.html"

NAMES = [
    # Pages whose names are queries, escapes, capitals, folders, devices, or forbidden somewhere.
    "q?x=1&y=2", "q?y=2&x=1", "q", "q?", "page.php?id=1", "page.php?id=2", "A.html", "a.html", "dir", "dir/", "dir/index.html", "x", "x/y",
    "data/more.html", "con.html", "aux/nul.html", f"{LONG}1.html", f"{LONG}2.html", "enc%2Fslash.html", "enc/slash.html", "with%20space.html",
    "%41.html", "tilde%7E.html", "tilde~.html", "%C3%BC.html", "e%CC%81.html", "%C3%A9.html", "%FF.html", "percent%25.html", "percent%2525.html",
    "hash%23.html", "question%3F.html", "question%3Fa=b.html", "backslash%5C.html", "quote%22.html", "quote'.html", "a//b.html", "semi;v=1.html", "colon:name.html",
    "star*.html", "pipe|.html", "dot.", "space%20", ".hidden.html", "-rf.html", "caret%5E.html", "at@sign.html", "deep.html/in.html",
    "deep.html", "ends.css", "archive.tar.gz.html", "..%2Fescape.html", "x?redirect=http://other.test:8080/x.html", "q?%3C%3E%22|%5C:*",
]


def image(number):
    """Returns a PNG of one colour."""
    colour = bytes(40 + factor * number % 200 for factor in (67, 113, 29))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress((b"\0" + colour * 4) * 4)) + chunk(b"IEND", b"")


def sound():
    """Returns a tenth of a second of silence, as WAV."""
    samples = b"\x80" * 800
    return b"RIFF" + struct.pack("<I4s4sIHHIIHH4sI", 36 + len(samples), b"WAVE", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8, b"data", len(samples)) + samples


def drawing(inside=""):
    return ('<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">'
            f'<rect id="r" width="9" height="9"/>{inside}</svg>')


def digest(content):
    return "sha384-" + base64.b64encode(hashlib.sha384(content).digest()).decode()


def page(title, body, head=""):
    return f"<!DOCTYPE html>\n<html><head><title>{title}</title>\n{head}</head>\n<body>\n{body}\n</body></html>\n"


STYLE = """@import "nested/one.css"; @import url(nested/two.css) screen;
@font-face { font-family: Own; src: url("fonts/own.ttf") format("truetype") }
@font-face { font-family: Moved; src: url(fonts/moved#iefix) }
p { font-family: Own } i { font-family: Moved } body { background: url( 'img/1.png' ) } h1 { background: url(img/spa\\ ce.png), url("img/q.php?n=1") }
/* url(img/comment.png) */ h2::before { content: "url(img/text.png)"; list-style: url(//cdn.test/img/9.png) } h3 { background: url(http://absent.test/b.png) }
"""
STYLES = {
    "style.css": STYLE,
    "nested/one.css": "@import '../nested/three.css'; .one { background: url(../img/2.png) }",
    "nested/two.css": "@charset \"utf-8\"; .two { background: url(../img/moved.png) }",
    "nested/three.css": ".three { background: url(/img/3.png) }",
    "style.php?v=1": ".php { background: url(img/4.png) }",
    "bare": ".bare { background: url(img/5.png) }",
}
PLACES = f"""<h1>Heading</h1><p>Text in a font of its own. <i>And another.</i>
<img src=img/1.png><img src="img/2.png" srcset="img/3.png 1x, /img/4.png 2x"><img srcset="img/q.php?n=1 4w, {CDN}/img/9.png 8w" sizes=8px>
<img src="img/spa ce.png"><img src=img/spa%20ce.png><img src="img/q.php?n=2&amp;m=3"><img src=img/svg><img src=/img/drawing.svg><img src="{CDN}/img/9.png" loading=lazy>
<img src=img/moved.png><img src=img/octets><img src=/img/partial.png><img src=img/gone.png><img src="http://absent.test/i.png"><img src=img/converted.png>
<img src="" alt="none"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">
<picture><source srcset="img/5.png" type=image/png><source srcset="img/absent.webp 1x, img/6.png 2x"><img src=img/7.png></picture>
<iframe src=inner.html></iframe><iframe src="page.php?id=1"></iframe><iframe src=/redirect/1 loading=lazy></iframe><iframe src="q#part"></iframe>
<iframe srcdoc="&lt;link rel=stylesheet href=style.css>&lt;img src='img/1.png'>&lt;a href=&quot;q?x=1&amp;amp;y=2&quot;>"></iframe>
<video poster=img/8.png src=media/absent.mp4><source src=media/none.webm></video><audio src=media/sound.wav></audio><audio><source src=media/sound type=audio/wav></audio>
<object data=img/drawing.svg type=image/svg+xml></object><object data=inner.html></object><embed src=img/1.png><input type=image src=img/2.png>
<svg width=20 height=20><image href=img/3.png width=9 height=9 /><image xlink:href="img/4.png" width=9 height=9 /><use href="img/drawing.svg#r"/><use href="#here"/><a href=q><text>t</text></a></svg>
<b style="background: url(img/5.png)"></b><b style='background:url("img/6.png")'></b><b style="background:url(&quot;img/q.php?n=1&quot;)"></b>
<form action=q><button formaction="page.php?id=2">go</button></form><form action="" method=post></form><map><area href=x/y></map>
<blockquote cite=q>cited</blockquote><table background=img/7.png><td background=img/8.png>cell</table>
<noscript><img src=img/8.png></noscript><template><img src=img/1.png></template><script src=code.js></script><script src="code.js?v=2" crossorigin></script>
"""
HEAD = """<link rel=stylesheet href=style.css><link rel="icon" href=img/1.png><link rel=stylesheet href="style.php?v=1"><link rel=stylesheet href=bare>
<link rel="alternate stylesheet" title=x href=nested/one.css><link rel=stylesheet href=redirect/style media=all><link rel=canonical href=/places.html>
<link rel=preload as=image imagesrcset="img/1.png 1x, img/2.png 2x" href=img/1.png><link rel=next href=absent.html><link rel=dns-prefetch href=//cdn.test>
<style>@import "nested/one.css"; @import url(redirect/style); body > b { display: inline-block; width: 9px; height: 9px; background: url(img/2.png) }</style>
"""
SPELLINGS = [
    "places.html", " places.html ", "pla\nces.html", "./places.html", "/./x/../places.html", "/%2e/places.html", "http:places.html", "HTTP://SITE.TEST/places.html",
    "//site.test:80/places.html", "\\places.html", "/x\\y", "places.html#here", "places.html?", "?", "#", "#here", "", "https://site.test/both.html", "http://site.test/both.html",
    "mailto:a@site.test", "javascript:void(0)", "http://absent.test/a b", "//absent.test", "absent.html#a", "/redirect/circle", "redirect/1#mine", "redirect/part", "redirect/part#mine",
    "redirect/gone", "redirect/away", "redirect/other", "gone.html", "http://user@site.test/places.html", "http://site.test:8080/places.html", f"{OTHER}/", f"{OTHER}/x.html",
    "http://bücher.test/", "ftp://site.test/places.html", "http://site.test", "resource.html", "img/1.png?", "data", "data#x", "http://[", "redirect/slash", "redirect/long",
]
REDIRECTS = {
    "redirect/1": "/redirect/2", "redirect/2": "3", "redirect/3": f"{SITE}/places.html", "redirect/circle": "/redirect/back", "redirect/back": "/redirect/circle",
    "redirect/self": "/redirect/self", "redirect/part": "/places.html#here", "redirect/gone": "/gone.html", "redirect/away": ABSENT, "redirect/other": f"{OTHER}/x.html",
    "redirect/style": "/nested/two.css", "img/moved.png": "/img/6.png", "fonts/moved": "own.ttf", "redirect/slash": "/slash/", "redirect/long": "/q?x=1&y=2",
}


def escaped(text):
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def links(names):
    return "\n".join(f'<a href="{escaped(name)}">link</a>' for name in names)


def html_pages(files):
    """Returns the pages of the site: their bodies and types, by the URL."""
    css, script = files[f"{SITE}/nested/three.css"][0], files[f"{SITE}/code.js"][0]
    cdn_css = files[f"{CDN}/cdn.css"][0]
    guarded = (f'<link rel=stylesheet href=nested/three.css integrity="{digest(css)}"><link rel=stylesheet href=nested/one.css crossorigin>'
               f'<link rel=stylesheet href={CDN}/cdn.css integrity="{digest(cdn_css)}" crossorigin=anonymous>'
               f'<script src=code.js integrity="{digest(script)}"></script><script src="code.js?v=2" crossorigin></script>')
    self_policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'self'\"><link rel=stylesheet href=nested/three.css>"
    host_policy = ("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src http://site.test; img-src http://cdn.test http://site.test\">"
                   "<link rel=stylesheet href=nested/three.css>")
    pages = {
        "": page("Start", links([*NAMES, "places.html", "spellings.html", "integrity.html", "policy.html", "policy-hosts.html", "base/page.html", "base/far.html",
                                 "sjis.html", "koi8.html", "latin1.html", "utf16.html", "refresh.html", "refreshed.html", "index.html", "slash/", "frames.html", "page.xhtml", "code.js?v=2", *REDIRECTS])),
        "index.html": page("Index", links(["/", "./", "index.html"])),
        "slash/": page("Slash", links(["../q", "./", "../slash"])),
        "places.html": page("Places", f'<div id=here>{PLACES}</div>', HEAD),
        "inner.html": page("Inner", "<img src=img/1.png><a href=places.html target=_top>out</a>", "<link rel=stylesheet href=style.css>"),
        "spellings.html": page("Spellings", links(SPELLINGS), "<meta charset=utf-8>"),
        "integrity.html": page("Integrity", f"<img crossorigin src=img/1.png><img crossorigin=use-credentials src={CDN}/img/9.png>"
                               "<audio crossorigin src=media/sound.wav></audio><video crossorigin poster=img/2.png></video>", guarded),
        "policy.html": page("Policy", "<img src=img/1.png><iframe src=inner.html></iframe>", self_policy),
        "policy-hosts.html": page("Policy of hosts", f"<img src=img/1.png><img src={CDN}/img/9.png><iframe src=inner.html></iframe>", host_policy),
        "base/page.html": page("Base", '<img src=../img/1.png><a href="#s">s</a><a href="">e</a><a href=more.html>m</a><iframe srcdoc="<img src=../img/2.png>"></iframe>'
                               "<b style='background:url(../img/3.png)'></b>", '<base href="/x/deep/" target=_self><link rel=stylesheet href=../../style.css>'),
        "base/far.html": page("Base elsewhere", f"<img src=img/9.png><a href=#s>s</a><a href={SITE}/q>q</a><a href=absent>a</a>", f"<base href={CDN}/><base href=/no/>"),
        "base/data.html": page("Base of data", "<a href=page.html>p</a><img src=../img/1.png>", "<base href=data:,x>"),
        "refresh.html": page("Refresh", "Later.", '<meta http-equiv=refresh content="600; url=places.html">'),
        "refreshed.html": page("Refreshed", "Soon.", "<meta http-equiv=Refresh content=\"0;URL='redirect/1'\">"),
        "frames.html": '<!DOCTYPE html><title>Frames</title><frameset cols="*,*"><frame src=inner.html><frame src=q></frameset>',
        **{name: page(f"Page {number}", f'<img src="/img/{number % 8 + 1}.png"><a href="{escaped("/" + NAMES[number - 1])}">before</a><a href=./>folder</a>'
                      f'<a href="{escaped(name.rpartition("/")[2])}">itself?</a>') for number, name in enumerate(NAMES)},
    }
    found = {f"{SITE}/{name}": (text.encode(), "text/html; charset=utf-8") for name, text in pages.items()}
    for name, charset in (("sjis", "shift_jis"), ("koi8", "koi8-r"), ("latin1", "iso-8859-1"), ("utf16", "utf-16-le")):
        title = {"sjis": "日本語ソート表", "koi8": "Привет", "latin1": "Grüße", "utf16": "Grüße"}[name]
        text = page(title, '<a href="q?x=ü">q</a><img src="img/1.png" alt="表">' if name != "koi8" else '<img src="img/1.png"><a href="q">Мир</a>')
        found[f"{SITE}/{name}.html"] = (text.encode(charset, "xmlcharrefreplace"), f"text/html; charset={charset.removesuffix('-le')}")
    xhtml = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>XHTML</title></head><body><img src="img/1.png"/><a href="q?x=1&amp;y=2">q</a></body></html>'
    found[f"{SITE}/page.xhtml"] = (f'<?xml version="1.0"?><?xml-stylesheet href="style.css" type="text/css"?>{xhtml}'.encode(), "application/xhtml+xml")
    found[f"{SITE}/both.html"] = (page("Both", "<img src=img/1.png> by http").encode(), "text/html")
    found[f"{OTHER}/"] = (page("Other", f"<img src={SITE}/img/1.png><a href=x.html>x</a><a href=//other.test/x.html>without port</a>").encode(), "text/html")
    found[f"{OTHER}/x.html"] = (page("Other x", f"<a href={SITE}/>back</a><a href=/>start</a>").encode(), "text/html")
    return found


def files(font, year):
    """Returns what the site has that is no redirect: {URL: (body, type)}; images have other colours each year."""
    found = {f"{SITE}/img/{number}.png": (image(number + year), "image/png") for number in range(1, 9)}
    found |= {f"{SITE}/{name}": (text.encode(), "text/css") for name, text in STYLES.items()}
    found |= {
        f"{SITE}/img/spa%20ce.png": (image(11 + year), "image/png"),
        **{f"{SITE}/img/q.php?{query}": (image(number + year), "image/png") for number, query in enumerate(("n=1", "n=2&m=3"), 12)},
        f"{SITE}/img/svg": (drawing().encode(), "image/svg+xml"),
        f"{SITE}/img/drawing.svg": (drawing('<a xlink:href="../q"><image href="1.png" width="5" height="5"/></a><style>rect { fill: url(#g); background: url(2.png) }</style>').encode(), "image/svg+xml"),
        f"{SITE}/img/octets": (image(15 + year), "application/octet-stream"),
        f"{SITE}/media/sound.wav": (sound(), "audio/wav"), f"{SITE}/media/sound": (sound(), "audio/x-wav"),
        f"{SITE}/fonts/own.ttf": (font, "font/ttf"),
        f"{SITE}/code.js": (b"window.ran = (window.ran || 0) + 1;\n", "text/javascript"),
        f"{SITE}/code.js?v=2": (b"window.second = 2;\n", "application/javascript"),
        f"{SITE}/data": (bytes(range(256)), "application/octet-stream"),
        f"{CDN}/img/9.png": (image(9 + year), "image/png"),
        f"{CDN}/cdn.css": (b".cdn { background: url(img/9.png) } .site { background: url(//site.test/img/1.png) }", "text/css"),
    }
    found |= {url: (body.replace(b"</title>", f" in {year}</title>".encode()) if b"charset=u" not in body[:300] and "utf-16" not in kind else body, kind)
              for url, (body, kind) in html_pages(found).items()}
    return found


def redirects():
    """Returns where each URL of the site that redirects leads, as its header field says."""
    return {f"{SITE}/{name}": location for name, location in REDIRECTS.items()}
