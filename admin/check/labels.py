"""Labels of verdicts, and of acts with submissions and letters."""

from collections.abc import Mapping
from typing import Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from admin.check.input import NO_TEXT
from storage.types import CheckState

NOTHING_THERE: Final = "nothing-to-compare-with"
"""Problem of a file that was handed in while the store was empty."""

VERDICTS: Final[Mapping[str, tuple[object, object]]] = {
    "original": (_l("No overlap found"), _l("No stored text overlaps significantly.")),
    "borrowed": (_l("Partly found elsewhere"), _l("Parts of it were found elsewhere.")),
    "copy": (_l("Mostly found elsewhere"), _l("Most of it was found elsewhere.")),
    "similar": (
        _l("Similar in meaning"),
        _l("No identical wording was found, but a stored text says the same in other words or another language."),
    ),
    "cannot_judge": (_l("Cannot be judged"), _l("The text is too short to judge.")),
}

CHECK_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "check_state": {
        CheckState.QUEUED: _l("in the queue"),
        CheckState.RUNNING: _l("being checked"),
        CheckState.DONE: _l("checked"),
        CheckState.FAILED: _l("not checked"),
    },
    "check_problem": {
        **{code.value: words for code, words in NO_TEXT.items()},
        NOTHING_THERE: _l("There were no texts to compare with."),
    },
}

CHECK_ACTS: Final[Mapping[str, object]] = {
    "submission.keep": _l("submission kept"),
    "submission.delete": _l("submission deleted"),
    "check.delete": _l("result of a check deleted"),
    "check.clear": _l("all own results of checks deleted"),
    "certificate.issue": _l("certificate issued"),
    "certificate.withdraw": _l("certificate withdrawn"),
    "letter.change": _l("letter wording changed"),
    "letter.reset": _l("letter wording reset to default"),
}
"""For the audit log."""


def verdict_word(code: str) -> str:
    return str(VERDICTS[code][0])


def verdict_meaning(code: str, *, is_all_read: bool = True) -> str:
    """What the verdict means. `is_all_read`: whether every stored text was compared."""
    if code == "cannot_judge" and not is_all_read:
        return str(_("Nothing found so far; not all stored texts were compared."))
    return str(VERDICTS[code][1])
