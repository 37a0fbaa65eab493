#!/usr/bin/env bash
# trafilatura 2.3.1 (PyPI).
#
# With `url=` and `include_links`, a link `x.html` of http://h.example/d/p.html becomes http://h.example/x.html: the folder of the page is
# lost. An image `i.png` of that page becomes http://h.example/d/i.png. The BASE of the page changes neither.
#
# Why it matters: corpora of texts with links are made by this library. Each relative link without a slash is wrong in them, and the
# right images beside them make it look as if bases were handled.
set -euo pipefail

T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T"

# Prints what was seen, and compares it with what is stated.
sees() {
  printf "%s: %s\n" "$1" "$2"
  [ "$2" = "$3" ] || { printf "DIFFERS: %s is stated\n" "$3" >&2; exit 1; }
}
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check trafilatura==2.3.1 lxml_html_clean 2>pip.log || { echo "cannot install trafilatura==2.3.1" >&2; exit 3; }

cat >run.py <<'EOF'
import sys, trafilatura
text = "This paragraph has enough words to be kept as the content of a page, and it has number %d. " * 2
body = "".join("<p>" + text % (i, i) + '<a href="x.html">link</a> <img src="i.png" alt="a"></p>' for i in range(5))
page = "<html><head>%s<title>t</title></head><body><article>%s</article></body></html>" % (sys.argv[1], body)
out = trafilatura.extract(page, url="http://h.example/d/p.html", include_links=True, include_images=True)
print(out.split("[link](")[1].split(")")[0], out.split("![a](")[1].split(")")[0])
EOF
sees "without BASE" "$(venv/bin/python run.py "")" "http://h.example/x.html http://h.example/d/i.png"
sees "with BASE" "$(venv/bin/python run.py "<base href=\"http://o.example/e/\">")" "http://h.example/x.html http://h.example/d/i.png"
