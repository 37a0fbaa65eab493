#!/usr/bin/env python3
"""Mirrors a small site with the real wget and HTTrack, lets absolve undo it, and compares with the truth.

The server below knows what each link of each page means. A mirror made by `wget -k` or HTTrack has links to files
instead. After `absolve rewrite`, the n-th link of an element and attribute of each mirrored page is compared with the
n-th of the page as the server has it:

  right     absolute, and means what the original means (percent-encoding aside)
  index     as right, but `/dir/index.html` where the original says `/dir/`, or the reverse
  redirect  as right, but the target of a redirection where the original says its source, or the reverse
  same-doc  `#x` or empty, left as it is
  left      still relative, as in the mirror
  moved     wrong, in a page by a redirection to another folder, of which nothing of the mirror says so (`wget -r` without its log)
  guess     wrong, but the run says that targets are guesses
  saver     absolute in the mirror already, untouched, but not what the original means: the saver's doing
  gone      the saver took the link away, or put a local one where there was nothing
  WRONG     absolute and something else; or relative but not as in the mirror; or a BASE moved below links left relative

Exit status: 0 nothing WRONG; 1 something is; 2 a tool did not run.
"""
import argparse, http.server, os, re, shutil, struct, subprocess, sys, threading, zipfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit, quote, unquote

from programs import folder_site, notes_site

# ---- what is run: change command lines here -------------------------------------------------------------------------
# {url} start, {log} the log file, {mirror} the folder; wget runs inside {mirror}, HTTrack beside it.
WGET = "wget --no-config -e robots=off -o {log}"
WGET_AS_TYPED = "wget --no-config -o {log}"
MIRRORS = {
    # name            (command of the saver,                                        ways to run absolve)
    # Of HTTrack: -s0 no robots.txt; -c8 -%c0 -%! -A… no waiting (it is our own server).
    "wget-kEp":       (WGET + " -r -l inf -k -E -p {url}",                          ["host", "above", "auto-log", "host-log", "layout", "log"]),
    "wget-kEpK":      (WGET + " -r -l inf -k -E -p -K {url}",                       ["host", "auto-log", "layout", "log"]),
    "wget-kp":        (WGET + " -r -l inf -k -p {url}",                             ["host", "auto-log", "layout", "log"]),
    "wget-kpK":       (WGET + " -r -l inf -k -p -K {url}",                          ["host"]),
    "wget-kEp-nv":    (WGET + " -nv -r -l inf -k -E -p {url}",                      ["auto-log", "layout", "log"]),
    "wget-kEp-nH":    (WGET + " -r -l inf -k -E -p -nH {url}",                      ["above", "auto-log", "url-log"]),
    "wget-kEpK-nH":   (WGET + " -r -l inf -k -E -p -K -nH {url}",                   ["above"]),
    "wget-kEp-win":   (WGET + " --restrict-file-names=windows -r -l inf -k -E -p {url}", ["host", "above", "layout", "log"]),
    "wget-r":         (WGET + " -r -l inf {url}",                                   ["host", "plain"]),
    "wget-depth1":    (WGET + " -r -l 1 -k -E -p {url}",                            ["layout", "log"]),
    "wget-ascii":     (WGET + " --restrict-file-names=ascii -r -l inf -k -E -p {url}", ["layout", "log"]),
    "httrack":        ("httrack {url} -O {mirror} -%v0 --quiet -s0 -c8 -%c0 -%! -A1000000000",      ["httrack"]),
    "httrack-depth2": ("httrack {url} -O {mirror} -%v0 --quiet -s0 -c8 -%c0 -%! -A1000000000 -r2",  ["httrack"]),
    "httrack-K4":     ("httrack {url} -O {mirror} -%v0 --quiet -s0 -c8 -%c0 -%! -A1000000000 -K4",  ["httrack"]),
    "httrack-K3":     ("httrack {url} -O {mirror} -%v0 --quiet -s0 -c8 -%c0 -%! -A1000000000 -K3",  ["httrack"]),
    "httrack-q0":     ("httrack {url} -O {mirror} -%v0 --quiet -s0 -c8 -%c0 -%! -A1000000000 -%q0", ["httrack"]),
}
# Mirrors of the site of folders, where nothing but the links shows that wget converted them.
FOLDER_MIRRORS = {
    "folders-k":      (WGET + " -r -l inf -k -p {url}",                             ["host", "above", "auto-log"]),
    "folders-mk":     (WGET + " -m -k {url}",                                       ["host", "above"]),
    "folders-kE":     (WGET + " -r -l inf -k -E -p {url}",                          ["host", "above", "auto-log"]),
    "folders-k-nH":   (WGET + " -r -l inf -k -p -nH {url}",                         ["above"]),
    "folders-r":      (WGET + " -r -l inf -p {url}",                                ["host"]),
    "folders-wget2":  ("wget2 --no-config --no-robots -o {log} -r -l inf -k -p {url}", ["host", "above", "auto-log"]),
    "folders-wget2E": ("wget2 --no-config --no-robots -o {log} -r -l inf -k -E -p {url}", ["auto-log"]),  # 1.99.1 converts some pages only
}
# Mirrors of sites without queries, whose names do not show what wget appended; in `bare-…` no page has the URL of itself.
NOTES_MIRRORS = {
    "notes-kE":       (WGET_AS_TYPED + " -r -l inf -k -E -p {url}",                          ["host", "above", "auto-log", "layout"]),
    "bare-kE":        (WGET_AS_TYPED + " -r -l inf -k -E -p {url}",                          ["host", "above", "auto-log"]),
    "bare-kE-nH":     (WGET_AS_TYPED + " -r -l inf -k -E -p -nH {url}",                      ["above"]),
    "bare-kE-nd":     (WGET_AS_TYPED + " -r -l inf -k -E -p -nd {url}",                      ["above"]),
    "notes-kEK":      (WGET_AS_TYPED + " -r -l inf -k -E -p -K {url}",                       ["host", "above"]),
    "notes-k":        (WGET_AS_TYPED + " -r -l inf -k -p {url}",                             ["host", "above"]),
    "notes-kE-nH":    (WGET_AS_TYPED + " -r -l inf -k -E -p -nH {url}",                      ["above", "auto-log"]),
    "notes-kE-nd":    (WGET_AS_TYPED + " -r -l inf -k -E -p -nd {url}",                      ["above", "auto-log"]),
    "notes-kE-cut":   (WGET_AS_TYPED + " -r -l inf -k -E -p -nH --cut-dirs=1 {url}",         ["above", "auto-log"]),
    "notes-kE-win":   (WGET_AS_TYPED + " --restrict-file-names=windows -r -l inf -k -E -p {url}", ["host", "above", "auto-log"]),
    "notes-r":        (WGET_AS_TYPED + " -r -l inf {url}",                                   ["host", "above"]),
    "notes-E":        (WGET_AS_TYPED + " -r -l inf -E {url}",                                ["host", "above"]),
    "notes-httrack":  ("httrack {url} -O {mirror} -%v0 --quiet -s0 -c8 -%c0 -%! -A1000000000 -%F {empty}", ["httrack", "host", "above"]),
}
ALL_MIRRORS = MIRRORS | FOLDER_MIRRORS | NOTES_MIRRORS
ABSOLVE = {
    "layout":  "{absolve} rewrite {mirror} --layout wget --scheme http -o {out}",
    "log":     "{absolve} rewrite {mirror} --urls {log} --layout wget --scheme http -o {out}",
    # What a user types first.
    "host":     "{absolve} rewrite {mirror}/{host} --url {root}/ -o {out}/{host}",
    "above":    "{absolve} rewrite {mirror} --url {root}/ -o {out}",
    "host-log": "{absolve} rewrite {mirror}/{host} --url {root}/ --urls {log} -o {out}/{host}",
    "url-log":  "{absolve} rewrite {mirror} --url {root}/ --urls {log} -o {out}",
    "auto-log": "{absolve} rewrite {mirror} --urls {log} -o {out}",
    "plain":   "{absolve} rewrite {mirror} --urls {log} -o {out}",
    "httrack": "{absolve} rewrite {mirror} -o {out}",
}
# {folder} relative, so that the notes hold no path of this machine
FIXTURES = {
    "wget":    "wget --no-config -e robots=off -o ../wget.log -r -l inf -k -E -p {url}",
    "httrack": "httrack {url} -O mirror -%v0 --quiet -s0 -c8 -%c0 -%! -A1000000000",
}
TRIMMED = ["backblue.gif", "fade.gif", "hts-log.txt", "hts-cache/new.lst", "hts-cache/new.zip"]
# ---------------------------------------------------------------------------------------------------------------------

GIF = bytes.fromhex("47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b")


def make_site(port):
    """{request target: (status, content type, body or redirect target)}; targets as they stand on the wire."""
    site = {}

    def page(target, title, body, head="", ctype="text/html; charset=utf-8"):
        text = (f"<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n{head}</head>\n"
                f"<body>\n{body}\n</body>\n</html>\n")
        site[target] = (200, ctype, text.encode())

    def back(extra=""):
        return f'<p><a href="/">home</a> {extra}</p>'

    page("/", "Home", f"""<h1 id="top">Home</h1>
<ul>
<li><a href="dir/">a folder</a> <a href="dir/index.html">its index</a> <a href="dir">without slash</a>
<li><a href="dir/sub/">nested</a> <a href="dir/sub/leaf.html#part">leaf</a> <a href="./dir/../plain.html">dots</a>
<li><a href="plain.html">plain</a> <a href="/plain.html?">empty query</a> <a href="about">about</a>
<li><a href="list">list</a> <a href="list?page=2&amp;sort=a">2a</a> <a href="list?sort=a&amp;page=2">a2</a>
<li><a href="view.php?id=1">one</a> <a href="view.php?id=2#frag">two</a> <a href="?q=1">query of home</a>
<li><a href="caf%C3%A9/a%20b.html">escaped</a> <a href="café/a b.html">as typed</a> <a href="caf%c3%a9/">folder</a>
<li><a href="based.html">based</a> <a href="based2.html">based</a> <a href="refresh.html">refresh</a> <a href="map.html">map</a>
<li><a href="moved">moved</a> <a href="missing.html">missing</a> <a href="http://other.invalid/x">other</a>
<li><a href="//127.0.0.1:{port}/x">network path</a> <a href="../../beyond.html">beyond</a> <a href="/plain.html">root</a>
<li><a href="x?file=a.html">html in the query</a> <a href="y?file=b">no html</a> <a href="pic?n=c.gif">gif in query</a>
<li><a href="clash">clash</a> <a href="clash.html">clash.html</a> <a href="both">both</a>
<li><a href="q%3Fname.html">question mark</a> <a href="hash%23name.html">hash</a> <a href="100%25.html">per cent</a>
<li><a href="a%2Fb.html">slash</a> <a href="semi;v=1.html">semicolon</a> <a href="plus+sign.html">plus</a>
<li><a href="#top">top</a> <a href="">self</a> <a href="mailto:a@example.org">mail</a> <a href="UPPER.HTM">upper</a>
<li><a href="mixed/Colon:x.html">colon</a> <a href="media.html">media</a> <a href="notes.txt">text</a>
<li><a href="page.xhtml">xhtml</a> <a href="nourl.html">odd links</a> <a href="go?to=/plain.html&amp;n=1">slash in query</a>
</ul>
<img src="img/one.gif" alt=""> <img src="img/two.gif?v=3" alt="">
<script src="js/app.js?v=7"></script>""", head="""<link rel="stylesheet" href="css/main.css">
<link rel="stylesheet" href="/style.php">
<link rel="canonical" href="/">
<style>body { background: url(img/bg.gif) }</style>
""")
    page("/?q=1", "Home with a query", back('<a href="plain.html">plain</a>'))
    page("/dir/", "Folder", back('<a href="sub/">sub</a> <a href="../plain.html">plain</a> <a href="target.html">t</a> '
         '<a href="index.html">me</a> <a href="./">me</a> <a href="?x=1">query</a> <img src="../img/one.gif">'))
    page("/dir/index.html", "Folder", back('<a href="sub/">sub</a> <a href="../plain.html">plain</a> '
         '<a href="target.html">t</a> <a href="index.html">me</a> <a href="./">me</a> <a href="?x=1">query</a> '
         '<img src="../img/one.gif">'))
    page("/dir/?x=1", "Folder with a query", back('<a href="target.html">t</a>'))
    page("/dir/target.html", "Target of the redirection", back('<a href="sub/leaf.html">leaf</a> <a href="../moved">moved</a>'))
    page("/dir/sub/", "Nested", back('<a href="leaf.html">leaf</a> <a href="../../about">about</a> '
         '<a href="../../../../beyond.html">beyond</a> <a href="/view.php?id=1">one</a>'))
    page("/dir/sub/leaf.html", "Leaf", back('<p id="part"><a href="..">up</a> <a href=".">here</a> '
         '<a href="//127.0.0.1:%d/x">x</a> <a href=\'../../list?page=2&amp;sort=a#row\'>list</a>' % port))
    page("/plain.html", "Plain", back('<a href=about>about</a> <a href="#n">n</a> <a href="moved?keep=1">moved</a>'))
    page("/plain.html?", "Plain", back('<a href=about>about</a>'))
    page("/about", "About", back('<a href="list">list</a> <a href="plain.html#n">plain</a> <a href="about">me</a> '
         '<a href="?who=us">us</a>'))
    page("/about?who=us", "About us", back('<a href="about">about</a>'))
    for query in ("", "?page=2&sort=a", "?sort=a&page=2", "?page=3&sort=a"):
        page("/list" + query, "List" + query.replace("&", "&amp;"),
             back('<a href="list?page=2&amp;sort=a">2</a> <a href="list?page=3&sort=a">3</a> <a href="?sort=a&amp;page=2">'
                  'a2</a> <a href="view.php?id=1&amp;">not there</a> <a href="view.php?id=2">two</a>'))
    for n in (1, 2):
        page(f"/view.php?id={n}", f"View {n}", back(f'<a href="?id={3 - n}">other</a> <a href="view.php?id={n}#frag">me</a> '
             '<a href="#frag">here</a> <a href="img/two.gif?v=3">picture</a>'))
    page("/caf%C3%A9/", "Café", back('<a href="a%20b.html">a b</a> <a href="a b.html">a b</a> <a href="../caf%C3%A9/">me</a>'))
    page("/caf%C3%A9/a%20b.html", "Café a b", back('<a href="./">folder</a> <a href="../plain.html">plain</a> '
         '<a href="na%C3%AFve.html?x=%C3%A9">naive</a> <img src="../img/sm%20all.gif">'))
    page("/caf%C3%A9/na%C3%AFve.html?x=%C3%A9", "Naïve", back('<a href="a%20b.html">a b</a>'))
    page("/based.html", "Based", back('<a href="inner.html">inner</a> <a href="../plain.html">plain</a> <a href="#top">top</a> '
         '<a href="nowhere.html">404</a> <a href="http://other.invalid/y">other</a> <img src="pic.gif"> '
         '<blockquote cite="quote.html">q</blockquote> <a href="inner.html" ping="ping">p</a> '
         '<video poster="pic.gif" src="film.mp4"></video>'),
         head='<base href="/deep/">\n')
    page("/based2.html", "Based", back('<a href="inner.html">inner</a> <a href="../plain.html">plain</a> <a href="#top">top</a> '
         '<a href="nowhere.html">404</a> <img src="pic.gif"> <q cite="quote.html">q</q> <a href="/x">x</a>'),
         head=f'<base href="http://127.0.0.1:{port}/deep/">\n')
    page("/deep/inner.html", "Inner", back('<a href="../based.html">based</a> <a href="quote.html">quote</a>'))
    page("/deep/quote.html", "Quote", back())
    page("/refresh.html", "Refresh", back(), head='<meta http-equiv="refresh" content="3; url=dir/sub/leaf.html">\n')
    page("/map.html", "Map", '<img src="img/one.gif" usemap="#m"><map name="m"><area shape="rect" coords="0,0,1,1" '
         'href="dir/"><area href="view.php?id=2#frag" coords="0,0,1,1"><area href="missing.html" coords="0,0,1,1"></map>'
         '<iframe src="frame.html"></iframe><form action="list"><input type="image" src="img/two.gif?v=3"></form>'
         '<table background="img/bg.gif"><tr><td style="background: url(\'img/one.gif\')">x</table>' + back())
    page("/frame.html", "Frame", back('<a href="plain.html" target="_top">plain</a>'))
    page("/media.html", "Media", '<img src="img/one.gif" srcset="img/one.gif 1x, img/two.gif?v=3 2x, img/gone.gif 3x"> '
         '<picture><source srcset="img/sm%20all.gif"><img src="img/sm%20all.gif"></picture> '
         '<video src="film.mp4" poster="img/one.gif"></video> <audio><source src="sound.mp3"></audio> '
         '<object data="frame.html"></object> <embed src="img/bg.gif"> <q cite="about">q</q> '
         '<q cite="clash.html">q</q> <q cite="about.html">not there</q> <q cite="view.php?id=1">q</q> '
         '<img src="img/one.gif" longdesc="about" data-src="img/two.gif?v=3">'
         '<a href="plain.html" ping="ping">p</a>' + back())
    page("/nourl.html", "Odd links", '<a href=" plain.html ">spaces</a> <a href="pla\nin.html">newline</a> '
         '<a href="dir\\target.html">backslash</a> <a href="http:plain.html">scheme only</a> '
         '<a href="javascript:void(0)">js</a> <a href="about&quest;who=us">entity</a> <a href="list?page=2&sort=a">bare</a> '
         f'<a href="HTTP://127.0.0.1:{port}/plain.html">absolute</a> <a href="/missing?a=1#b">404 with query</a> '
         '<a href="dir//target.html">two slashes</a>' + back())
    page("/x", "x", back())
    page("/x?file=a.html", "x a.html", back('<a href="x">x</a> <a href="?file=a.html">me</a>'))
    page("/y?file=b", "y b", back('<a href="x?file=a.html">x</a>'))
    page("/go?to=/plain.html&n=1", "go", back('<a href="plain.html">plain</a>'))
    page("/beyond.html", "Beyond", back('<a href="../../../about">about</a>'))
    page("/clash", "Clash without", back('<a href="clash.html">with</a>'))
    page("/clash.html", "Clash with", back('<a href="clash">without</a>'))
    page("/both", "Both file", back('<a href="both/">folder</a> <a href="both/in.html">in</a>'))
    page("/both/", "Both folder", back('<a href="../both">file</a>'))
    page("/both/in.html", "Both in", back('<a href="../both">file</a>'))
    page("/q%3Fname.html", "Question mark", back('<a href="hash%23name.html">hash</a>'))
    page("/hash%23name.html", "Hash", back('<a href="q%3Fname.html">q</a>'))
    page("/100%25.html", "Per cent", back('<a href="100%25.html">me</a>'))
    page("/a%2Fb.html", "Slash", back('<a href="plain.html">plain</a>'))
    page("/semi;v=1.html", "Semicolon", back('<a href="plain.html">plain</a>'))
    page("/plus+sign.html", "Plus", back('<a href="plain.html">plain</a>'))
    page("/UPPER.HTM", "Upper", back('<a href="about">about</a>'))
    page("/mixed/Colon:x.html", "Colon", back('<a href="./Colon:x.html">me</a> <a href="../about">about</a>'))
    site["/page.xhtml"] = (200, "application/xhtml+xml", b"""<?xml version="1.0"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>XHTML</title></head>
<body><p><a href="/">home</a> <a href="plain.html">plain</a> <img src="img/one.gif" alt=""/></p></body></html>
""")
    css = """@import "more.css";
@import url(../style.php?part=2);
body { background: url("../img/bg.gif") }
i { background: url(../img/sm%20all.gif) } b { background: url('../img/gone.gif') }
"""
    site["/css/main.css"] = (200, "text/css", css.encode())
    site["/css/more.css"] = (200, "text/css", b"p { background: url(/img/one.gif) }\n")
    site["/style.php"] = (200, "text/css", b"h1 { background: url(img/bg.gif) }\n")
    site["/style.php?part=2"] = (200, "text/css", b"h2 { background: url(img/two.gif?v=3) }\n")
    for name in ("/img/one.gif", "/img/two.gif?v=3", "/img/bg.gif", "/img/sm%20all.gif", "/deep/pic.gif", "/pic?n=c.gif"):
        site[name] = (200, "image/gif", GIF)
    site["/js/app.js?v=7"] = (200, "text/javascript", b"/* nothing to see */\n")
    site["/film.mp4"] = site["/deep/film.mp4"] = (200, "video/mp4", b"no film")
    site["/sound.mp3"] = (200, "audio/mpeg", b"no sound")
    site["/notes.txt"] = (200, "text/plain", b"see about and plain.html\n")
    site["/moved"] = (302, "", "/dir/target.html")
    site["/moved?keep=1"] = (302, "", "dir/target.html")
    site["/dir"] = (301, "", f"http://127.0.0.1:{port}/dir/")
    return site


# ---- the meaning of URLs --------------------------------------------------------------------------------------------

def normal(url, fragment=True):
    """One spelling for all spellings of one meaning: unreserved characters bare, the rest as %XX of UTF-8."""
    url = re.sub("[\t\n\r]", "", url.strip())
    s = urlsplit(url)
    netloc = s.netloc.lower()
    if s.scheme.lower() == "http" and netloc.endswith(":80"):
        netloc = netloc[:-3]

    def norm(part):
        part = re.sub("%([0-9A-Fa-f]{2})", lambda m: (lambda c: c if re.match("[A-Za-z0-9._~-]", c)
                      else "%" + m[1].upper())(chr(int(m[1], 16))), part)
        return quote(part, safe="%/:?#[]@!$&'()*+,;=-._~")
    hier = s.scheme.lower() in ("http", "https", "ftp")
    out = urlunsplit((s.scheme.lower(), netloc, norm(s.path) or ("/" if hier else ""), norm(s.query), ""))
    if hier and not s.query and "?" in url.split("#")[0]:
        out += "?"
    return out + ("#" + norm(s.fragment) if fragment and s.fragment else "")


def absolute(ref):
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", ref.strip()) is not None and not re.match("https?:(?!//)", ref.strip(), re.I)


def resolve(base, ref):
    """RFC 3986, with what today's browsers do to spaces, line ends, backslashes and `http:x`.

    Not urljoin alone: it drops empty segments (`a//b`) and empty queries.
    """
    ref = re.sub("[\t\n\r]", "", ref.strip())
    if re.match("(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", ref, re.I):
        return ref
    ref, hash_, fragment = ref.partition("#")
    ref, mark, query = ref.partition("?")
    tail = mark + query + hash_ + fragment
    ref = ref.replace("\\", "/")
    scheme, _, rest = base.split("#")[0].partition("://")
    if m := re.match(r"(https?):(?!//)(.*)", ref, re.I | re.S):
        if m[1].lower() != scheme:
            return m[1] + "://" + m[2].lstrip("/") + tail
        ref = m[2]
    if absolute(ref):
        return ref + tail
    if ref.startswith("//"):
        return scheme + ":" + ref + tail
    host, slash, path = rest.partition("/")
    path, qmark, old = (slash + path or "/").partition("?")
    if not ref:
        return f"{scheme}://{host}{path}{tail if mark else qmark + old + tail}"
    path = ref if ref.startswith("/") else path[:path.rindex("/") + 1] + ref
    out, parts = [], path.split("/")[1:]
    for n, part in enumerate(parts):
        dots, last = re.sub("%2e", ".", part, flags=re.I), n == len(parts) - 1
        if dots not in (".", ".."):
            out.append(part)
            continue
        if dots == ".." and out:
            out.pop()
        if last:
            out.append("")
    return f"{scheme}://{host}/{'/'.join(out)}{tail}"


# ---- links of documents ---------------------------------------------------------------------------------------------

ATTRIBUTES = {"href": "a area link", "src": "img iframe frame script source video audio embed input track",
              "action": "form", "cite": "blockquote q ins del", "poster": "video", "data": "object",
              "background": "body table td th", "longdesc": "img iframe", "ping": "a area", "srcset": "img source"}
CSS = re.compile(r"""/\*.*?\*/|@import\s+(?:"([^"]*)"|'([^']*)')|url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*?))\s*\)""", re.S)


def css_links(text):
    return [next(g for g in m.groups() if g is not None) for m in CSS.finditer(text) if any(g is not None for g in m.groups())]


class Links(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.base, self.links, self.style = None, [], False

    def handle_starttag(self, tag, attrs):
        values = {}
        for name, value in attrs:
            values.setdefault(name, value or "")
        if tag == "base" and "href" in values and self.base is None:
            self.base = values["href"]
        if tag == "meta" and values.get("http-equiv", "").lower() == "refresh":
            m = re.match(r"\s*[\d.]+\s*[;,]?\s*(?:url\s*=\s*)?['\"]?(.*?)['\"]?\s*$", values.get("content", ""), re.I | re.S)
            if m and m[1]:
                self.links.append(("meta", "content", m[1]))
        for name, value in values.items():
            if name == "style":
                self.links += [(tag, "style", ref) for ref in css_links(value)]
            elif tag not in ATTRIBUTES.get(name, "").split():
                continue
            elif name == "srcset":
                self.links += [(tag, name, c.split()[0]) for c in re.split(r",(?=\s)", value) if c.split()]
            elif name == "ping":
                self.links += [(tag, name, ref) for ref in value.split()]
            else:
                self.links.append((tag, name, value))
        self.style = tag == "style"

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        self.style = False

    def handle_data(self, data):
        if self.style:
            self.links += [("style", "text", ref) for ref in css_links(data)]


def links_of(data, kind):
    """([(element, attribute, reference)], base reference or None)."""
    text = data.decode("utf-8", "surrogateescape")
    if "css" in kind:
        return [("css", "url", ref) for ref in css_links(text)], None
    if "html" in kind:
        parser = Links()
        parser.feed(text)
        parser.close()
        return parser.links, parser.base
    return [], None


# ---- the server -----------------------------------------------------------------------------------------------------

class Server:
    def __init__(self, port, make_site):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def version_string(self):
                return "truth"

            def date_time_string(self, timestamp=None):
                return "Thu, 01 Jan 2026 00:00:00 GMT"

            def do_GET(self):
                outer.asked.append((self.command, self.path))
                target = self.path if self.path.startswith("/") else urlunsplit(("", "") + tuple(urlsplit(self.path))[2:])
                status, ctype, body = outer.find(target)
                self.send_response(status)
                if status in (301, 302):
                    self.send_header("Location", body)
                    body = b""
                else:
                    self.send_header("Content-Type", ctype)
                    self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, *args):
                pass

        self.asked = []
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.http.daemon_threads = True
        self.port = self.http.server_address[1]
        self.root = f"http://127.0.0.1:{self.port}"
        site = make_site(self.port)
        self.site = {normal(self.root + t): v for t, v in site.items()}
        self.redirects = {u: normal(resolve(u, v[2])) for u, v in self.site.items() if v[0] in (301, 302)}
        self.truth = {}
        for url, (status, ctype, body) in self.site.items():
            if status == 200:
                links, base = links_of(body, ctype)
                base = resolve(url, base) if base is not None else url
                self.truth[url] = [(e, a, ref, resolve(base, ref)) for e, a, ref in links]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def is_alive(self, url):
        return self.site.get(normal(url, fragment=False), (404,))[0] != 404

    def find(self, target):
        return self.site.get(normal(self.root + target), (404, "text/html", b"<p>not here <a href='/'>home</a>\n"))


# ---- which file is which page, told by the savers' own notes -------------------------------------------------------

def files_by_log(log, mirror):
    """wget's log -> {file below the mirror: [URL, ...] in the order they were saved}."""
    found, url = {}, None
    for line in log.read_bytes().decode("utf-8", "surrogateescape").splitlines():
        if m := re.match(r"--\d{4}-\d\d-\d\d \d\d:\d\d:\d\d--  (\S.*)$", line):
            url = m[1]
        elif m := re.match("Saving to: [‘'`](.*)[’']$", line):
            found.setdefault(m[1], []).append(url)
        elif m := re.match(r'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d URL: ?(.*) \[[\d/]+\] -> "(.*)" \[\d+\]$', line):
            found.setdefault(m[2], []).append(m[1])
        elif m := re.match(r"HTTP response 200 OK \[(.*)\]$", line):  # wget2: no port, and without the extension of -E
            s = urlsplit(m[1])
            name = s.hostname + unquote(s.path) + ("index.html" if s.path.endswith("/") else "") + (s.query and "?" + s.query)
            file = next((name + end for end in ("", ".html", ".css") if (mirror / (name + end)).is_file()), name)
            found.setdefault(file, []).append(m[1])
    return {f: u for f, u in found.items() if (mirror / f).is_file()}


def saved_as(mirror):
    """hts-cache/new.zip -> {URL: file}, by X-Save in the local headers."""
    saved = {}
    with open(mirror / "hts-cache/new.zip", "rb") as f:
        for entry in zipfile.ZipFile(f).infolist():
            f.seek(entry.header_offset + 26)
            name, extra = struct.unpack("<HH", f.read(4))
            name, extra = f.read(name).decode("utf-8", "surrogateescape"), f.read(extra).decode("utf-8", "surrogateescape")
            if m := re.search(r"^X-Save: (.*?)\r?$", extra, re.M):
                saved[name] = m[1]
    return saved


def files_by_cache(mirror, root):
    """hts-cache/new.txt -> {file below the mirror: [URL, ...]}; where it names a file that was renamed, new.zip."""
    found, saved = {}, saved_as(mirror)
    for line in (mirror / "hts-cache/new.txt").read_bytes().decode("utf-8", "surrogateescape").splitlines()[1:]:
        cells = line.split("\t")
        if len(cells) < 9 or not cells[8]:
            continue
        url = cells[7] if "://" in cells[7] else "http://" + cells[7]
        at = cells[8].find("/" + root.split("//")[1].replace(":", "_") + "/")
        file = cells[8][at + 1:]
        if not (mirror / file).is_file():  # what is not ASCII, and spaces, is escaped, but `%` is not
            file = unquote(file, errors="surrogateescape")
        if not (mirror / file).is_file():  # `name.4.delayed`, also of pages: a race in HTTrack
            file = saved.get(url, file)
        if cells[3] == "200" and (mirror / file).is_file():
            found.setdefault(file, []).append(url)
    return found


# ---- comparison -----------------------------------------------------------------------------------------------------

VERDICTS = ["right", "index", "redirect", "merged", "same-doc", "left", "saver", "gone", "moved", "guess", "WRONG"]


def same(server, got, truth):
    """right, index, redirect or None."""
    if normal(got) == normal(truth):
        return "right"

    def split(url):
        page, _, fragment = normal(url).partition("#")
        return page, fragment
    (a, fa), (b, fb) = split(got), split(truth)
    if fa != fb:
        return None
    ra, rb = server.redirects.get(a, a), server.redirects.get(b, b)
    strip = lambda u: re.sub(r"/index\.html(?=\?|$)", "/", u)
    if ra == rb:
        return "redirect"
    if strip(a) == strip(b) and server.is_alive(a):
        return "index"
    # HTTrack takes `a//b` for `a/b`, and has one file for both.
    if re.sub(r"(?<!:)//+", "/", b) == a:
        return "merged"
    return "redirect" if strip(ra) == strip(rb) and server.is_alive(a) else None


def verdict(server, before, after, truth):
    if absolute(after):
        v = same(server, after, truth)
        # What the saver wrote was wrong, and still means the same.
        is_of_saver = before == after or (before.startswith("/") and after == server.root + before)
        # wget2 loses fragments.
        lost = "#" not in before and same(server, after, truth.partition("#")[0])
        return v or ("saver" if is_of_saver or lost else "WRONG")
    if after != before:
        return "WRONG"
    return "same-doc" if after == "" or after.startswith("#") else "left"


def pair(got, mirrored, want):
    """Pairs the n-th of each element and attribute; yields (key, index, mirrored, got, truth) and what has no pair."""
    keys = list(dict.fromkeys((e, a) for e, a, *_ in want))
    for key in keys:
        w = [x[3] for x in want if x[:2] == key]
        refs = [x[2] for x in want if x[:2] == key]
        m = [x[2] for x in mirrored if x[:2] == key]
        g = [x[2] for x in got if x[:2] == key]
        if len(w) != len(g) or len(m) != len(g):
            yield key, None, len(m), len(g), len(w)
            continue
        for n in range(len(w)):
            yield key, n, m[n], g[n], (refs[n], w[n])


def compare(server, files, mirror, out, tell, is_plain):
    counts = dict.fromkeys(VERDICTS, 0)
    for file, urls in sorted(files.items()):
        url = normal(urls[-1], fragment=False)  # what is saved last stays
        while url in server.redirects:
            url = server.redirects[url]
        if url not in server.truth:
            continue
        want, kind = server.truth[url], server.site[url][1]
        mirrored, mbase = links_of((mirror / file).read_bytes(), kind)
        if not (out / file).is_file():
            counts["WRONG"] += 1
            tell("WRONG", file, "the output lacks this file", "", "", "")
            continue
        got, gbase = links_of((out / file).read_bytes(), kind)
        lefts = []
        for key, n, m, g, w in pair(got, mirrored, want):
            where = "@".join(key)
            if n is None:
                v = "gone" if m == g else "WRONG"
                counts[v] += abs(w - g) if v == "gone" else 1
                tell(v, file, where, f"{m} in the mirror", f"{g} after", f"{w} on the server")
                continue
            v = verdict(server, m, g, w[1])
            # its name is that of the request
            if v == "WRONG" and is_plain and url != normal(f"{server.root}/{file.partition('/')[2]}"):
                v = "moved"
            counts[v] += 1
            lefts += [v] if v in ("left", "same-doc") else []
            tell(v, file, f"{where}[{n}]", m, g, f"{w[1]}   (was {w[0]!r})")
        # a link to a file that is left needs the BASE of the mirror by the letter, `#x` its meaning
        moved = gbase != mbase if "left" in lefts else normal(resolve(url, gbase or "")) != normal(resolve(url, mbase or ""))
        if lefts and moved:
            counts["WRONG"] += 1
            tell("WRONG", file, "base@href", repr(mbase), repr(gbase), f"moved below {len(lefts)} links left as they are")
    return counts


# ---- running --------------------------------------------------------------------------------------------------------

def run(line, cwd=None, ok=(0,), **names):
    command = [part.format(**names) for part in line.split()]
    env = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", HOME=str(cwd or "/tmp"))
    done = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    if done.returncode not in ok:
        return f"{' '.join(command)}: exit {done.returncode}: {done.stderr.decode(errors='replace').strip()[-400:]}", ""
    return None, done.stderr.decode(errors="replace")


def make_mirror(name, server, work):
    command = ALL_MIRRORS[name][0]
    tool = command.split()[0]
    if not shutil.which(tool):
        print(f"skipped: {tool} is not installed ({name})")
        return {}, None
    mirror, log = work / name, work / (name + ".log")
    shutil.rmtree(mirror, ignore_errors=True)
    mirror.mkdir(parents=True)
    wget = tool.startswith("wget")
    # wget exits with 8 for a 404, and with 3 where a file stands in the way of a folder (`both` without -E)
    wrong, _ = run(command, cwd=mirror if wget else work, ok=(0, 3, 8), url=server.root + "/", log=log, mirror=mirror, empty="")
    if wrong:
        return None, wrong
    files = files_by_log(log, mirror) if wget else files_by_cache(mirror, server.root)
    return files, None if files else "the saver's notes name no file"


def host_folder(mirror):
    """The folder of the host, which wget2 names without the port."""
    return next((path.name for path in mirror.iterdir() if path.name.startswith("127.0.0.1")), "")


def write_truth(server, files, path):
    """truth.tsv: what is known of the files' links, one row each."""
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write("file\telement\tattribute\tindex\ttarget\n")
        for file, urls in sorted(files.items()):
            seen = {}
            for e, a, _, target in server.truth.get(normal(urls[-1]), []):
                n = seen[e, a] = seen.get((e, a), -1) + 1
                f.write(f"{file}\t{e}\t{a}\t{n}\t{target}\n")
    with open(Path(path).with_name("redirects.tsv"), "w") as f:
        f.write("source\ttarget\n" + "".join(f"{a}\t{b}\n" for a, b in sorted(server.redirects.items())))
    with open(Path(path).with_name("files.tsv"), "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write("file\turl\n" + "".join(f"{a}\t{u}\n" for a, us in sorted(files.items()) for u in us))


def make_fixtures(server, folder):
    for name, line in FIXTURES.items():
        mirror = folder / name / "mirror"
        shutil.rmtree(folder / name, ignore_errors=True)
        mirror.mkdir(parents=True)
        wget = name == "wget"
        wrong, _ = run(line, cwd=mirror if wget else folder / name, ok=(0, 8), url=server.root + "/")
        files = {} if wrong else files_by_log(folder / name / "wget.log", mirror) if wget else files_by_cache(mirror, server.root)
        if not files:
            print(f"{name}: {wrong or 'no files'}", file=sys.stderr)
            return 2
        for path in [] if wget else TRIMMED:
            (mirror / path).unlink(missing_ok=True)
        write_truth(server, files, folder / name / "truth.tsv")
    return 0


def self_test(server):
    """Does the comparison see what it should?"""
    checks = [
        (verdict(server, "about.html", server.root + "/about", server.root + "/about"), "right"),
        (verdict(server, "a", server.root + "/caf%c3%a9/a b%2ehtml", server.root + "/café/a%20b.html"), "right"),
        (verdict(server, "a", server.root + "/q?name.html", server.root + "/q%3Fname.html"), "WRONG"),
        (verdict(server, "about.html", server.root + "/about.html", server.root + "/about"), "WRONG"),
        (verdict(server, "dir/index.html", server.root + "/dir/index.html", server.root + "/dir/"), "index"),
        (verdict(server, "t", server.root + "/dir/target.html", server.root + "/moved"), "redirect"),
        (verdict(server, "t", server.root + "/dir/", server.root + "/dir"), "redirect"),
        (verdict(server, "x", "x", server.root + "/x"), "left"),
        (verdict(server, "x", "y", server.root + "/x"), "WRONG"),
        (verdict(server, "#x", "#x", server.root + "/#x"), "same-doc"),
        (verdict(server, "http://o/", "http://o/", server.root + "/x"), "saver"),
        (verdict(server, "a", server.root + "/list?page=2&sort=a", server.root + "/list?sort=a&page=2"), "WRONG"),
        (verdict(server, "a#f", server.root + "/about", server.root + "/about#f"), "WRONG"),
        (verdict(server, "a", server.root + "/plain.html", server.root + "/plain.html?"), "WRONG"),
        (verdict(server, " x ", f" {server.root}/x ", server.root + "/x"), "right"),
        (verdict(server, "x", server.root + "/index.html?q=1", server.root + "/?q=1"), "WRONG"),
        (resolve("http://h/a/b", "c//d"), "http://h/a/c//d"), (resolve("http://h/a/b?x", "#f"), "http://h/a/b?x#f"),
        (resolve("http://h/a/b", ".."), "http://h/"), (resolve("http://h/a/b", "//i/x?y#z"), "http://i/x?y#z"),
        (resolve("http://h/a/b", ""), "http://h/a/b"), (resolve("http://h/a/b", "MAILTO:x"), "MAILTO:x"),
        (resolve("http://h/a/b?x", "?y"), "http://h/a/b?y"), (resolve("http://h/a/b", "http://i/c"), "http://i/c"),
        (resolve("http://h/a/b", "/x/./y/../z"), "http://h/x/z"), (resolve("http://h", "x"), "http://h/x"),
        (resolve("http://h/a/b", "../../c"), "http://h/c"), (resolve("http://h/a?x", "?"), "http://h/a?"),
        (resolve("http://h/a/b", "http:c"), "http://h/a/c"), (resolve("http://h/a/b", "c\\d"), "http://h/a/c/d"),
    ]
    bad = [c for c in checks if c[0] != c[1]]
    for b in bad:
        print("self-test: got %r, not %r" % b, file=sys.stderr)
    return not bad


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=Path, help="where mirrors and outputs go")
    p.add_argument("--absolve", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../target/release/absolve"), help="the program under test")
    p.add_argument("--port", type=int, default=0, help="of the server [default: a free one]")
    mirrors = ALL_MIRRORS
    p.add_argument("--only", action="append", metavar="NAME", help=f"of {', '.join(mirrors)} [can be repeated]")
    p.add_argument("--mirrors-only", action="store_true", help="make the mirrors and truth files, do not run absolve")
    p.add_argument("--fixtures", action="store_true", help="make two small mirrors with truth.tsv there, and nothing else")
    p.add_argument("--show", default="left,saver,gone,WRONG", help="verdicts to list [default: %(default)s]; all")
    p.add_argument("--lines", type=int, default=1000, help="of each list at most")
    args = p.parse_args()
    work = args.folder.resolve()
    work.mkdir(parents=True, exist_ok=True)
    server = Server(args.port, make_site)
    folders = Server(0, lambda port: folder_site.make_site(port, GIF))
    if not self_test(server):
        return 2
    for site in (server, folders):
        print(f"{len(site.truth)} resources, {sum(map(len, site.truth.values()))} links at {site.root}/")
    if args.fixtures:
        return make_fixtures(server, work)
    rows, failed = [], False
    every, notes, bare = server, Server(0, notes_site.make_site), Server(0, notes_site.make_bare_site)
    for name in args.only or mirrors:
        if name not in mirrors:
            p.error(f"no mirror is called {name}")
        server = every if name in MIRRORS else folders if name in FOLDER_MIRRORS else bare if name.startswith("bare") else notes
        files, wrong = make_mirror(name, server, work)
        if wrong:
            print(f"{name}: {wrong}", file=sys.stderr)
            failed = True
            continue
        if not files:
            continue
        (work / (name + ".truth")).mkdir(exist_ok=True)
        write_truth(server, files, work / (name + ".truth") / "truth.tsv")
        for way in [] if args.mirrors_only else mirrors[name][1]:
            out = work / f"{name}.{way}.out"
            shutil.rmtree(out, ignore_errors=True)
            shutil.rmtree(str(out) + ".partial", ignore_errors=True)
            wrong, says = run(ABSOLVE[way], absolve=args.absolve, mirror=work / name, log=work / (name + ".log"), out=out,
                        root=server.root, host=host_folder(work / name))
            if wrong:
                print(f"{name} {way}: {wrong}", file=sys.stderr)
                failed = True
                continue
            told = []
            counts = compare(server, files, work / name, out, lambda *t: told.append(t),
                             (name, way) == ("wget-r", "host") or name in ("notes-r", "notes-E"))
            if re.search(r"so \d+ targets? (is a guess|are guesses)", says):
                counts["guess"], counts["WRONG"] = counts["WRONG"], 0
            rows.append((f"{name} {way}", len(files), counts))
            for v in VERDICTS:
                if args.show != "all" and v not in args.show.split(","):
                    continue
                lines = [t for t in told if t[0] == v]
                if lines:
                    print(f"\n== {name} {way}: {v} ({len(lines)})")
                for _, file, where, m, g, w in lines[:args.lines]:
                    print(f"  {file}  {where}\n      {m!r} -> {g!r}\n      truth {w}".encode("utf-8", "replace").decode())
    if rows:
        print("\n%-24s %6s" % ("mirror", "files") + "".join("%9s" % v for v in VERDICTS))
        for title, n, counts in rows:
            print("%-24s %6d" % (title, n) + "".join("%9d" % counts[v] for v in VERDICTS))
    if any(c["WRONG"] for *_, c in rows):
        return 1
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
