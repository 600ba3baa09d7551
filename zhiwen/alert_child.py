"""The process that sends alerts: an order a line in, an answer a line out. It holds no connection to the store."""

import json
import socket
import sys
from dataclasses import asdict, replace

from crawler.guard import networks
from zhiwen import alert_guard
from zhiwen.alert_orders import Order
from zhiwen.alert_senders import TIMEOUT_S, send


def main() -> None:
    """Until there are no more orders. The first line says where it may connect to and how it calls itself."""
    settings = json.loads(sys.stdin.readline())
    socket.setdefaulttimeout(TIMEOUT_S)
    refused = alert_guard.install(networks(settings["networks"]))
    for line in iter(sys.stdin.readline, ""):
        refused.clear()
        outcome = send(Order.from_line(line), settings["user_agent"])
        # Most plugins say no more than that there was no connection.
        if not outcome.is_sent and refused and refused[-1] not in outcome.problem:
            outcome = replace(outcome, problem=f"{outcome.problem} {refused[-1]}")
        print(json.dumps(asdict(outcome)), flush=True)


if __name__ == "__main__":
    main()
