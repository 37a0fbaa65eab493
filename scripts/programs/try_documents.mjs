// Documents of ten kinds, a hostile one and a long one, for the check of target/js/try.html.

import fs from "node:fs";
import path from "node:path";

const ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/log/"><title>Log</title><link rel="self" href="feed.atom"/>
<entry xml:base="2026/"><link href="fog"/><content type="html">&lt;a href="../tower?a=1&amp;amp;b=2">x&lt;/a>&lt;img src=a.png></content></entry></feed>
`;
const XHTML = `<?xml version="1.0"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>é</title><base href="/deep/"/></head>
<body><a href="a&amp;b">x</a><p xml:base="er/"><img src="c d.png" alt=""/></p></body></html>
`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><style>rect { fill: url(paint.svg#a) }</style>
<a xlink:href="../sea"><image href="sea.png"/></a><use href="#wave"/></svg>
`;
const MARKDOWN = `---
image: cover.png
---
# Lamp

![night](img/é%20lamp.png "t") and [manual][m], <a href=raw.html>raw</a>, \`[no](code)\`

[m]: <docs/the manual.md>
`;
const JSON_FEED = JSON.stringify({
  version: "https://jsonfeed.org/version/1.1", title: "é", home_page_url: "/", items: [{ id: "1", url: "one", content_html: "<a href=\"two\">\u2028</a>", image: "a.png" }],
}, null, 1);
const TEXT = "See <URL:docs/a.txt>, <URL: ../b c.txt >, and <http://example.org/>.\r\n";

/** Shift_JIS: its second bytes are those of backslashes and other ASCII. */
const SHIFT_JIS = Buffer.concat([
  Buffer.from('<!doctype html><meta charset=shift_jis><title>'), Buffer.from([0x83, 0x5c, 0x83, 0x8f]), Buffer.from('</title><a href="'),
  Buffer.from([0x83, 0x5c, 0x95, 0x5c]), Buffer.from('/x?q='), Buffer.from([0x8e, 0x9b]), Buffer.from('"><img src=\'a.png\'>')]);

const MHTML = ["From: <Saved by Blink>", "Snapshot-Content-Location: https://harbour.example/tides/", "MIME-Version: 1.0",
  'Content-Type: multipart/related; type="text/html"; boundary="b"', "", "--b", "Content-Type: text/html", "Content-Transfer-Encoding: quoted-printable",
  "Content-Location: https://harbour.example/tides/", "", '<a href=3D"low">low</a><img src=3D"wave.png">', "--b", "Content-Type: text/css",
  "Content-Transfer-Encoding: base64", "Content-Location: https://harbour.example/style.css", "", Buffer.from("a { background: url(b.png) }\r\n".repeat(9)).toString("base64").replace(/.{76}/g, "$&\r\n"), "--b--", ""].join("\r\n");

/** Returns documents of ten kinds and more, with the names that they are dropped by and what the page has to say of their type. */
export const documents = (fixtures) => {
  const fixture = (...names) => fs.readFileSync(path.join(fixtures, ...names));
  const url = "https://example.org/deep/page.html?x#y";
  return [
    { kind: "HTML", name: "index.html", bytes: fixture("site", "index.html"), type: "HTML", url },
    { kind: "HTML in Shift_JIS, with a hard name", name: "it's \"a\" $HOME `x`\\ \n(1).html", bytes: SHIFT_JIS, type: "HTML", url },
    { kind: "HTML without an extension", name: "-page", bytes: Buffer.from("<p><a href=x>x</a>"), type: "how it begins", url },
    { kind: "XHTML", name: "page.xhtml", bytes: XHTML, type: "XML", url },
    { kind: "style sheet", name: "main.css", bytes: fixture("site", "style", "main.css"), type: "CSS", url },
    { kind: "Atom feed", name: "feed.atom", bytes: ATOM, type: "XML", url },
    { kind: "SVG", name: "sea.svg", bytes: SVG, type: "XML", url },
    { kind: "JSON Feed", name: "feed.json", bytes: JSON_FEED, type: "JSON Feed", url },
    { kind: "Markdown", name: "README.md", bytes: MARKDOWN, type: "Markdown", url },
    { kind: "message", name: "three-layers.eml", bytes: fixture("mail", "three-layers.eml"), type: "message", url: "" },
    { kind: "MHTML", name: "tides.mhtml", bytes: MHTML, type: "message", url: "" },
    { kind: "plain text", name: "notes.txt", bytes: TEXT, type: "plain text", url },
    { kind: "HTML in UTF-16", name: "wide.htm", bytes: Buffer.from("\ufeff<a href='é'>x</a>\n<img src=b.png>", "utf16le"), type: "HTML", url },
  ];
};

/** Sets of options, by the ids of their controls. */
export const OPTION_SETS = [
  {},
  { "option-purpose": "mail" },
  { "option-sameDocument": "absolute", "option-baseElement": "remove", "option-spelling": "ascii", "option-headers": true, "option-signatures": "break", "option-standard": "rfc3986" },
  { "option-root": "https://root.example/a'b/", "option-imagesUrl": "https://images.example/", "option-keep": "^two\n-x \"$y\"", "option-attributes": "p@data-x=url",
    "option-groups": ["core", "lazy"], "option-feedBase": "item", "option-precedence": "rfc2557" },
  { "option-map": "https://example.org=https://new.example/it", "option-relativeLinks": true, "option-baseElement": "keep", "option-signatures": "keep-all", "option-charset": "" },
];

/** Returns a document that would run, load from a server, and turn the text around it, if it were more than text. */
export const HOSTILE = (server) => `<base href="${server}/base/"><meta http-equiv="refresh" content="0; url=${server}/refresh">
</textarea></script></style></pre><script>alert(1)</script><script src="${server}/script.js"></script>
<img src="${server}/image.png" onerror=alert(2)><svg onload=alert(3)><image href="${server}/svg.png"/></svg>
<iframe srcdoc="<script>parent.alert(4)</script>"></iframe><iframe src="${server}/frame"></iframe>
<link rel=stylesheet href="${server}/style.css"><style>@import "${server}/import.css"; body { display: none }</style>
<object data="${server}/object"></object><embed src="${server}/embed"><a href="javascript:alert(5)">x</a>
<a href="&quot;><img src=x onerror=alert(6)>">y</a><a href="\u202egnp.exe">\u2066z\u2069\u001b[31m</a><!--<a href="z">-->
`;

/** Returns a page of so many bytes, with a relative link in each line. */
export const longPage = (bytes) => {
  const line = '<p>A line of text that has no link, and then <a href="chapter/section.html?page=1&amp;x=2#here">one that has</a> it</p>\n';
  return Buffer.from("<!doctype html><title>Long</title>\n" + line.repeat(Math.ceil(bytes / line.length)));
};
