"""A page that a program shows, asked the same questions in every program, in JavaScript."""

import time

NAMES = ["h1", "h2", "h3", "p", "a", "ul", "ol", "li", "table", "th", "td", "div", "img", "pre", "code", "blockquote"]
PROPERTIES = ["color", "background-color", "font-weight", "font-style", "text-align", "text-decoration-line", "display", "border-top-width",
              "border-top-style", "padding-top", "padding-left"]

# What follows finds these: `shown`, the document; `body`, the element that holds the page; `origin`, the corner of its pictures.
QUESTIONS = """
    // Thunderbird puts the header fields before the page.
    const all = [...body.querySelectorAll("*")].filter((element) => !element.closest("[class*=moz-header]") && !/(^| )moz-/.test(element.className));
    const elements = [body, ...all.filter((element) => NAMES.includes(element.localName))];
    const style = (element) => shown.defaultView.getComputedStyle(element);
    const place = (element) => {
        const box = element.getBoundingClientRect();
        return [box.x - origin[0], box.y - origin[1], box.width, box.height];
    };
""".replace("NAMES", repr(NAMES))

STATE = QUESTIONS + """
    const image = (element) => style(element).backgroundImage.slice(0, 60);
    return {
        boxes: Object.fromEntries(all.filter((element) => element.title).map((element) => [element.title, {
            place: place(element), width: element.naturalWidth ?? null, image: image(element),
            colour: style(element).backgroundColor,
        }])),
        images: all.filter((element) => element.localName === "img").map((element) => ({place: place(element), width: element.naturalWidth})),
        elements: elements.map((element) => ({
            name: element === body ? "body" : element.localName, image: image(element), place: place(element),
            styles: Object.fromEntries(PROPERTIES.map((name) => [name, style(element).getPropertyValue(name)])),
        })),
    };
""".replace("PROPERTIES", repr(PROPERTIES))

# All backgrounds but at most one, and the caret of an editor, which blinks.
HIDE = QUESTIONS + """
    const [number] = args.slice(-1);
    for (const [at, element] of elements.entries()) {
        element.dataset.style ??= element.getAttribute("style") ?? "";
        const hidden = at === number ? "" : "; background-image: none !important";
        element.setAttribute("style", element.dataset.style + hidden + "; caret-color: transparent");
    }
"""

WITHOUT_SHEETS = "for (const sheet of shown.styleSheets) sheet.disabled = true;"
READY = "return Boolean(body?.textContent.trim() && [...body.querySelectorAll('img')].every((image) => image.complete));"


class Shown:
    """A page that is shown: `run` runs a script in it, and `picture` returns a PNG of (x, y, width, height) of it."""

    def __init__(self, run, picture):
        self.run, self.picture = run, picture
        self.state = run(STATE)

    def draws(self, number):
        """Returns whether something is drawn for the background of an element: with all others hidden, it looks otherwise without."""
        element = self.state["elements"][number]
        if element["image"] == "none":
            return False
        x, y, width, height = element["place"]
        area = (max(x, 0), max(y, 0), max(width, 1), min(max(height, 1), 1200))

        def picture(seen):
            self.run(HIDE, seen)
            # Images are decoded anew.
            time.sleep(0.3)
            return self.picture(*area)

        seen, hidden, again = picture(number), picture(None), picture(number)
        return seen == again != hidden
