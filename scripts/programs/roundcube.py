"""Roundcube (a web mail) with Dovecot, both on loopback with all they keep in a temporary folder, in Chromium."""

import contextlib
import grp
import json
import os
import pathlib
import pwd
import shutil
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request

from .chromium import Chromium
from .probe import READY, Shown
from .thunderbird import end, free_port

PUBLIC = pathlib.Path("/var/lib/roundcube/public_html")
SCHEMA = pathlib.Path("/usr/share/roundcube/SQL/sqlite.initial.sql")
USER = "reader"

# What the web server of PHP cannot guess: links of Debian's package that lead out of the folder are files as well.
ROUTER = """<?php
$file = $_SERVER['DOCUMENT_ROOT'] . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (is_file($file) && !str_ends_with($file, '.php')) return false;
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
"""

DOVECOT = """
protocols = imap
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
ssl = no
disable_plaintext_auth = no
default_internal_user = {internal}
default_login_user = {login}
default_internal_group = {group}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
passdb {{
  driver = static
  args = nopassword=y
}}
userdb {{
  driver = static
  args = uid={owner} gid={owner_group} home={folder}/mail
}}
first_valid_uid = 1
mail_location = maildir:{folder}/mail/Maildir
"""

# In reading, the element that holds the message; in editing, the document of the editor.
FIND = """
    const frame = args[0] === "draft" ? document.getElementById("composebody_ifr") : null;
    const shown = args[0] === "draft" ? frame?.contentDocument : document;
    const part = args[0] === "draft" ? shown?.body : document.querySelector("#messagebody .message-htmlpart");
    const body = part?.querySelector("[class*=rcmBody]") ?? part;
    const box = (frame ?? part)?.getBoundingClientRect();
    const origin = frame ? [0, 0] : [box?.x, box?.y];
"""

# An editor as high as what it shows.
RESIZE = """
    for (let around = frame; around; around = around.parentElement)
        if (around === frame || around.classList.contains("tox-tinymce"))
            around.style.height = shown.documentElement.scrollHeight + 200 + "px";
    await new Promise((done) => setTimeout(done, 500));
"""

AREA = "return [box.x + scrollX, box.y + scrollY, box.width, box.height];"

AROUND = """
    const notices = document.querySelectorAll("#remote-objects-message, #message-objects .notice, #message-objects .warning");
    return [[...notices].filter((notice) => notice.offsetParent).length, document.querySelectorAll("#attachment-list li .attachment-name").length];
"""


class Roundcube:
    name = "Roundcube"

    @staticmethod
    def absent():
        """What is not installed, if anything is not."""
        there = {"dovecot-imapd": shutil.which("dovecot"), "php-cli": shutil.which("php"), "roundcube-core": PUBLIC.exists(),
                 "roundcube-sqlite3": SCHEMA.exists(), "chromium": shutil.which("chromium")}
        return [name for name, is_there in there.items() if not is_there]

    def __init__(self, folder):
        self.folder, self.messages, self.processes = folder / "roundcube", {"read": 0, "draft": 0}, []
        self.folder.mkdir()
        # Dovecot's processes, which are not root, go through it.
        folder.chmod(0o755)
        self.maildir = self.folder / "dovecot/mail/Maildir"
        self.version = installed_version()
        try:
            self.start_dovecot()
            self.start_roundcube()
            self.chromium = Chromium(shutil.which("chromium"), self.folder, 1300, 2600)
            self.log_in()
        except BaseException:
            self.close()
            raise

    def start_dovecot(self):
        folder = self.folder / "dovecot"
        self.maildir.mkdir(parents=True)
        (folder / "run").mkdir()
        self.imap = free_port()
        root = os.geteuid() == 0
        mine, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(os.getegid()).gr_name
        # Its processes for mail must not be root.
        self.owner = (65534, 65534) if root else (os.geteuid(), os.getegid())
        (folder / "dovecot.conf").write_text(DOVECOT.format(
            folder=folder, port=self.imap, internal="dovecot" if root else mine, login="dovenull" if root else mine,
            group="dovecot" if root else group, owner=self.owner[0], owner_group=self.owner[1]))
        self.own()
        self.start("dovecot", "-F", "-c", str(folder / "dovecot.conf"))
        wait_for(lambda: socket.create_connection(("127.0.0.1", self.imap), 1).close(), f"Dovecot: see {folder}/log")

    def start_roundcube(self):
        for name in ("config", "temp", "logs"):
            (self.folder / name).mkdir()
        database = self.folder / "roundcube.sqlite"
        with sqlite3.connect(database) as connection:
            connection.executescript(SCHEMA.read_text())
        shutil.copy("/etc/roundcube/mimetypes.php", self.folder / "config")
        settings = {
            "db_dsnw": f"sqlite:///{database}?mode=0600", "imap_host": f"127.0.0.1:{self.imap}", "smtp_host": "127.0.0.1:2",
            "temp_dir": str(self.folder / "temp"), "log_dir": str(self.folder / "logs"), "des_key": "twenty-four-letters-here",
            "skin": "elastic", "htmleditor": 1, "enable_spellcheck": False, "language": "en_US", "draft_autosave": 0,
            "compose_extwin": False, "check_all_folders": False, "refresh_interval": 0, "session_lifetime": 60,
        }
        lines = (f"$config[{json.dumps(name)}] = {json.dumps(value)};\n" for name, value in settings.items())
        (self.folder / "config/config.inc.php").write_text("<?php\n$config = [];\n" + "".join(lines))
        shutil.copy("/etc/roundcube/defaults.inc.php", self.folder / "config")
        router = self.folder / "router.php"
        router.write_text(ROUTER)
        port = free_port()
        self.address = f"http://127.0.0.1:{port}/"
        environment = os.environ | {"ROUNDCUBE_CONFIG_DIR": str(self.folder / "config") + "/", "PHP_CLI_SERVER_WORKERS": "4"}
        self.start("php", "-S", f"127.0.0.1:{port}", "-t", str(PUBLIC), str(router), environment=environment)
        wait_for(lambda: urllib.request.urlopen(self.address, timeout=5).close(), f"Roundcube: see {self.folder}/php.log")

    def start(self, name, *arguments, environment=None):
        with open(self.folder / f"{name}.log", "wb") as log:
            self.processes.append(subprocess.Popen([name, *arguments], stdout=log, stderr=log, env=environment, start_new_session=True))

    def own(self):
        for path in (self.maildir.parent, *self.maildir.parent.rglob("*")):
            os.chown(path, *self.owner)

    def log_in(self):
        self.chromium.open(self.address)
        self.chromium.run("""
            document.getElementById("rcmloginuser").value = args[0];
            document.getElementById("rcmloginpwd").value = "any";
            document.getElementById("rcmloginsubmit").click();
        """, USER)
        self.chromium.wait("return location.search.includes('_task=mail') && document.readyState === 'complete'")

    @contextlib.contextmanager
    def open(self, message: pathlib.Path, mode, remote):
        """Opens a message in `mode` (read or draft), with remote content if `remote`."""
        box, maildir = {"read": ("INBOX", self.maildir), "draft": ("Drafts", self.maildir / ".Drafts")}[mode]
        for name in ("new", "cur", "tmp"):
            (maildir / name).mkdir(parents=True, exist_ok=True)
        self.messages[mode] += 1
        number = self.messages[mode]
        shutil.copy(message, maildir / f"new/{number}.message")
        self.own()
        action = f"_action=show&_uid={number}&_safe={int(remote)}" if mode == "read" else f"_action=compose&_draft_uid={number}"
        self.chromium.open(f"{self.address}?_task=mail&_mbox={box}&_extwin=1&{action}")
        self.chromium.wait(FIND + READY, mode)
        time.sleep(1)

        def run(script, *arguments):
            return self.chromium.run(FIND + script, mode, *arguments)

        run(RESIZE)
        left, top, width, height = run(AREA)

        def picture(x, y, *size):
            return self.chromium.picture(left + x, top + y, *size)

        shown = Shown(run, picture)
        shown.area, (shown.notices, shown.attachments) = (0, 0, width, height), run(AROUND)
        yield shown

    def close(self):
        if hasattr(self, "chromium"):
            self.chromium.close()
        end(self.processes)


def installed_version():
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "roundcube-core"], capture_output=True, text=True, check=False)
    return asked.stdout.partition("+")[0] or "of unknown version"


def wait_for(attempt, name):
    end = time.monotonic() + 30
    while True:
        try:
            return attempt()
        except (OSError, urllib.error.URLError) as error:
            if time.monotonic() > end:
                raise RuntimeError(f"waited in vain for {name}: {error}") from None
            time.sleep(0.3)
