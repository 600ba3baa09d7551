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
    EvidenceKind.CAPTURED: _l("captured on request"),
    EvidenceKind.FAILED: _l("could not be captured"),
    EvidenceKind.GIVEN: _l("provided by a person"),
    EvidenceKind.SCREENSHOT: _l("screenshot"),
    EvidenceKind.REMOVED: _l("files removed by rule"),
    EvidenceKind.RECORDED: _l("recorded in a browser"),
    EvidenceKind.KEY: _l("signing key"),
    EvidenceKind.WITNESSED: _l("another installation’s chain head countersigned"),
}

CERTAINTIES: Final[Mapping[str, object]] = {
    "surely": _l("The known facts show clearly that our article was first."),
    "probably": _l("The known facts suggest that our article was probably first."),
    "none": _l("The known facts do not settle who was first; this must be shown by other means."),
    "theirs": _l(
        "The known facts suggest that their text was first. Do not accuse anyone on the basis of this report."
    ),
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
        ProofKind.PICTURE: _l("Screenshots"),
        ProofKind.STAMP: _l("Time stamps of files"),
        ProofKind.OPEN_TIMESTAMPS: _l("OpenTimestamps of files"),
        ProofKind.COUNTERSIGNATURE: _l("Countersigned by another installation"),
    },
    "proof_state": {
        ProofState.DONE: _l("complete"),
        ProofState.WAITING: _l("not complete"),
        ProofState.PENDING: _l("promised, no proof yet"),
        ProofState.FAILED: _l("failed"),
        ProofState.OFF: _l("not set up"),
    },
    "not_made": {
        "no Chromium is installed": _l("no Chromium is installed"),
        "Playwright is not installed": _l("Playwright is not installed"),
        "the browser did not answer": _l("the browser did not answer"),
        "the browser shows an error": _l("the browser shows an error"),
        "the page is too large": _l("the document is too large"),
        "others are printing": _l("other documents are being printed; try again in a moment"),
        "this desk has no folder for evidence and keys": _l("the desk has no folder for evidence and keys"),
    },
}


def capture_state(state: CaptureState) -> str:
    return str(gettext(CAPTURE_STATES[state]))


def evidence_kind(kind: EvidenceKind) -> str:
    return str(KINDS[kind])


def certainty_words(certainty: str) -> str:
    return str(CERTAINTIES[certainty])
