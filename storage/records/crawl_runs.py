"""Records of crawl runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RunRecord:
    id: int
    site_name: str
    trigger: str
    started_at: datetime
    ended_at: datetime | None
    exit_reason: str | None
    counters: Mapping[str, int]
    refusal_samples: Mapping[str, tuple[str, ...]]
