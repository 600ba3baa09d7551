"""How far an import came, as a frozen value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """`number` records of `file` are done, and all files before it. Size and time tell whether it is the same file."""

    file: str
    size: int
    mtime_ns: int
    number: int
    is_done: bool = False
    """Whether nothing is left."""
