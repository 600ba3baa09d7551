"""The process that sends alerts: an order a line in, an answer a line out. It holds no connection to the store."""

import json
import smtplib
import socket
import sys
from dataclasses import asdict, replace
from http.client import HTTPException
from typing import Final

from admin.alerts.addresses import without_secrets
from admin.alerts.apprise_service import library
from admin.alerts.channel_registry import kind_of
from admin.alerts.json_post import TIMEOUT_S
from admin.alerts.orders import Order, Outcome
from crawler.network.ssrf_guard import networks
from zhiwen.alerts import sandbox

NOTHING_SENT: Final = "It says that it took the message, but nothing was sent to it."


def main() -> None:
    """Until there are no more orders. The first line says where it may connect to and how it calls itself."""
    settings = json.loads(sys.stdin.readline())
    socket.setdefaulttimeout(TIMEOUT_S)
    library()  # its modules are files, which nobody reads any more behind the guard
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


def send(order: Order, user_agent: str) -> Outcome:
    """Never raises for what a channel, its address or a message can cause."""
    try:
        return kind_of(order.kind).send(order, user_agent)
    except (OSError, HTTPException, smtplib.SMTPException, ValueError, UnicodeError) as error:
        said = f"{type(error).__name__}: {error}"
        return Outcome(is_sent=False, problem=without_secrets(said, order.address, order.secret))


if __name__ == "__main__":
    main()
