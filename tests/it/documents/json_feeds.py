"""Compares feeds before and after by Python's own readers: equal but for links.

Reads lines of JSON, each with the texts of two feeds and the base; prints one line for each difference.
"""

import html.parser
import json
import sys

MEMBERS = {
    "home_page_url", "feed_url", "next_url", "icon", "favicon", "url", "avatar", "external_url", "image", "banner_image",
}


class Events(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.events, self.values = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.events.append((tag, [name for name, _ in attributes]))
        self.values += [value for _, value in attributes]

    def handle_endtag(self, tag):
        self.events.append("/" + tag)

    def handle_data(self, data):
        self.events.append(data)


def differences(old, new, name=""):
    if isinstance(old, str) and isinstance(new, str) and old != new:
        if name == "content_html":
            before, after = Events(old), Events(new)
            if before.events != after.events:
                yield f"{before.events} became {after.events}"
            pairs = zip(before.values, after.values)
            yield from (f"{old!r} became {new!r}" for old, new in pairs if old != new and "http://" not in new)
        elif name not in MEMBERS or not new.startswith("http://"):
            yield f"{name} {old!r} became {new!r}"
    elif type(old) is not type(new):
        yield f"{name} {old!r} became {new!r}"
    elif isinstance(old, dict):
        if list(old) != list(new):
            yield f"members {list(old)} became {list(new)}"
        for member in old:
            yield from differences(old[member], new.get(member), member)
    elif isinstance(old, list):
        if len(old) != len(new):
            yield f"{len(old)} elements became {len(new)}"
        for one, other in zip(old, new):
            yield from differences(one, other, name)
    elif old != new:
        yield f"{name} {old!r} became {new!r}"


sys.setrecursionlimit(20_000)
for line in sys.stdin:
    pair = json.loads(line)
    old, new = (json.loads(pair[key].removeprefix("\ufeff")) for key in ("old", "new"))
    for difference in differences(old, new):
        print(ascii(f"{pair['name']}: {difference}"))
