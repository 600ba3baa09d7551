"""Problems of a package."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """`member`: the one at fault; None: no single one."""

    member: str | None
    message: str

    def __str__(self) -> str:
        return self.message if self.member is None else f"{self.member}: {self.message}"
