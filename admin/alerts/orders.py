"""Orders to send a message, and their outcomes, as they pass to and from the process that sends."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class LetterFile:
    """An attachment; `content` in base64."""

    name: str
    content_type: str
    content: str


@dataclass(frozen=True, slots=True)
class LetterAddressing:
    """What a letter to somebody else has beyond a message to a channel: `to` takes the place of its recipients."""

    to: str
    reply_to: str = ""
    files: tuple[LetterFile, ...] = ()

    @classmethod
    def from_object(cls, found: Mapping[str, Any]) -> "LetterAddressing":
        return cls(found["to"], found["reply_to"], tuple(LetterFile(**file) for file in found["files"]))


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
    letter: LetterAddressing | None = None
    """Only of letters by mail, which go to somebody else through the mail server of the channel."""

    def to_line(self) -> bytes:
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: str) -> "Order":
        found = json.loads(line)
        letter = found.pop("letter", None)
        return cls(**found, letter=None if letter is None else LetterAddressing.from_object(letter))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the channel accepted the message. `problem`: what went wrong, without secrets; an accepted message may
    have one too (some recipients refused).
    """

    is_sent: bool
    problem: str = ""
    is_uncertain: bool = False
    """It broke off while the receiver may already have taken the message."""
    is_permanent: bool = False
    """The receiver refused it for good: another attempt would fail as well."""
