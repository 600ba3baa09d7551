"""Labels of evidence, captures, and the certainty of a report."""

from collections.abc import Mapping
from typing import Final

from flask_babel import gettext
from flask_babel import lazy_gettext as _l

from storage.messages import N_
from storage.records.evidence import CaptureState, EvidenceKind
from storage.records.witnesses import ProofKind, ProofState

KINDS: Final[Mapping[EvidenceKind, object]] = {
    EvidenceKind.STORED: _l("response to a crawl"),
    EvidenceKind.CAPTURED: _l("captured for this"),
    EvidenceKind.FAILED: _l("could not be captured"),
    EvidenceKind.GIVEN: _l("brought by a person"),
    EvidenceKind.SCREENSHOT: _l("screenshot"),
    EvidenceKind.REMOVED: _l("files removed by rule"),
    EvidenceKind.RECORDED: _l("recorded in a browser"),
    EvidenceKind.KEY: _l("signing key"),
    EvidenceKind.WITNESSED: _l("head of another installation countersigned"),
}

CERTAINTIES: Final[Mapping[str, object]] = {
    "surely": _l("What is known says clearly that our article was there first."),
    "probably": _l("What is known says that our article was probably there first."),
    "none": _l("What is known does not settle who was first: it must be shown by other means."),
    "theirs": _l("What is known says that their text was rather there first. Do not accuse on this report."),
}


CAPTURE_STATES: Final[Mapping[CaptureState, str]] = {
    CaptureState.KEPT: N_("kept"),
    CaptureState.FAILED: N_("could not be captured"),
    CaptureState.ELSEWHERE: N_("answered from another address, or without an article"),
    CaptureState.NOT_YET: N_("not captured"),
}


PROOF_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "proof_kind": {
        ProofKind.CAPTURE: _l("Captures"),
        ProofKind.PICTURE: _l("Pictures"),
        ProofKind.STAMP: _l("Time stamps of files"),
        ProofKind.OPEN_TIMESTAMPS: _l("OpenTimestamps of files"),
        ProofKind.COUNTERSIGNATURE: _l("Countersigned by another installation"),
    },
    "proof_state": {
        ProofState.DONE: _l("complete"),
        ProofState.WAITING: _l("not done yet"),
        ProofState.PENDING: _l("promised, proves nothing yet"),
        ProofState.FAILED: _l("failed"),
        ProofState.OFF: _l("not set up"),
    },
}


def capture_state(state: CaptureState) -> str:
    return str(gettext(CAPTURE_STATES[state]))


def evidence_kind(kind: EvidenceKind) -> str:
    return str(KINDS[kind])


def certainty_words(certainty: str) -> str:
    return str(CERTAINTIES[certainty])
