"""What a browser shows of a page that is on disk, and what it could not load."""

import urllib.parse

FLAGS = ("--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9", "--autoplay-policy=no-user-gesture-required")

# Waits for the images, those that load late too, and the fonts.
STATE = """
    const images = [...document.images];
    for (const image of images) image.loading = "eager";
    const patience = new Promise((done) => setTimeout(done, 3000));
    await Promise.race([patience, Promise.all([document.fonts.ready, ...images.map((image) => image.complete || new Promise((done) => {
        image.addEventListener("load", done);
        image.addEventListener("error", done);
    }))])]);
    const guarded = [...document.querySelectorAll("link[integrity], link[crossorigin], script[integrity], script[crossorigin], img[crossorigin], video[crossorigin], audio[crossorigin]")]
        .filter((element) => !/preload|preconnect|prefetch|manifest|icon/.test(element.rel ?? "") && element.type !== "module");
    // Of what was not loaded, Chromium gives the URL as it is written.
    const urlOf = (element) => {
        try { return new URL(element.currentSrc || element.src || element.href, document.baseURI).href; } catch { return ""; }
    };
    return {
        address: location.href, charset: document.characterSet, mime: document.contentType,
        images: images.map((image) => ({ url: urlOf(image), width: image.naturalWidth })),
        styles: [...document.querySelectorAll("link[rel~=stylesheet i][href]")].filter((link) => !/alternate/i.test(link.rel) && link.href)
            .map((link) => ({ url: link.href })),
        media: [...document.querySelectorAll("audio, video")].filter((media) => media.currentSrc)
            .map((media) => ({ url: urlOf(media), problem: media.error?.message ?? "" })),
        fonts: [...document.fonts].map((face) => face.status),
        guarded: guarded.map((element) => ({ url: urlOf(element), element: element.localName })),
    };
"""
# What Chromium takes from no file, whatever a page says: drawings and masks of other files, captions, modules, manifests.
INCURABLE = ("Unsafe attempt to load URL", "blocked by CORS policy", "is found, but is not used")
# What scripts ask for is theirs.
OF_SCRIPTS = {"XHR", "Fetch", "Ping", "Manifest", "TextTrack", "Prefetch"}


def show(chromium, file):
    """Opens a file, and returns what is shown and what was asked for: (state, {request: {url, type, by, problem, mime}}, messages, frames).

    Of a style that is not taken Chromium has a sheet without content, so the URLs of those with content are in `state["sheets"]`.
    """
    chromium.open(file.as_uri(), "Network", "Log", "DOM", "CSS")
    state = chromium.run(STATE)
    requests, messages, frames = {}, [], []
    state["sheets"] = set()
    for event in chromium.events:
        method, told = event["method"], event["params"]
        if method == "Network.requestWillBeSent":
            requests[told["requestId"]] = {"url": told["request"]["url"], "type": told.get("type"), "by": told["initiator"]["type"],
                                           "is_early": told["request"].get("isLinkPreload", False), "problem": "", "mime": ""}
        elif method == "Network.responseReceived" and told["requestId"] in requests:
            requests[told["requestId"]]["mime"] = told["response"]["mimeType"]
        elif method == "Network.loadingFailed" and told["requestId"] in requests and not told.get("canceled"):
            requests[told["requestId"]]["problem"] = f"{told['errorText']} {told.get('blockedReason', '')} {told.get('corsErrorStatus', {}).get('corsError', '')}".strip()
        elif method == "Log.entryAdded":
            messages.append(told["entry"]["text"])
        elif method == "CSS.styleSheetAdded" and told["header"]["length"] > 0:
            state["sheets"].add(told["header"]["sourceURL"])
        elif method == "Page.frameNavigated" and told["frame"].get("mimeType"):
            frames.append((told["frame"]["url"], told["frame"]["mimeType"], bool(told["frame"].get("parentId"))))
        elif method == "Page.downloadWillBegin":
            messages.append(f"file: {told['url']} is downloaded, not shown")
    return state, requests, messages, frames


def path_of(url, site):
    """Returns what a `file:` URL means below the folder of the site, with its query; `None` for what is elsewhere."""
    parts = urllib.parse.urlsplit(url)
    path = urllib.parse.unquote(parts.path, errors="surrogateescape")
    if parts.scheme != "file" or not path.startswith(f"{site}/"):
        return None
    return path[len(str(site)) + 1:] + (f"?{parts.query}" if parts.query else "")


def is_image(content):
    return content.startswith((b"\x89PNG\r\n\x1a\n", b"GIF8", b"\xff\xd8\xff", b"BM")) or (content[:4] == b"RIFF" and content[8:12] == b"WEBP") \
        or b"<svg" in content[:600]


def faults(site, opened, types, written, index_has, shown):
    """Yields (kind, what) for each fault of a page that is shown: kind is `shown`, `request`, or `blocked` for what cannot be cured.

    `opened` is the URL that was opened, `types` has the captured type of each path, `written` the targets of all links, which others than scripts can ask for, and `index_has`
    says whether a URL was captured.
    """
    state, requests, messages, frames = shown
    file_of = {url: path.partition("?")[0] for url in [*(item["url"] for kind in ("images", "styles", "media", "guarded") for item in state[kind]),
                                                       *(request["url"] for request in requests.values())] if (path := path_of(url, site)) is not None}
    there = {url for url, path in file_of.items() if (site / path).is_file()}
    for image in state["images"]:
        if image["url"] in there and image["width"] == 0 and is_image((site / file_of[image["url"]]).read_bytes()):
            yield "shown", f"the image {file_of[image['url']]} is not shown"
    for url in styles_asked(state, requests, opened) & there - state["sheets"]:
        if types.get(file_of[url]) == "text/css" and (site / file_of[url]).stat().st_size:
            yield "shown", f"the style {file_of[url]} is not applied"
    for media in state["media"]:
        if media["url"] in there and media["problem"] and types.get(file_of[media["url"]], "").startswith(("audio", "video")):
            yield "shown", f"{file_of[media['url']]} is not played: {media['problem']}"
    for guarded in state["guarded"]:
        if guarded["url"] in there:
            yield "shown", f"{guarded['element']} of {file_of[guarded['url']]} has integrity or crossorigin"
    yield from faults_of_requests(requests, file_of, there, types, written, index_has)
    failed = {request["url"] for request in requests.values() if request["type"] == "Font" and request["problem"]}
    if state["fonts"].count("error") > len(failed):
        yield "shown", f"{state['fonts'].count('error')} fonts are not usable"
    for url, mime, is_inner in frames:
        path = path_of(url, site)
        if path and types.get(path.partition("?")[0]) in ("text/html", "application/xhtml+xml") and "html" not in mime:
            yield "shown", f"{'the frame' if is_inner else 'the page'} {path} is shown as {mime}"
    for message in messages:
        if "file:" in message:
            yield "blocked" if any(known in message for known in INCURABLE) else "shown", message.replace(site.as_uri(), "…")[:200]


def styles_asked(state, requests, opened):
    """Returns the URLs of styles: of those that others import, if the page was not replaced by another meanwhile."""
    imported = {request["url"] for request in requests.values() if request["type"] == "Stylesheet" and not request["is_early"] and request["by"] == "parser"}
    return {style["url"].partition("#")[0] for style in state["styles"]} | (imported if state["address"].partition("#")[0] == opened else set())


def faults_of_requests(requests, file_of, there, types, written, index_has):
    for request in requests.values():
        url, is_of_script = request["url"], request["by"] == "script" or request["type"] in OF_SCRIPTS or request["url"].partition("#")[0] not in written
        if url in there:
            path = file_of[url]
            if request["problem"] and "CorsDisabledScheme" not in request["problem"] and request["problem"] not in ("net::ERR_ABORTED", "origin"):
                yield "shown", f"{path} is not loaded: {request['problem']}"
        elif url.startswith("file:"):
            yield "by scripts" if is_of_script else "request", f"{url}: there is no such file"
        elif url.startswith(("http:", "https:", "ws:", "wss:")):
            if index_has(url):
                yield "by scripts" if is_of_script else "request", f"{url} was captured, and is asked for"
            else:
                yield "outside", url
