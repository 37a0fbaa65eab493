"""Runs the command: `absolve …` or `python -m absolve …`."""

import signal
import sys

from absolve._native import run_command


def main() -> None:
    """Runs the command with the arguments of the process, and exits with its status."""
    # Rust works without the interpreter, which would handle Ctrl-C only at the end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_command(["absolve", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
