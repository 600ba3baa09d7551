"""A command as a child of `zhiwen up`: it stops when its parent ends, for whatever reason."""

import os
import signal
import sys
import threading

from zhiwen.cli import main


def end_with_parent() -> None:
    """Sends SIGTERM to this process when its input ends, as it does when the parent was killed."""
    # Not through sys.stdin: its lock would be held at exit.
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=end_with_parent, daemon=True).start()
    main(sys.argv[1:])
