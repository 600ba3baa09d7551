"""What a channel is asked to send, and what came of it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Order:
    """One message for one channel. `key` is the same whenever the message is tried."""

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
    """Whether the channel took the message. `problem`: what went wrong, without secrets; also of what was taken."""

    is_sent: bool
    problem: str = ""
