"""Headless Chromium, driven by its DevTools protocol over a pipe."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time


class Chromium:
    def __init__(self, program, folder, width, height, *more):
        self.profile = folder / "chromium"
        ours, theirs = os.pipe(), os.pipe()
        # Away from 3 and 4, where Chromium expects them.
        reads, writes = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (ours[0], theirs[1]))
        self.writes, self.reads = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (ours[1], theirs[0]))
        for end in (*ours, *theirs):
            os.close(end)

        def place():
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen([
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--force-device-scale-factor=1", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", *more, "about:blank",
        ], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=place, start_new_session=True)
        os.close(reads)
        os.close(writes)
        self.size = {"width": width, "height": height}
        self.buffer, self.last, self.target, self.session = b"", 0, None, None
        # What the page that is open has told of itself, in the domains that are enabled.
        self.events = []

    def call(self, method, **parameters):
        self.last += 1
        command = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.writes, data):]
        while True:
            answer = self.read()
            if answer.get("id") == self.last:
                break
            if answer.get("sessionId") and answer["sessionId"] == self.session:
                self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def read(self):
        while b"\0" not in self.buffer:
            if not select.select([self.reads], [], [], 60)[0]:
                raise RuntimeError("Chromium does not answer")
            data = os.read(self.reads, 1 << 16)
            if not data:
                raise RuntimeError("Chromium has ended")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def run(self, script, *arguments):
        """What `script`, the body of an async function, returns in the page."""
        call = f"(async (...args) => {{{script}}})(...{json.dumps(arguments)})"
        answer = self.call("Runtime.evaluate", expression=call, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def open(self, url, *domains):
        """Opens a page in a new tab. That of the page before is closed, so that it cannot ask whether it may be left.

        What `domains` of the protocol tell of it is in `events`.
        """
        before, self.session, self.events = self.target, None, []
        self.target = self.call("Target.createTarget", url="about:blank")["targetId"]
        if before:
            self.call("Target.closeTarget", targetId=before)
        self.session = self.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", *domains):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", **self.size, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=url)
        self.wait("return location.href !== 'about:blank' && document.readyState === 'complete'")

    def wait(self, script, *arguments, seconds=30):
        """Waits until `script` returns something true; a page may be replaced meanwhile."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self.run(script, *arguments):
                    return
            except RuntimeError as error:
                problem = error
            else:
                problem = "it stays false"
            if time.monotonic() > end:
                raise RuntimeError(f"waited in vain for {script.strip()}: {problem}")
            time.sleep(0.2)

    def picture(self, x, y, width, height):
        clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"])

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.writes)
        os.close(self.reads)
        shutil.rmtree(self.profile, ignore_errors=True)
