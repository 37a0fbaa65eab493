// Examples, to see it work before one has a document at hand.

const PAGE = `<!doctype html>
<title>The lighthouse</title>
<base href="../">
<link rel="stylesheet" href="style/main.css">
<IMG SRC = img/lamp.svg SRCSET="img/lamp-2x.svg 2x" ALT="lamp">
<a href="night.html?from=home&amp;lang=en#lamp">First night</a>
<a href="//harbour.example/tides">Tides</a>
<a href="https://example.com/">Elsewhere</a>
<a href="#top">up</a> <a href="{{unsubscribe}}">unsubscribe</a>
<div style="background: url(img/sea.svg)"></div>
`;

const SHEET = `@import "print.css" print;
@font-face { font-family: Beacon; src: url('../fonts/beacon.woff2') format("woff2") }
body { background: url(../img/sea.svg) }
.lamp { mask: url(#beam); background: image-set("lamp.png" 1x, "lamp-2x.png" 2x) }
`;

const FEED = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/log/">
  <title>Log of the lighthouse</title>
  <link rel="self" href="feed.atom"/>
  <entry>
    <title>Fog</title>
    <link href="2026/fog"/>
    <content type="html">&lt;p>Seen from &lt;a href="../tower?stair=1&amp;amp;step=9">the tower&lt;/a>&lt;/p></content>
  </entry>
</feed>
`;

const README = `# Lamp

![The lamp at night](img/lamp.png)

Read [the manual](docs/manual.md "first of all") or [the plan of the tower](/plans/tower.md).

\`[not a link](in/code.md)\` and [elsewhere](https://example.com/).

[manual]: docs/manual.md
`;

const MESSAGE = `From: Keeper <keeper@example.org>
Subject: Tonight
MIME-Version: 1.0
Content-Base: https://example.org/notes/
Content-Type: multipart/alternative; boundary=beam

--beam
Content-Type: text/plain

Read <URL:tonight.txt>.
--beam
Content-Type: text/html; charset=utf-8
Content-Location: tonight/
Content-Transfer-Encoding: quoted-printable

<p>Read <a href=3D"full.html">all of it</a>, or see <a href=3D"../map.html?w=3D=
1">the map</a>.</p>
--beam--
`;

const NEWSLETTER = `<base href="https://news.example/2026/june/">
<h1>June at the harbour</h1>
<img src="boats at dawn.jpg" alt="Boats">
<p><a href="read.html?u=*|UNIQID|*">Read it all</a>, <a href="localhost:3000/draft">the draft</a>,
<a href="*|UNSUB|*">unsubscribe</a></p>
`;

/** The examples: what the button says, and what it fills in. */
export const EXAMPLES = [
  { title: "a page", url: "https://example.org/lighthouse/index.html", text: PAGE },
  { title: "a page without a URL", url: "", text: PAGE.replace('<base href="../">\n', "") },
  { title: "a style sheet", url: "https://example.org/style/main.css", text: SHEET },
  { title: "a feed", url: "https://example.org/feed.atom", text: FEED },
  { title: "a README", url: "https://code.example/lamp/", text: README,
    options: { root: "https://code.example/lamp/blob/main/", imagesUrl: "https://raw.code.example/lamp/main/" } },
  { title: "a message", url: "", text: MESSAGE },
  { title: "a newsletter", url: "", text: NEWSLETTER, options: { purpose: "mail" } },
];
