"""A command as a child of `zhiwen up`: told to stop when its parent is no more, whatever became of it."""

import os
import signal
import sys
import threading

from zhiwen.cli import main


def end_with_parent() -> None:
    """A parent that was killed closes its end of our input; then we stop as if it had told us."""
    # Not through sys.stdin, whose lock would be held at exit.
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=end_with_parent, daemon=True).start()
    main(sys.argv[1:])
