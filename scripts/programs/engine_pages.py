"""Pages whose references browsers and programs in between resolve in their own ways; each has what it loads beside it."""

import dataclasses

BASE = '<base href="/~/base/">'
LATE = BASE + "<img src=late.png>"
NOSCRIPT = f"<noscript>{BASE}</noscript>"
SAVED = "<!-- saved from url=({length:04}){url} -->\n"
FRAME = "&lt;img src=framed.png&gt;&lt;link rel=stylesheet href=framed.css&gt;"
SHOW = "<script>document.body.append(document.querySelector('template').content.cloneNode(true))</script>"


@dataclasses.dataclass
class Page:
    """A page, its markup with `/~` for the folder that the page has for itself."""

    markup: str
    # Contents of files that lie beside the page, by their paths; None, as those of all other files, is what the extension says.
    files: dict = dataclasses.field(default_factory=dict)
    charset: str = "utf-8"
    # Why a load may be lost if absolve reports a finding.
    doubt: str = ""
    # Why a load may be lost without a finding: what the documentation says is not done.
    limit: str = ""
    # What an engine asks for before it knows better, and then asks for elsewhere.
    too_early: tuple = ()
    # Where a link leads to a copy, and becomes the URL of what was copied.
    copies: dict = dataclasses.field(default_factory=dict)
    start: str = "<!DOCTYPE html><title>t</title>"
    # Whether the page needs the origin of what it loads.
    same_origin: bool = False


def page(markup, **more):
    return Page(markup, **more)


def svg(content):
    return f"<svg xmlns:xlink='http://www.w3.org/1999/xlink' width=60 height=40>{content}</svg>"


def image(content):
    return svg(f"<image href=first.png width=9 height=9>{content}</image>")


def variable(where):
    return f"<style>:root {{ --t: url({where}) }}</style>"


USES = '<link rel=stylesheet href="css/use.css"><p class=t>t'
USING = {"docs/css/use.css": ".t { background: var(--t) }"}
META = '<!DOCTYPE html>\n<html><head>\n<meta http-equiv="content-type" content="text/html; charset=UTF-8"><title>t</title>'
COPIES = '<link rel="stylesheet" href="page_files/a_Ab1C.css"></head><body><img src="page_files/a_Ab1C.png">'
FIREFOX = dict.fromkeys(["docs/page_files/a_Ab1C.css", "docs/page_files/a_Ab1C.png"])
DIFFER = "the engines differ"

BEFORE_BASE = {
    "sheet": page(f"<link rel=stylesheet href=early.css>{LATE}"),
    "script": page(f"<script src=early.js></script>{LATE}"),
    "script-defer": page(f"<script src=early.js defer></script><script src=early2.js async></script>{LATE}"),
    "img": page(f"<body><img src=early.png>{LATE}"),
    "img-srcset": page(f'<body><img src=early.png srcset="early2.png 1x, early3.png 9x">{LATE}'),
    "picture": page(f'<body><picture><source srcset="early.png"><img src=early2.png></picture>{LATE}'),
    "iframe": page(f"<body><iframe src=early.html></iframe>{LATE}"),
    "iframe-srcdoc": page(f'<body><iframe srcdoc="{FRAME}"></iframe>{LATE}', doubt=DIFFER),
    "style-url": page(f"<style>body {{ background: url(early.png) }}</style>{LATE}"),
    "style-import": page(f"<style>@import 'early.css'; @import url(early2.css) screen;</style>{LATE}"),
    "style-set": page(f"<style>body {{ background: image-set('early.png' 1x) }}</style>{LATE}"),
    "style-attribute": page(f'<body><p style="background: url(early.png)">t</p>{LATE}'),
    "refresh": page(f'<meta http-equiv=refresh content="0; url=early.html">{BASE}'),
    "background": page(f"<body background=early.png><table background=early2.png><td>t</table>{LATE}", doubt=DIFFER),
    "input": page(f"<body><input type=image src=early.png>{LATE}", too_early=("docs/early.png",)),
    "poster": page(f"<body><video poster=early.png></video>{LATE}", doubt=DIFFER),
    "embed": page(f"<body><embed src=early.svg><object data=early2.svg></object>{LATE}", too_early=("docs/early2.svg",)),
    "lazy": page(f"<body><img src=early.png loading=lazy>{LATE}", doubt=DIFFER),
    "svg-image": page("<body>" + svg("<image href=early.png width=9 height=9 />") + LATE),
    "module": page(f"<script type=module src=early.js></script>{LATE}"),
    "preload": page(f"<link rel=preload as=image href=early.png>{LATE}"),
    "target-first": page(f"<base target=_top><link rel=stylesheet href=early.css>{LATE}"),
    "body-end": page(f"<link rel=stylesheet href=early.css><body><img src=early.png><p>t</p>{LATE}"),
    "comment": page(f"<!--{BASE}--><link rel=stylesheet href=early.css>{LATE}"),
    "second": page(f'<base href="/~/first/"><img src=a.png>{LATE}'),
    "none-before": page(f"{BASE}<link rel=stylesheet href=a.css><body><img src=a.png><script src=a.js></script>"),
}
NO_SCRIPT = {
    "base": page(f"{NOSCRIPT}<link rel=stylesheet href=a.css><body><img src=a.png>"),
    "base-body": page(f"<body>{NOSCRIPT}<img src=a.png><p style='background: url(b.png)'>t"),
    "base-then": page(f'{NOSCRIPT}<link rel=stylesheet href=a.css><base href="/~/second/"><img src=a.png>'),
    "links": page(f"{BASE}<noscript><link rel=stylesheet href=n.css></noscript><body><noscript><img src=n.png></noscript><img src=a.png>"),
}
VARIABLES = {
    "own": page(variable("t.png") + "<style>p { background: var(--t) }</style><p>t"),
    "own-attribute": page('<p style="--t: url(t.png); background: var(--t)">t'),
    "own-base": page(BASE + variable("t.png") + "<style>p { background: var(--t) }</style><p>t"),
    "rooted": page(variable("/~/t.png") + USES, files=USING),
    "sheet-uses": page(variable("t.png") + USES, files=USING, doubt="the sheet that uses it has another folder"),
    "sheet-declares": page('<link rel=stylesheet href="css/own.css"><p style="background: var(--t)">t',
                           files={"docs/css/own.css": ":root { --t: url(t.png) }"}, doubt="the sheet itself does not move"),
    "registered": page("<style>@property --t { syntax: '<url>'; inherits: true; initial-value: url(i.png) }</style>"
                       + variable("t.png") + USES, files=USING, doubt="the sheet that uses it has another folder"),
}
ANIMATIONS = {
    "set": page(image("<set attributeName=href to=to.png begin=0s dur=20s />")),
    "values": page(image('<animate attributeName=href values="v1.png;v2.png" begin=0s dur=0.6s calcMode=discrete />')),
    "from-to": page(image("<animate attributeName=href from=from.png to=to.png begin=0s dur=0.6s calcMode=discrete />")),
    "xlink": page(image("<set attributeName=xlink:href to=to.png begin=0s dur=20s />")),
    "base": page(BASE + image("<set attributeName=href to=to.png begin=0s dur=20s />")),
    "other": page(image("<set attributeName=width to=12 begin=0s dur=20s />")),
    "colgroup": page('<table><colgroup background=c.png><col width=40></colgroup><tr background="r.png"><td background=d.png>t</table>'),
}
SCRIPTS = {
    "module": page(f"{BASE}<script type=module>import './m.js'</script>"),
    "import-map": page(BASE + '<script type=importmap>{"imports": {"x": "./x.js"}}</script><script type=module>import "x"</script>'),
    "import-map-alone": page('<script type=importmap>{"imports": {"x": "./x.js"}}</script><script type=module>import "x"</script>',
                             limit="scripts are not rewritten"),
    "speculation": page('<script type=speculationrules>{"prefetch": [{"urls": ["next.html"], "eagerness": "immediate"}]}</script>'
                        "<body><img src=a.png>"),
    "template": page(f"<body><template><img src=a.png><link rel=stylesheet href=a.css></template>{SHOW}"),
    "shadow": page("<body><div><template shadowrootmode=open><style>p { background: url(s.png) }</style><p>t</p><img src=a.png></template></div>"),
}
QUERIES = {
    "gb2312": page('<meta charset=gb2312><body><img src="a.png?k=洪"><a href="3.asp?k=洪">a</a>', charset="gb2312"),
    "windows-1251": page('<meta charset=windows-1251><link rel=stylesheet href="a.css?q=привет"><body><iframe src="f.html?q=да"></iframe>',
                         charset="windows-1251"),
    "shift-jis": page('<meta charset=shift_jis><body><img srcset="a.png?k=東京 1x"><script src="a.js?k=東京&amp;x=1"></script>', charset="shift_jis"),
    "sheet": page("<meta charset=iso-8859-2><style>body { background: url('a.png?k=ž') }</style>", charset="iso-8859-2"),
    "utf-8": page('<meta charset=utf-8><body><img src="a.png?k=洪"><img src="洪.png">'),
}
PROGRAMS = {
    "chromium": page(SAVED.format(length=31, url="http://nowhere.invalid/d/p.html") + '<!--<base href="/~/base/">--><base href=".">'
                     "<link rel=stylesheet href=./page_files/a.css><body><img src=./page_files/a.png><iframe src=./page_files/saved_resource.html></iframe>",
                     files=dict.fromkeys(["docs/page_files/a.css", "docs/page_files/a.png", "docs/page_files/saved_resource.html"])),
    "chromium-incognito": page(SAVED.format(length=14, url="about:internet") + '<!--<base href="/~/base/">--><base href=".">'
                               "<link rel=stylesheet href=./page_files/a.css><body><img src=./page_files/a.png><form action=s></form>",
                               files=dict.fromkeys(["docs/page_files/a.css", "docs/page_files/a.png"])),
    "firefox": page('<!-- base href="http://nowhere.invalid/base/" -->' + COPIES + "<form action=s></form>", files=FIREFOX, start=META),
    "firefox-no-base": page(COPIES, files=FIREFOX, start=META),
    "singlefile": page('<!--\n Page saved with SingleFile \n url: http://nowhere.invalid/d/p.html \n saved date: Sat Nov 28 2026\n-->'
                       '<link rel=canonical href=http://nowhere.invalid/d/p.html><body><img src=data:,><form action=s></form>'
                       "<img src=http://127.0.0.1:{port}/~/docs/kept.png>"),
    "teleport": page('<body><img src=a.png tppabs="http://127.0.0.1:{port}/~/was/a.png"><a href=b.html tppabs="http://127.0.0.1:{port}/~/was/b.html">b</a>',
                     files={"docs/a.png": None, "docs/b.html": None}, copies={"docs/a.png": "was/a.png"}),
    "jsp": page('<html><body><img src=a.png><link rel=stylesheet href=a.css></html>', start='<%@ page language="java" %>\n'),
    "php": page(f"<html>{BASE}<body><img src=a.png></html>", start="<?php require 'top.php'; ?>\n"),
    "amp": page("<link rel=stylesheet href=a.css><body><amp-img src=amp.png><noscript><img src=n.png></noscript></amp-img><img src=a.png>",
                start="<!DOCTYPE html><html ⚡>"),
    "srcdoc": page(f'{BASE}<body><iframe srcdoc="{FRAME}"></iframe>'),
    "srcdoc-no-base": page(f'<body><iframe srcdoc="{FRAME}"></iframe>'),
    "quirks-sheet": page("<link rel=stylesheet href=plain.txt><p class=t>t", files={"docs/plain.txt": ".t { background: url(t.png) }"},
                         start="", same_origin=True),
}
CONTROL = {"control": page("<link rel=stylesheet href=a.css><body><img src=a.png>")}
GROUPS = {"before-base": BEFORE_BASE, "noscript": NO_SCRIPT, "variable": VARIABLES, "svg": ANIMATIONS, "script": SCRIPTS, "query": QUERIES,
          "program": PROGRAMS}
PAGES = {f"{group}-{name}": page for group, pages in GROUPS.items() for name, page in pages.items()} | CONTROL
