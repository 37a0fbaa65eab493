"""Thunderbird, on a display that nobody sees, driven by Marionette."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from .probe import READY, Shown

# No questions, no network, and an account, without which no draft can be opened.
PREFERENCES = {
    "mail.rights.version": 1, "mail.shell.checkDefaultClient": False, "mail.spotlight.firstRunDone": True,
    "mailnews.start_page.enabled": False, "mailnews.start_page_override.mstone": "ignore", "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False,
    "datareporting.policy.dataSubmissionPolicyBypassNotification": True, "app.donation.eoy.version.viewed": 999,
    "mail.provider.suppress_dialog_on_startup": True, "mail.spam.version": 1, "extensions.getAddons.cache.enabled": False,
    "extensions.update.enabled": False, "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "mail.inappnotifications.enabled": False, "mail.inappnotifications.url": "", "services.settings.server": "data:,none",
    # A window of its own for each message.
    "mail.openMessageBehavior": 0,
    "mail.accountmanager.accounts": "account1,account2", "mail.accountmanager.localfoldersserver": "server1",
    "mail.accountmanager.defaultaccount": "account2", "mail.account.account1.server": "server1", "mail.server.server1.type": "none",
    "mail.server.server1.hostname": "Local Folders", "mail.server.server1.name": "Local Folders", "mail.server.server1.userName": "nobody",
    "mail.server.server1.directory-rel": "[ProfD]Mail/Local Folders", "mail.account.account2.server": "server2",
    "mail.account.account2.identities": "id1", "mail.server.server2.type": "pop3", "mail.server.server2.hostname": "127.0.0.1",
    "mail.server.server2.port": 1, "mail.server.server2.userName": "reader", "mail.server.server2.name": "reader",
    "mail.server.server2.directory-rel": "[ProfD]Mail/127.0.0.1", "mail.server.server2.check_new_mail": False,
    "mail.server.server2.login_at_startup": False, "mail.server.server2.download_on_biff": False,
    "mail.identity.id1.useremail": "reader@example.org", "mail.identity.id1.fullName": "Reader", "mail.identity.id1.valid": True,
    "mail.identity.id1.compose_html": True, "mail.identity.id1.smtpServer": "smtp1", "mail.smtpservers": "smtp1",
    "mail.smtpserver.smtp1.hostname": "127.0.0.1", "mail.smtpserver.smtp1.port": 2, "mail.smtp.defaultserver": "smtp1",
}

# As a double click on the file does: a message with X-Unsent opens for editing.
OPEN = """
    const {MailUtils} = ChromeUtils.importESModule("resource:///modules/MailUtils.sys.mjs");
    const file = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile);
    file.initWithPath(args[0]);
    Services.prefs.setBoolPref("mailnews.message_display.disable_remote_image", !args[1]);
    const url = Services.io.newFileURI(file).mutate().setQuery("type=application/x-message-display").finalize();
    MailUtils.openEMLFile(Services.wm.getMostRecentWindow("mail:3pane"), file, url);
"""

FIND = """
    const window = Services.wm.getMostRecentWindow({read: "mail:messageWindow", draft: "msgcompose"}[args[0]]);
    const frame = window?.document.getElementById("messageEditor")
        ?? window?.messageBrowser?.contentWindow?.document.getElementById("messagepane");
    const shown = frame?.contentDocument;
    const body = shown?.readyState === "complete" ? shown.body : null;
    const origin = [-shown?.defaultView?.scrollX, -shown?.defaultView?.scrollY];
"""

RESIZE = """
    window.moveTo(0, 0);
    window.resizeTo(1000, 1300);
    await new Promise((done) => window.setTimeout(done, 500));
    return [0, 0, shown.documentElement.scrollWidth, shown.documentElement.scrollHeight];
"""

PICTURE = """
    const bitmap = await frame.browsingContext.currentWindowGlobal.drawSnapshot(new window.DOMRect(...args.slice(1)), 1, "white");
    const canvas = window.document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    return canvas.toDataURL("image/png");
"""

AROUND = """
    const around = frame.ownerDocument;
    const list = around.getElementById("attachmentList") ?? around.getElementById("attachmentBucket");
    return [around.querySelectorAll("notification-message").length, list?.querySelectorAll(".attachmentItem").length ?? 0];
"""

CLOSE = """
    window.SetContentAndBodyAsUnmodified?.();
    window.close();
"""


FOLDER = """
    const {MailServices} = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
    const root = MailServices.accounts.localFoldersServer.rootFolder.QueryInterface(Ci.nsIMsgLocalMailFolder);
    const [name, ...paths] = args;
    if (!root.containsChildNamed(name)) root.createLocalSubfolder(name);
    const folder = root.getChildNamed(name).QueryInterface(Ci.nsIMsgLocalMailFolder);
"""

STORE = FOLDER + """
    for (const path of paths) {
        const file = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile);
        file.initWithPath(path);
        await new Promise((done, fail) => MailServices.copy.copyFileMessage(file, folder, null, false, 0, "", {
            onStartCopy() {}, onProgress() {}, setMessageKey() {}, getMessageId: () => null,
            onStopCopy: (status) => status ? fail(new Error(`status ${status}`)) : done(),
        }, null));
    }
    return folder.filePath.path;
"""

READ = FOLDER + """
    const {NetUtil} = ChromeUtils.importESModule("resource://gre/modules/NetUtil.sys.mjs");
    await IOUtils.copy(paths[0], folder.filePath.path);
    folder.msgDatabase = null;
    await IOUtils.remove(folder.summaryFile.path, {ignoreAbsent: true});
    await new Promise((done) => {
        // It throws as long as it reads.
        try { folder.getDatabaseWithReparse({OnStartRunningUrl() {}, OnStopRunningUrl: done}, null); } catch { }
        setTimeout(done, 5000);
    });
    return [...folder.messages].map((header) => {
        const stream = folder.getMsgInputStream(header, {});
        return NetUtil.readInputStreamToString(stream, header.messageSize);
    });
"""


class Thunderbird:
    name = "Thunderbird"

    @staticmethod
    def absent():
        """What is not installed, if anything is not."""
        return [name for name in ("thunderbird", "Xvfb") if not shutil.which(name)]

    def __init__(self, folder):
        self.processes, home = [], folder / "thunderbird"
        (home / "profile").mkdir(parents=True)
        preferences = PREFERENCES | {"marionette.port": free_port()}
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items())
        (home / "profile/user.js").write_text("".join(lines))
        display, ready = os.pipe()
        self.processes.append(subprocess.Popen(
            ["Xvfb", "-displayfd", str(ready), "-screen", "0", "1300x1400x24", "-nolisten", "tcp"],
            pass_fds=[ready], stderr=subprocess.DEVNULL, start_new_session=True))
        os.close(ready)
        with os.fdopen(display) as lines:
            number = lines.readline().strip()
        environment = os.environ | {
            "DISPLAY": f":{number}", "HOME": str(home), "LC_ALL": "C.UTF-8", "MOZ_CRASHREPORTER_DISABLE": "1", "NO_AT_BRIDGE": "1",
            # Its sandbox does not work for root.
            "MOZ_DISABLE_CONTENT_SANDBOX": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "GTK_USE_PORTAL": "0",
        }
        with open(home / "log", "wb") as log:
            self.processes.append(subprocess.Popen(
                ["thunderbird", "--profile", str(home / "profile"), "--no-remote", "--new-instance", "--marionette",
                 "--remote-allow-system-access"], env=environment, stdout=log, stderr=log, start_new_session=True))
        try:
            self.connection = Marionette(preferences["marionette.port"])
            self.wait("return Services.wm.getMostRecentWindow('mail:3pane')?.document.readyState === 'complete'")
            self.version = self.connection.run("return Services.appinfo.version")
        except BaseException:
            self.close()
            raise

    def wait(self, script, *arguments):
        end = time.monotonic() + 60
        while not self.connection.run(script, *arguments):
            if time.monotonic() > end:
                raise RuntimeError(f"Thunderbird: waited in vain for {script.strip()}")
            time.sleep(0.3)

    @contextlib.contextmanager
    def open(self, message: pathlib.Path, mode, remote):
        """Opens a message in `mode` (read or draft), with remote content if `remote`."""
        self.connection.run(OPEN, str(message), remote)
        self.wait(FIND + READY, mode)
        # The window for editing replaces the addresses of images after it has opened.
        time.sleep(1.5)

        def run(script, *arguments):
            return self.connection.run(FIND + script, mode, *arguments)

        def picture(*area):
            return base64.b64decode(run(PICTURE, *area).partition(",")[2])

        area = run(RESIZE)
        shown = Shown(run, picture)
        shown.area, (shown.notices, shown.attachments) = area, run(AROUND)
        yield shown
        run(CLOSE)

    def store(self, name, paths):
        """Copies messages into a new folder, and returns the path of its mailbox."""
        return pathlib.Path(self.connection.run(STORE, name, *map(str, paths)))

    def messages(self, name, path):
        """Returns the messages that it finds in a mailbox, which becomes its folder `name`."""
        return self.connection.run(READ, name, str(path))

    def close(self):
        end(self.processes)


class Marionette:
    """The protocol by which Mozilla's programs are driven: `LENGTH:JSON`, in both directions."""

    def __init__(self, port):
        end = time.monotonic() + 60
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), 5)
                break
            except OSError:
                if time.monotonic() > end:
                    raise RuntimeError("the program does not answer") from None
                time.sleep(0.3)
        self.socket.settimeout(120)
        self.buffer, self.last = b"", 0
        self.read()
        self.call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})
        self.call("Marionette:SetContext", {"value": "chrome"})

    def read(self):
        while b":" not in self.buffer:
            self.receive()
        length, _, self.buffer = self.buffer.partition(b":")
        while len(self.buffer) < int(length):
            self.receive()
        packet, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        return json.loads(packet)

    def receive(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise RuntimeError("the program has ended")
        self.buffer += data

    def call(self, name, parameters):
        self.last += 1
        data = json.dumps([0, self.last, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        _, _, error, result = self.read()
        if error:
            raise RuntimeError(f"{name}: {error['error']}: {error['message']}")
        return result

    def run(self, script, *arguments):
        """What `script`, the body of an async function, returns in the program itself."""
        body = (f"const done = arguments[arguments.length - 1]; (async (...args) => {{{script}}})(...[...arguments].slice(0, -1))"
                ".then((value) => done({value}), (error) => done({error: String(error) + error.stack}));")
        parameters = {"script": body, "args": list(arguments), "newSandbox": True, "timeout": 60000}
        result = self.call("WebDriver:ExecuteAsyncScript", parameters)["value"]
        if result and "error" in result:
            raise RuntimeError(result["error"])
        return (result or {}).get("value")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def end(processes):
    """Ends processes and those that they have started."""
    for process in reversed(processes):
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
