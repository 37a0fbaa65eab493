"""Sites whose mirrors have no queries in their names: pages without extension, and pages with one."""
import re


def page(title, body, head=""):
    return (200, "text/html; charset=utf-8", (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n{head}</head>\n<body>\n{body}\n</body>\n'
        "</html>\n").encode())


def make_site(port):
    """Pages whose names have no extension, and one that has. wget -E makes the same names of both."""
    def own(path):
        return f'<meta property="og:url" content="http://127.0.0.1:{port}{path}">\n'
    return {
        "/": page("Home", '<a href="notes">notes</a> <a href="docs/intro">intro</a> <a href="old.html">old</a> <a href="a%20b">space</a> '
                  '<a href="caf%C3%A9">café</a> <a href="moved">moved</a>'),
        "/notes": page("Notes", '<a href="about#us">about</a> <a href="/docs/intro">intro</a>'),
        "/about": page("About", '<a href="notes">notes</a> <a href="old.html">old</a>', own("/about")),
        "/docs/intro": page("Intro", '<a href="../notes">notes</a> <a href="next">next</a>'),
        "/docs/next": page("Next", '<a href="intro">intro</a> <a href="../about">about</a>'),
        "/old.html": page("Old", '<a href="notes">notes</a>', own("/old.html")),
        "/a%20b": page("Space", '<a href="notes">notes</a>'),
        "/caf%C3%A9": page("Café", '<a href="a%20b">space</a>'),
        "/moved": (302, "", "/docs/next"),
        "/robots.txt": (200, "text/plain", b"User-agent: *\nAllow: /\n"),
    }


def make_bare_site(port):
    """The same pages without the URL of themselves, as a title in its place."""
    def bare(row):
        return row if row[0] != 200 else (*row[:2], re.sub(b'<meta property="og:url".*\n', b"", row[2]))
    return {target: bare(row) for target, row in make_site(port).items()}
