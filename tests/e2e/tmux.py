"""tmux.py - a terminal that tests can type on and read from."""

import difflib

from harness import *


class Screen:
    """A tmux server of its own with one shell in it."""

    def __init__(self, name, columns=120, rows=40, **env):
        self.socket = f"{MARK}-{name}"
        self.at = folder(name)
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", self.at,
                  "env", "PS1=ready> ", "PS2=", "HISTFILE=", *(f"{k}={v}" for k, v in env.items()),
                  "bash", "--norc", "--noprofile", "-i")
        self.wait("ready>")

    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", self.socket, *words], capture_output=True, text=True)

    def type(self, text):
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def key(self, *keys):
        self.tmux("send-keys", *keys)

    def click(self, column, row):
        """As the terminal reports a press and a release there; places from 0."""
        for button in 0, 3:
            self.tmux("send-keys", "-l", "\x1b[M" + "".join(chr(33 + n) for n in (button - 1, column, row)))

    def text(self, *words):
        return self.tmux("capture-pane", "-p", "-J", *words).stdout.rstrip("\n")

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def wait(self, part, seconds=20):
        return wait_until(lambda: part in self.text(), seconds, 0.05)

    def file(self, name, seconds=20):
        """The content of a file that a command on the screen writes, or None."""
        path = f"{self.at}/{name}"
        wait_until(lambda: os.path.exists(path) and read(path), seconds)
        return read(path).strip() if os.path.exists(path) else None

    def close(self):
        self.tmux("kill-server")


def golden(name, text, *, update="--update" in sys.argv):
    """A screen is as it was looked at and kept, blanks at the ends of lines aside; --update keeps it anew."""
    path = f"{REPO}/tests/golden/top/{name}.txt"
    text = "".join(line.rstrip() + "\n" for line in text.splitlines())
    if update:
        with open(path, "w") as f:
            f.write(text)
    want = read(path)
    ok(text == want, f"the screen {name}", *difflib.unified_diff(want.splitlines(), text.splitlines(), "kept", "now", lineterm=""))
