"""Orders to send a message, and their outcomes, as they pass to and from the process that sends."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Order:
    """One message for one channel. `key` is the same at every attempt."""

    kind: str
    address: str = field(repr=False)
    secret: str = field(repr=False)
    key: str
    made_at: str
    """ISO 8601, in UTC."""
    subject: str
    text: str
    payload: Mapping[str, Any]

    def to_line(self) -> bytes:
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: str) -> "Order":
        return cls(**json.loads(line))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the channel accepted the message. `problem`: what went wrong, without secrets; an accepted message may
    have one too (some recipients refused).
    """

    is_sent: bool
    problem: str = ""
