"""Record of the progress of an import."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """`number` records of `file` are stored, and all files before it. Size and time identify the file's content."""

    file: str
    size: int
    mtime_ns: int
    number: int
    is_done: bool = False
    """Whether the whole path is imported."""
