"""The steps of the first hour: what is done, what was put off, which one is next (pure)."""

from collections.abc import Collection
from dataclasses import dataclass

from storage.types import OnboardingStep


@dataclass(frozen=True, slots=True)
class SetupStep:
    step: OnboardingStep
    is_done: bool
    is_skipped: bool
    is_next: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    steps: tuple[SetupStep, ...]

    @property
    def done(self) -> int:
        return sum(one.is_done for one in self.steps)

    @property
    def is_over(self) -> bool:
        """Whether every step is done or was put off."""
        return all(one.is_done or one.is_skipped for one in self.steps)


def setup_of(done: Collection[OnboardingStep], skipped: Collection[OnboardingStep]) -> Setup:
    """The steps in order; the first that is neither done nor put off is next. A step put off and then done is done."""
    current = next((step for step in OnboardingStep if step not in done and step not in skipped), None)
    return Setup(
        tuple(
            SetupStep(step, step in done, step in skipped and step not in done, step is current)
            for step in OnboardingStep
        )
    )
