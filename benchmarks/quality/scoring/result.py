"""All results of a run of the benchmark as one frozen value, from which the report is made."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.common.report import RanOn
from benchmarks.corpus.model import Expected, Language
from benchmarks.quality.scoring.metrics import CurvePoint, FamilyResult, Precision, Spread
from benchmarks.quality.scoring.passages import PassageScore
from storage.monitoring.table_sizes import FingerprintSizes


@dataclass(frozen=True, slots=True)
class QualityRanOn(RanOn):
    seed: int
    per_family: int
    stored: Mapping[Language, int]
    """Articles of the corpus in the store."""
    held: Mapping[Language, int]
    added: int
    """Articles that families and pairs added to the store."""
    refused: int
    repeated: int


@dataclass(frozen=True, slots=True)
class MethodResult:
    """The results of one method. `setting`: its parameters, as text."""

    name: str
    setting: str
    families: tuple[FamilyResult, ...]
    recall: float | None
    """Over the families of copies that have a floor."""
    left_alone: float | None
    """Over all innocents."""
    precision: Precision
    curve: tuple[CurvePoint, ...]


@dataclass(frozen=True, slots=True)
class FailedMethod:
    """Another method that failed; its results until then are kept. `reason`: in one line."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Miss:
    """A copy for which no source was reported."""

    family: str
    probe: str
    sources: tuple[str, ...]
    verdict: str
    chars: int


@dataclass(frozen=True, slots=True)
class FalseHit:
    """A text that was wrongly reported, with the longest passage, as in the probe.

    Where all passages are boilerplate, the longest of those.
    """

    family: str
    expected: Expected
    probe: str
    named: str
    score: float
    gates: tuple[str, ...]
    passage: str


@dataclass(frozen=True, slots=True)
class PairsResult:
    """Real pairs of one label: of copies how many were found, of others how many were left alone."""

    file: str
    label: str
    expected: Expected
    pairs: int
    as_expected: int
    floor: float
    failed: tuple[str, ...]
    """The ids of the others."""

    @property
    def share(self) -> float:
        return self.as_expected / self.pairs

    @property
    def is_met(self) -> bool:
        return self.share >= self.floor


@dataclass(frozen=True, slots=True)
class PassagesResult:
    """Passages found between the two texts of real pairs whose true passages are known."""

    file: str
    pairs: int
    missed: tuple[str, ...]
    """Pairs of which no passage was found."""
    score: PassageScore


@dataclass(frozen=True, slots=True)
class QualityResult:
    ran_on: QualityRanOn
    methods: tuple[MethodResult, ...]
    """Ours first."""
    passages: PassageScore
    sizes: FingerprintSizes
    candidates: Spread
    """Texts aligned with each probe."""
    elapsed_ms: Spread
    misses: tuple[Miss, ...]
    false_hits: tuple[FalseHit, ...]
    pairs: tuple[PairsResult, ...]
    real_passages: tuple[PassagesResult, ...]
    skipped: tuple[str, ...]
    """Families that were skipped because their language has too few articles."""
    failed: tuple[FailedMethod, ...] = ()

    @property
    def ours(self) -> MethodResult:
        return self.methods[0]
