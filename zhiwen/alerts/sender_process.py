"""The process that sends alerts: an order a line in, an answer a line out. It holds no connection to the store."""

import json
import socket
import sys
from dataclasses import asdict, replace
from typing import Final

from crawler.network.ssrf_guard import networks
from zhiwen.alerts import sandbox
from zhiwen.alerts.json_post import TIMEOUT_S
from zhiwen.alerts.messages import Order, Outcome
from zhiwen.alerts.senders import send

NOTHING_SENT: Final = "It says that it took the message, but nothing was sent to it."


def main() -> None:
    """Until there are no more orders. The first line says where it may connect to and how it calls itself."""
    settings = json.loads(sys.stdin.readline())
    socket.setdefaulttimeout(TIMEOUT_S)
    seen = sandbox.install(networks(settings["networks"]))
    for line in iter(sys.stdin.readline, ""):
        seen.clear()
        outcome = send(Order.from_line(line), settings["user_agent"])
        refused = seen.refused
        if outcome.is_sent and not seen.connections:
            outcome = Outcome(is_sent=False, problem=NOTHING_SENT)
        # Most plugins say no more than that there was no connection.
        if not outcome.is_sent and refused and refused[-1] not in outcome.problem:
            outcome = replace(outcome, problem=f"{outcome.problem} {refused[-1]}")
        print(json.dumps(asdict(outcome)), flush=True)


if __name__ == "__main__":
    main()
