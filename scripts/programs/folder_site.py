"""A site whose pages are folders and names without extension, as programs serve them: it has no BASE, and nothing is called index.html."""


def make_site(port, gif):
    """{request target: (status, content type, body or redirect target)}; targets as they stand on the wire."""
    site = {}

    def page(target, title, body):
        text = (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
                f'<link rel="stylesheet" href="/theme/style.css">\n</head>\n<body>\n'
                f'<nav><a href="/">home</a> <a href="/about/">about</a> <a href="/posts/">posts</a> <a href="/imprint">imprint</a></nav>\n'
                f'{body}\n</body>\n</html>\n')
        site[target] = (200, "text/html; charset=utf-8", text.encode())

    page("/", "Home", '<h1 id="top">Home</h1> <a href="posts/first/#part">first</a> <a href="about">no slash</a> <a href="#top">top</a> '
         '<img src="theme/lamp.gif" alt="">')
    page("/about/", "About", '<a href="team/">team</a> <a href="../">up</a> <a href="./">me</a>')
    page("/about/team/", "Team", '<a href="..">up</a> <a href="ada">ada</a> <img src="/theme/lamp.gif" alt="">')
    page("/about/team/ada", "Ada", '<a href="./">team</a> <a href="/posts/first/">first</a>')
    page("/posts/", "Posts", '<a href="first/">first</a> <a href="second/">second</a> <a href="gone/">gone</a>')
    page("/posts/first/", "First", '<p id="part"><a href="../second/">next</a> <a href="/posts/gone/">gone</a> <img src="fig.gif" alt="">')
    page("/posts/second/", "Second", '<a href="../first/">before</a> <a href="/imprint#address">imprint</a>')
    page("/imprint", "Imprint", '<p id="address"><a href="about/">about</a> <a href="imprint">me</a>')
    site["/theme/style.css"] = (200, "text/css", b"body { background: url(lamp.gif) }\n")
    site["/theme/lamp.gif"] = site["/posts/first/fig.gif"] = (200, "image/gif", gif)
    site["/about"] = (301, "", f"http://127.0.0.1:{port}/about/")
    site["/about/team"] = (301, "", "/about/team/")
    return site
