"""Records as crawlers of all kinds have left them: odd header fields, encodings, redirects, revisits, names that meet on disk."""

import gzip
import zlib

from .pages import SITE, drawing, image, page

ODD = "http://odd.test"
HTML = {"Content-Type": "text/html; charset=utf-8"}
CSS = {"Content-Type": "text/css"}
STYLED = "<link rel=stylesheet href=/plain.css><p id=t>text</p><img src=/i.png>"
BODY = page("Odd", f"{STYLED}<a href='/'>start</a>").encode()

# Pages whose paths could be those of others.
MEETING = ["a.html", "A.HTML", "a^-2.html", "a^-3.html", "q@x=1.html", "q?x=1", "q@x=1", "index.html", "", "index", "index.htm", "INDEX.html", "x.", "x", "X", "x.html", "x.html/", "x.html/y",
           "x/", "x.bin", "caf%C3%A9", "cafe%CC%81", "CAF%C3%89", "nul", "nul.txt", "a%5Eb", "a^5Eb", "^/", "//", "/index.html", "~", "straße", "strasse", "K", "%E2%84%AA", "b?", "b??", "b?#", "b?index.html",
           "z" * 230, "z" * 231, "d/" * 120 + "e", "d/" * 121 + "e", "urls.csv", "%2e%2e/%2e%2e/up.html", "a/../b2.html", "tab%09.html", "nl%0A.html", "esc%1B.html", "rtl%E2%80%AEtxt.html", "emoji%F0%9F%98%80.html"]
LINKS = page("Links", "\n".join(f'<a href="{ODD}/{name}">x</a>' for name in MEETING) + "<a href='http://ODD.test:80/secure'>s</a><a href='https://odd.test/secure'>s</a>"
             "<a href=/upper>u</a><a href=/twice>t</a><a href=/300>3</a><a href=/308>3</a><a href=/not-moved>3</a><a href=/empty>e</a><a href=/see>s</a><a href=/spaced%20out>s</a>"
             "<a href='/spaced out'>s</a><a href=/304>3</a><a href=/nowhere>n</a><a href=/bare-revisit>r</a><a href=/not-modified>r</a><a href=/lost-revisit>r</a><a href=/old>o</a><a href=/no-type>n</a>")
CONTENT = {
    # Comments, escapes and places in which a reader may lose itself.
    "comments.html": "<!--[if IE]><link rel=stylesheet href=ie.css><![endif]--><!-- <img src=a.html> --><p>--><img src=/i.png><script>document.write('<img src=/i.png>')</script><a href=a.html>a</a><textarea><a href=a.html></textarea>",
    "late-base.html": "<img src=/i.png><a href=a.html>a</a><base href=/d/><a href=a.html>b</a><base href=/other/>",
    "template-base.html": "<template><base href=/x/></template><svg><base href=/y/></svg><a href=a.html>a</a><img src=i.png>",
    "escapes.html": '<a href="&#47;a.html">a</a><a href="q?x=1&copy=2">c</a><a href="q?x&#61;1">q</a><img srcset="/i.png?a,b 1x,/i.png 2x"><img srcset=" /i.png , /i.png 2x"><style>b{background:u\\72l(/i.png)} @im\\70ort "plain.css"; i{background:url(/\\69.png)} u{background:url("/i\\\n.png")}</style><b style="background:url(&#39;/i.png&#39;)"></b><b style="background:\\75rl(/i.png)"></b>',
    "unquoted.html": "<a href=a.html/>a</a><a href = 'a.html' href=x>a</a><a HREF=\"a.html\n\">a</a><img/src=/i.png><a href=?x=1>q</a><a href=q?x=1>q</a><img src=/i.png onerror=x><a href=`a.html`>b</a>",
    "frames.html": "<iframe srcdoc=\"<base href=/d/><a href=e>e</a><iframe srcdoc='<img src=/i.png>'></iframe>\"></iframe><iframe src=about:blank></iframe><iframe></iframe><iframe src=''></iframe>",
    "svg.html": "<svg><style>rect{fill:url(/i.svg#g)}</style><image href='/i.png'/><image xlink:href=/i.png /><script href=/s.js></script><foreignObject><img src=/i.png></foreignObject><a href=a.html></a></svg><math href=a.html><mi xlink:href=a.html>x</mi></math>",
    "modern.html": "<link rel=stylesheet href=/plain.css integrity='sha256-x sha384-y' media=print onload=\"this.media='all'\"><link rel=preload as=style href=/plain.css><style>b{background:image-set('/i.png' 1x, url(/i.png) 2x)} @layer x{@import '/plain.css';} @import url(/plain.css) layer(x); @supports (a:b){i{mask:url(/i.svg)}} :root{--u:url(/i.png)} u{background:var(--u)}</style><b></b><u></u><picture><source srcset=/missing.avif type=image/avif><source media='(min-width:1px)' srcset='/i.png 1x'><img src=/i.png></picture><video src=/v.mp4#t=1></video><a ping=/ping href=a.html download>d</a><a href='intent://x'>i</a><a href='tel:1'>t</a><a href='data:text/html,x'>d</a><link rel=modulepreload href=/s.js><script type=module src=/s.js></script><script type=importmap>{\"imports\":{\"a\":\"/s.js\"}}</script>",
    "policies.html": "<meta http-equiv='content-security-policy' content=\"img-src https:\"><meta http-equiv=X-Content-Security-Policy content=x><meta http-equiv=Content-Security-Policy-Report-Only content=\"default-src x.test\">" + STYLED,
    "crossorigin.html": "<LINK REL=StyleSheet HREF=/plain.css CROSSORIGIN INTEGRITY=''><img crossorigin=\"\" src=/i.png><img CrossOrigin src=/i.png srcset='/i.png 2x'><svg><image crossorigin=anonymous href=/i.png /></svg><picture><source srcset=/i.png><img crossorigin src=/i.png></picture>",
    "refresh.html": "<meta http-equiv=refresh content='300;a.html'><meta http-equiv=refresh content='300'><meta http-equiv=refresh content=\"300, URL = 'a.html' ignored\"><noscript><meta http-equiv=refresh content='300;url=a.html'></noscript><meta content='301;url=\"a.html\"' http-equiv=REFRESH>",
}


def plain(status, fields, body):
    return status, fields | {"Content-Length": str(len(body))}, body


def answers():
    """Returns (URL, answer) of what was recorded as it was sent."""
    found = [(f"{ODD}/{name.partition('#')[0]}", plain(200, HTML, page(f"Meeting {number}", STYLED + "<a href=a.html>a</a>").encode())) for number, name in enumerate(MEETING) if name != ""]
    found += [(f"{ODD}/{name}", plain(200, HTML, page(name, text).encode())) for name, text in CONTENT.items()]
    found += [
        (f"{ODD}/", plain(200, HTML, LINKS.encode())), (f"{ODD}/i.png", plain(200, {"Content-Type": "image/png"}, image(3))), (f"{ODD}/i.svg", plain(200, {"Content-Type": "image/svg+xml"}, drawing().encode())),
        (f"{ODD}/plain.css", plain(200, CSS, b"#t { color: red }")), (f"{ODD}/s.js", plain(200, {"Content-Type": "text/javascript"}, b"export default 1;\n")),
        # Header fields that say what is no longer so, and encodings that few use.
        (f"{ODD}/dechunked", (200, HTML | {"Transfer-Encoding": "chunked"}, BODY)), (f"{ODD}/unpacked", (200, HTML | {"Content-Encoding": "gzip"}, BODY)),
        (f"{ODD}/x-gzip", (200, HTML | {"Content-Encoding": "x-gzip"}, gzip.compress(BODY, mtime=0))), (f"{ODD}/deflate", (200, HTML | {"Content-Encoding": "deflate"}, zlib.compress(BODY))),
        (f"{ODD}/longer", (200, HTML | {"Content-Length": "99999"}, BODY)), (f"{ODD}/identity", (200, HTML | {"Content-Encoding": "identity"}, BODY)),
        (f"{ODD}/charset", plain(200, {"Content-Type": 'text/html; charset="windows-1251"'}, page("Привет", STYLED).encode("cp1251"))),
        (f"{ODD}/bogus", plain(200, {"Content-Type": "text/html; charset=bogus"}, BODY)), (f"{ODD}/shouted", plain(200, {"content-type": "TEXT/HTML"}, BODY)),
        (f"{ODD}/declared", plain(200, {"Content-Type": "text/html; charset=koi8-r"}, page("Привет", STYLED, "<meta charset=windows-1251>").encode("koi8-r"))),
        (f"{ODD}/with-bom", plain(200, {"Content-Type": "text/html; charset=iso-8859-1"}, b"\xef\xbb\xbf" + page("é", STYLED).encode())),
        (f"{ODD}/cyrillic.css", plain(200, {"Content-Type": "text/css; charset=windows-1251"}, '#t::before { content: "Привет" }'.encode("cp1251"))),
        (f"{ODD}/empty", plain(200, HTML, b"")), (f"{ODD}/no-content", plain(204, {}, b"")),
        (f"{ODD}/see", plain(200, HTML | {"Location": "/a.html"}, BODY)),
        # Redirects.
        (f"{ODD}/secure", plain(301, {"Location": "https://odd.test/secure"}, b"")), ("https://odd.test/secure", plain(200, HTML, page("Secure", "<a href=//odd.test/secure>s</a><img src=/i.png>").encode())),
        (f"{ODD}/300", plain(300, {"Location": "/a.html"}, b"")), (f"{ODD}/308", plain(308, {"Location": "/a.html"}, b"")), (f"{ODD}/304", plain(304, {"Location": "/a.html"}, b"")),
        (f"{ODD}/not-moved", plain(302, {}, b"")), (f"{ODD}/upper", plain(302, {"Location": "HTTP://ODD.TEST/a.html"}, b"")), (f"{ODD}/nowhere", plain(302, {"Location": "javascript:x"}, b"")),
        (f"{ODD}/twice", plain(302, {"Location": " /spaced out "}, b"")), (f"{ODD}/spaced%20out", plain(200, HTML, BODY)),
        # Addresses as tools write them.
        ("http://ODD.TEST:80/old", plain(200, HTML, BODY)), (f"{SITE}/../odd", plain(200, HTML, BODY)),
    ]
    return found
