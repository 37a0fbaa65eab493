"""The browser engines that are installed: each opens one URL in a profile of its own, and pages lead it on from there."""

import contextlib
import glob
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from .thunderbird import end

# Firefox asks its makers about many things when it starts; nothing here may leave this machine.
PREFERENCES = {
    "app.update.enabled": False, "browser.aboutwelcome.enabled": False, "browser.preonboarding.enabled": False,
    "browser.region.network.url": "", "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False, "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": 9, "network.proxy.no_proxies_on": "127.0.0.1",
    "services.settings.server": "http://127.0.0.1:9/", "termsofuse.acceptedVersion": 999, "toolkit.telemetry.enabled": False,
}


def chromium(program, profile):
    return [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1280,1024",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={profile}"]


def write_preferences(profile, **more):
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in (PREFERENCES | more).items()]
    (profile / "user.js").write_text("".join(lines))


def firefox(program, profile):
    write_preferences(profile)
    return [program, "--headless", "--no-remote", "--width", "1280", "--height", "1024", "--profile", str(profile)]


def webkit(program, _):
    return ["xvfb-run", "-a", "-s", "-screen 0 1400x1200x24", program, "--geometry=1280x1024"]


def found(*names):
    """Returns the first of these programs that is installed; a name with `/` is a pattern of paths."""
    for name in names:
        paths = sorted(glob.glob(name)) if "/" in name else [shutil.which(name)]
        if paths and paths[0]:
            return paths[0]
    return None


def installed():
    """Returns, by the names of the engines, the program (None: not installed) and the function that returns its command."""
    mini_browser = shutil.which("xvfb-run") and found("/usr/lib/*/webkitgtk-6.0/MiniBrowser", "/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
    return {
        "Chromium": (found("chromium", "chromium-browser"), chromium),
        "Firefox": (found("firefox-esr", "firefox"), firefox),
        "WebKitGTK": (mini_browser, webkit),
    }


def version(program, command):
    """Returns the version of an engine; MiniBrowser tells it only where it could open a window."""
    called = [*webkit(program, None)[:-2], program] if command is webkit else [program]
    done = subprocess.run([*called, "--version"], capture_output=True, text=True, timeout=60, check=False)
    return next((word for word in done.stdout.split() if word[0].isdigit()), "of an unknown version")


@contextlib.contextmanager
def opened(engine, url):
    """Has an engine open a URL, and ends it at the end of the block."""
    program, command = engine
    home = pathlib.Path(tempfile.mkdtemp())
    profile = home / "profile"
    profile.mkdir()
    process = subprocess.Popen(
        [*command(program, profile), url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "HOME": str(home), "TMPDIR": str(home), "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "NO_AT_BRIDGE": "1"})
    try:
        yield process
    finally:
        end([process])
        shutil.rmtree(home, ignore_errors=True)
