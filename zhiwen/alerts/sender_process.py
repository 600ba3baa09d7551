"""The process that sends alerts: an order per line in, an outcome per line out. It has no access to the database."""

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
from admin.alerts.letter_mail import send_letter
from admin.alerts.orders import Order, Outcome
from crawler.network.public_addresses import networks
from zhiwen.alerts import sandbox

NOTHING_SENT: Final = "It says that it took the message, but nothing was sent to it."


def main() -> None:
    """Send orders until standard input ends. Its first line holds the allowed networks and the User-Agent."""
    settings = json.loads(sys.stdin.readline())
    socket.setdefaulttimeout(TIMEOUT_S)
    library()  # before the guard: it reads the files of its plugins
    seen = sandbox.install(networks(settings["networks"]))
    for line in iter(sys.stdin.readline, ""):
        seen.clear()
        outcome = send(Order.from_line(line), settings["user_agent"])
        refused = seen.refused
        if outcome.is_sent and not seen.connections:
            outcome = Outcome(is_sent=False, problem=NOTHING_SENT)
        # Most plugins only report that there was no connection.
        if not outcome.is_sent and refused and refused[-1] not in outcome.problem:
            outcome = replace(outcome, problem=f"{outcome.problem} {refused[-1]}")
        print(json.dumps(asdict(outcome)), flush=True)


def send(order: Order, user_agent: str) -> Outcome:
    """Send one order. Failures of the channel become outcomes, not exceptions."""
    try:
        if order.letter is not None:
            return send_letter(order, order.letter)
        return kind_of(order.kind).send(order, user_agent)
    except (OSError, HTTPException, smtplib.SMTPException, ValueError, UnicodeError) as error:
        said = f"{type(error).__name__}: {error}"
        return Outcome(is_sent=False, problem=without_secrets(said, order.address, order.secret))


if __name__ == "__main__":
    main()
