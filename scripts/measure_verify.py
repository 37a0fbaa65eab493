#!/usr/bin/env python3
"""Measures how the time of `absolve verify` grows with its input, and how it compares with that of `absolve rewrite`.

For each kind of input it prints the processor time of both commands at 25,000 and at 400,000 of something: header fields,
links, messages, records. Sixteen times the input takes sixteen times as long if both are linear. Input and output are
made in a temporary folder."""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SMALL, LARGE = 25_000, 400_000


def mail(body, fields=""):
    return f"Content-Base: http://h/d/\n{fields}Content-Type: text/html\n\n{body}\n"


def multipart(parts):
    header = "Content-Base: http://h/d/\nContent-Type: multipart/mixed; boundary=b\n\n"
    return header + "".join(parts) + "--b--\n"


def parts(number):
    """Messages of an mbox with so many parts, as many as possible in each: of more than 100,000, rewrite leaves the others."""
    of_each = min(number, 100_000)
    message = multipart("--b\nContent-Type: text/html\n\n<a href=x>\n" for _ in range(of_each))
    return f"From a@b Thu Jan  1 00:00:00 1998\n{message}\n" * (number // of_each)


def record(number):
    block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>text</p><a href=x>"
    return (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n"
        f"WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://h/d/{number}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n{block}\r\n\r\n"
    )


def tree(folder, number):
    for start in range(0, number, 1000):
        below = folder / f"{start // 1000:03}"
        below.mkdir(parents=True)
        for index in range(start, min(start + 1000, number)):
            (below / f"{index:06}.html").write_text("<p>text</p><a href=x>x</a>\n")


def maildir(folder, number):
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for index in range(number):
        (folder / f"cur/{1_700_000_000 + index}.M{index}P1.host:2,S").write_text(mail("<a href=x>"))


URL = ["--url", "http://h/d/"]

# The name, the name of the file, its flags, and what it contains.
KINDS = [
    ("header fields", "a.eml", [], lambda n: mail("<a href=x>", "".join(f"X-{i}: {i}\n" for i in range(n)))),
    ("MIME parameters", "a.eml", [], lambda n: multipart(
        "--b\nContent-Type: text/html" + "".join(f";\n x{i}=1" for i in range(500)) + "\n\n<a href=x>\n" for _ in range(n // 500))),
    ("parts", "a.mbox", [], parts),
    ("lines of quoted-printable", "a.eml", [], lambda n: mail(
        "<a href=3Dx>text =\n</a>\n" * n, "Content-Transfer-Encoding: quoted-printable\n")),
    ("links of a page", "a.html", URL, lambda n: "<a href=x>x</a>\n" * n),
    ("attributes of an element", "a.html", URL, lambda n: "<a href=x" + "".join(f" a{i}=1" for i in range(n)) + ">"),
    ("character references", "a.html", URL, lambda n: "<p>" + "&amp;" * n + "<a href=x>"),
    ("bytes of text", "a.html", URL, lambda n: "<a href=x>" + "some text " * n),
    ("candidates of a srcset", "a.html", URL, lambda n: "<img srcset='" + ", ".join(f"{i} {i + 1}w" for i in range(n)) + "'>"),
    ("URLs of a style sheet", "a.css", URL, lambda n: "a { src: url(x) }\n" * n),
    ("elements of XML", "a.svg", URL, lambda n: "<svg xmlns='http://www.w3.org/2000/svg'>" + "<a href='x'/>\n" * n + "</svg>"),
    ("messages of an mbox", "a.mbox", [], lambda n: f"From a@b Thu Jan  1 00:00:00 1998\n{mail('<a href=x>')}\n" * n),
    ("records of WARC, append", "a.warc", [], lambda n: "".join(map(record, range(n)))),
    ("records of WARC, resource", "a.warc", ["--warc", "resource"], lambda n: "".join(map(record, range(n)))),
    ("files of a tree", "tree", URL, tree),
    ("files of a Maildir", "Maildir", [], maildir),
]


def processor_time(command):
    """The processor time of a command in seconds, and its greatest memory in MB. Stops where links were left: that measures no proof."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, used = os.wait4(process.pid, 0)
    said = process.stderr.read().decode(errors="replace")
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} gives {process.returncode}: {said}")
    if " left relative by rewrite" in said:
        sys.exit(f"{' '.join(map(str, command))} finds links that were left: {said}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(absolve, kind, number):
    _, name, flags, make = kind
    with tempfile.TemporaryDirectory() as folder:
        original, output = Path(folder) / "in" / name, Path(folder) / "out" / name
        original.parent.mkdir()
        output.parent.mkdir()
        if make in (tree, maildir):
            make(original, number)
        else:
            original.write_text(make(number), newline="")
        rewrite, _ = processor_time([absolve, "rewrite", "--quiet", original, "-o", output, *flags])
        verify, memory = processor_time([absolve, "verify", original, output, *flags])
    return rewrite, verify, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help="words of the kinds to measure (default: all)")
    parser.add_argument("--absolve", default="target/release/absolve", help="the program (default: %(default)s)")
    parser.add_argument("--numbers", type=int, nargs=2, default=(SMALL, LARGE), metavar=("SMALL", "LARGE"))
    arguments = parser.parse_args()
    small, large = arguments.numbers
    print(f"{'':28}{f'verify {small:,}':>16}{f'verify {large:,}':>16}{'growth':>8}{'linear':>8}{'of rewrite':>12}{'MB':>8}")
    for kind in KINDS:
        if arguments.kinds and not any(word in kind[0] for word in arguments.kinds):
            continue
        _, few, _ = measure(arguments.absolve, kind, small)
        rewrite, many, memory = measure(arguments.absolve, kind, large)
        growth = many / max(few, 0.001)
        print(f"{kind[0]:28}{few:15.2f}s{many:15.2f}s{growth:8.1f}{large / small:8.1f}{many / max(rewrite, 0.001):12.1f}{memory:8.0f}", flush=True)


if __name__ == "__main__":
    main()
