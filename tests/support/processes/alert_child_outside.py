"""The process that sends alerts, in a world whose every host is one port of this machine."""

import socket
import sys
from typing import Any

from zhiwen.alerts import sender_process


def main() -> None:
    port = int(sys.argv[1])

    def anywhere(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", ("127.0.0.1", port))]

    # The network outside, faked where names become addresses.
    socket.getaddrinfo = anywhere
    sender_process.main()


if __name__ == "__main__":
    main()
