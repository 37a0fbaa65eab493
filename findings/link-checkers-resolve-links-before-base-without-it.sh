#!/usr/bin/env bash
# linkinator 7.6.1 (npm) and LinkChecker 10.6.0 (PyPI).
#
# A link before the BASE obeys the BASE in all browsers. Both link checkers read the page as a stream and resolve such a link at the URL
# of the page, so they check a page that no browser would open. linkinator also loses a BASE behind `<base target>`, and obeys one in
# `noscript`, as it runs no scripts.
#
# Why it matters: a report without broken links is read as proof that a rewritten site works.
set -euo pipefail

T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T"

# Prints what was seen, and compares it with what is stated.
sees() {
  printf "%s: %s\n" "$1" "$2"
  [ "$2" = "$3" ] || { printf "DIFFERS: %s is stated\n" "$3" >&2; exit 1; }
}

npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --save-exact linkinator@7.6.1 >npm.log 2>&1 || { echo "cannot install linkinator@7.6.1" >&2; exit 3; }
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check LinkChecker==10.6.0 2>pip.log || { echo "cannot install LinkChecker==10.6.0" >&2; exit 3; }
cat >linkinator.mjs <<'JS'
import { LinkChecker } from "linkinator";
await new LinkChecker().check({ path: process.argv[2] });
JS
cat >run.py <<'PY'
import http.server, subprocess, sys, threading
asked = set()
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        is_page = self.path == "/d/page.html"
        if not is_page: asked.add(self.path)
        body = f"<!DOCTYPE html><html><head><title>t</title></head><body>{sys.argv[2]}".encode() if is_page else b"x"
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if is_page else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET": self.wfile.write(body)
    do_HEAD = do_GET
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/d/page.html"
programs = {"linkinator": ["node", "linkinator.mjs"], "LinkChecker": ["venv/bin/linkchecker", "--no-status", "--no-robots", "-r1", "--check-extern"]}
subprocess.run(programs[sys.argv[1]] + [url], capture_output=True, timeout=90)
print(*sorted(asked))
PY
asked() { python3 run.py "$1" "$2"; }
late='<a href="x.html">x</a><base href="/b/">'
sees "linkinator, BASE behind the link" "$(asked linkinator "$late")" /d/x.html
sees "LinkChecker, BASE behind the link" "$(asked LinkChecker "$late")" /d/x.html
sees "linkinator, BASE first" "$(asked linkinator '<base href="/b/"><a href="x.html">x</a>')" /b/x.html
sees "linkinator, target, then href" "$(asked linkinator '<base target="_top"><base href="/b/"><a href="x.html">x</a>')" /d/x.html
sees "LinkChecker, target, then href" "$(asked LinkChecker '<base target="_top"><base href="/b/"><a href="x.html">x</a>')" /b/x.html
sees "linkinator, noscript" "$(asked linkinator '<noscript><base href="/b/"></noscript><a href="x.html">x</a>')" /b/x.html
