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
    "original": (_l("Original, as far as we see"), _l("Nothing stored shares enough with it.")),
    "borrowed": (_l("Borrowed in parts"), _l("Parts of it stand elsewhere.")),
    "copy": (_l("Mostly a copy"), _l("Most of it stands elsewhere.")),
    "similar": (
        _l("Similar in meaning"),
        _l("No wording of it stands elsewhere, but a stored text says the same in other words or in another language."),
    ),
    "cannot_judge": (_l("Cannot be judged"), _l("The text is too short to tell.")),
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
        NOTHING_THERE: _l("There was nothing to compare with."),
    },
}

CHECK_ACTS: Final[Mapping[str, object]] = {
    "submission.keep": _l("submission kept"),
    "submission.delete": _l("submission deleted"),
    "check.delete": _l("result of a check deleted"),
    "check.clear": _l("all own results of checks deleted"),
    "certificate.issue": _l("certificate issued"),
    "certificate.withdraw": _l("certificate withdrawn"),
    "letter.change": _l("letter worded anew"),
    "letter.reset": _l("letter as it came again"),
}
"""For the audit log."""


def verdict_word(code: str) -> str:
    return str(VERDICTS[code][0])


def verdict_meaning(code: str, *, is_all_read: bool = True) -> str:
    """What the verdict means. `is_all_read`: whether every stored text was compared."""
    if code == "cannot_judge" and not is_all_read:
        return str(_("Nothing was found yet, and not all stored texts were looked at."))
    return str(VERDICTS[code][1])
