"""Programs that save pages, each called as its own commands for that do it."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from .engines import write_preferences
from .thunderbird import Marionette, end, free_port

# The component behind "Save page as: Web page, complete".
SAVE_IN_FIREFOX = """
    const [path, url] = args, persist = Ci.nsIWebBrowserPersist;
    const browser = gBrowser.selectedBrowser;
    browser.fixupAndLoadURIString(url, {triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal()});
    const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
    while (browser.currentURI.spec !== url || browser.webProgress.isLoadingDocument) await wait(100);
    await wait(700);
    const file = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile), folder = file.clone();
    file.initWithPath(path);
    folder.initWithPath(path.replace(/[.]html$/, "_files"));
    const page = await new Promise((onDocumentReady, onError) =>
        browser.frameLoader.startPersistence(null, {onDocumentReady, onError}));
    const saver = Cc["@mozilla.org/embedding/browser/nsWebBrowserPersist;1"].createInstance(persist);
    saver.persistFlags = persist.PERSIST_FLAGS_FROM_CACHE | persist.PERSIST_FLAGS_AUTODETECT_APPLY_CONVERSION;
    saver.saveDocument(page, Services.io.newFileURI(file), folder, "text/html", persist.ENCODE_FLAGS_ENCODE_BASIC_ENTITIES, 80);
    while (saver.currentState !== persist.PERSIST_STATE_FINISHED) await wait(100);
"""

SAVE_IN_WEBKIT = """
import gi, sys
gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gio, GLib, Gtk, WebKit2
url, path = sys.argv[1:]
view, window = WebKit2.WebView(), Gtk.Window()
window.add(view)
window.show_all()

def finish(view, result):
    view.save_to_file_finish(result)
    Gtk.main_quit()

def save():
    view.save_to_file(Gio.File.new_for_path(path), WebKit2.SaveMode.MHTML, None, finish)

view.connect("load-changed", lambda _, event: event == WebKit2.LoadEvent.FINISHED and GLib.timeout_add(1000, save))
view.load_uri(url)
GLib.timeout_add_seconds(60, Gtk.main_quit)
Gtk.main()
"""

SAVE_IN_QT = """
import sys
from PyQt6.QtCore import QTimer, QUrl
from PyQt6.QtWebEngineCore import QWebEngineDownloadRequest, QWebEnginePage, QWebEngineProfile
from PyQt6.QtWidgets import QApplication
url, path, *name = sys.argv[1:]
application = QApplication(["save"])
profile = QWebEngineProfile(*name)
page = QWebEnginePage(profile)

def accept(download):
    download.isFinishedChanged.connect(application.quit)
    download.accept()

profile.downloadRequested.connect(accept)
complete = QWebEngineDownloadRequest.SavePageFormat.CompleteHtmlSaveFormat
page.loadFinished.connect(lambda _: QTimer.singleShot(700, lambda: page.save(path, complete)))
QTimer.singleShot(60000, application.quit)
page.load(QUrl(url))
application.exec()
del page
"""


class Absent(Exception):
    """What is not installed, or does not run here."""


def program(name, *more):
    found = next((path for path in map(shutil.which, (name, *more)) if path), None)
    if not found:
        raise Absent(f"{name} is not installed")
    return found


def run(command, folder, given="", **environment):
    """Runs a command that keeps all it has in a folder; `given` is its standard input."""
    return subprocess.run(
        [str(word) for word in command], cwd=folder, input=given, capture_output=True, text=True, errors="replace", check=False, timeout=180,
        env={**os.environ, "HOME": str(folder), "TMPDIR": str(folder), **environment})


def has_module(python, module):
    if run([python, "-c", f"import {module}"], "/tmp").returncode:
        raise Absent(f"{python} has no {module}")
    return python


def saved(path, done):
    """Returns the path of what was saved; that nothing was is the fault of the program or of this machine."""
    if not path.is_file():
        raise Absent(f"the program has saved nothing: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return path


def by_firefox(url, path):
    firefox = program("firefox-esr", "firefox")
    home = pathlib.Path(tempfile.mkdtemp())
    profile, port = home / "profile", free_port()
    profile.mkdir()
    write_preferences(profile, **{"marionette.port": port})
    with subprocess.Popen([firefox, "--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", str(profile)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, env={**os.environ, "HOME": str(home)}) as process:
        try:
            Marionette(port).run(SAVE_IN_FIREFOX, str(path), url)
        finally:
            end([process])
            shutil.rmtree(home, ignore_errors=True)
    return path


def by_qt(python, url, path, *profile):
    has_module(python, "PyQt6.QtWebEngineCore")
    done = run([python, "-c", SAVE_IN_QT, url, path, *profile], path.parent, QT_QPA_PLATFORM="offscreen", QTWEBENGINE_DISABLE_SANDBOX="1",
               QTWEBENGINE_CHROMIUM_FLAGS="--no-sandbox --disable-gpu")
    return saved(path, done)


def by_webkit(url, path):
    program("xvfb-run")
    # The bindings are those of Debian's own Python.
    python = "/usr/bin/python3"
    if run([python, "-c", "import gi; gi.require_version('WebKit2', '4.1')"], "/tmp").returncode:
        raise Absent("WebKitGTK (gir1.2-webkit2-4.1, python3-gi) is not installed")
    bus = ["dbus-run-session", "--"] if shutil.which("dbus-run-session") else []
    return saved(path, run(["xvfb-run", "-a", *bus, python, "-c", SAVE_IN_WEBKIT, url, path], path.parent, WEBKIT_DISABLE_COMPOSITING_MODE="1"))


def by_single_file(modules, url, path, *more):
    single_file = pathlib.Path(modules) / "node_modules/.bin/single-file"
    if not single_file.is_file():
        raise Absent(f"single-file-cli is not in {modules}")
    chromium = program("chromium", "chromium-browser")
    command = [single_file, f"--browser-executable-path={chromium}", '--browser-args=["--no-sandbox","--disable-gpu"]', *more, url, path]
    # On a busy machine it may lose the page while that loads.
    for _ in range(3):
        done = run(command, path.parent)
        if path.is_file():
            break
    return saved(path, done)
