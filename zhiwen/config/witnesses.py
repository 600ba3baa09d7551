"""The witnesses of the evidence that the settings name."""

from typing import TYPE_CHECKING

from storage.records.witnesses import COUNTERSIGNATURE, WitnessKind

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings


def witnesses_of(settings: "Settings") -> dict[str, tuple[str, ...]]:
    """The witnesses that are set up: by kind, their addresses."""
    found = {
        WitnessKind.STAMP.value: (settings.time_stamp_url,) if settings.time_stamp_certificates else (),
        WitnessKind.OPEN_TIMESTAMPS.value: settings.ots_calendars,
        COUNTERSIGNATURE: (settings.witness_url,) if settings.witness_token and settings.witness_key else (),
    }
    known = {kind: tuple(one for one in sources if one) for kind, sources in found.items()}
    return {kind: sources for kind, sources in known.items() if sources}
