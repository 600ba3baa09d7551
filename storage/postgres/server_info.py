"""What a server says of itself: its version, its encoding, its clock."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, text


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """`clock` is the server's, between `asked_at` and `answered_at` of this machine's."""

    version: str
    encoding: str
    clock: datetime
    asked_at: datetime
    answered_at: datetime


def read(engine: Engine) -> ServerFacts:
    with engine.connect() as connection:
        version = connection.execute(text("SHOW server_version")).scalar_one()
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        asked_at = datetime.now(UTC)
        clock = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        return ServerFacts(version, encoding, clock, asked_at, datetime.now(UTC))
