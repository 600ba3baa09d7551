"""Zhiwen's own commands as processes, on a home of the benchmark."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from crawler.network.loopback_server import LOOPBACK

SERVICES: Final = "search_services.toml"
_TOLD: Final = 1_500
"""Characters of the end of a failed command's output."""


class CommandFailed(Exception):
    """A command ended with an error. The message holds the end of its output."""


@dataclass(frozen=True, slots=True)
class Program:
    """`home`: of the store, the settings and the evidence."""

    home: Path

    def write_services(self, url: str, *, queries_a_month: int | None = None) -> None:
        """Set one SearXNG service up, with a budget if one is given."""
        budget = "" if queries_a_month is None else f"queries_a_month = {queries_a_month}\n"
        text = f'[services.searxng]\nkind = "searxng"\nurl = "{url}"\n{budget}'
        (self.home / SERVICES).write_text(text, "utf-8")

    def run(self, *arguments: str, expected: Sequence[int] = (0,)) -> str:
        """Return the standard output of a command. Raises CommandFailed on an exit code that is not expected."""
        ended = subprocess.run(  # noqa: S603  # our own program
            [sys.executable, "-m", "zhiwen", *arguments],
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        if ended.returncode not in expected:
            said = (ended.stdout + ended.stderr)[-_TOLD:]
            raise CommandFailed(f"zhiwen {' '.join(arguments)} ended with {ended.returncode}:\n{said}")
        return ended.stdout

    @property
    def environment(self) -> dict[str, str]:
        """That of this process without settings of Zhiwen, and without a browser: it is not measured."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ZHIWEN_")}
        kept.pop("DATABASE_URL", None)
        return kept | {
            "ZHIWEN_HOME": str(self.home),
            "ZHIWEN_ALLOWED_NETWORKS": str(LOOPBACK[0]),
            "ZHIWEN_POSTGRES_FSYNC": "off",
            "ZHIWEN_ENCODER": "off",
            "ZHIWEN_SEARCH_SERVICES": str(self.home / SERVICES),
            "PATH": str(self.home),
        }
