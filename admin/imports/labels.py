"""Labels of imported files."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.types import FileFailure

IMPORT_ACTS: Final[Mapping[str, object]] = {"import.ask": _l("import asked for")}
"""For the audit log."""

IMPORT_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "file_failure": {
        FileFailure.GONE: _l("not there"),
        FileFailure.DENIED: _l("not to be read"),
        FileFailure.OUTSIDE: _l("leads elsewhere"),
        FileFailure.NO_FOLDER: _l("no folder"),
        FileFailure.BROKE_OFF: _l("broken off"),
    },
    "file_failure_advice": {
        FileFailure.GONE: _l("It was gone before it was read. Import it once more."),
        FileFailure.DENIED: _l("The worker may not read it. Give its user the right to, then import it once more."),
        FileFailure.OUTSIDE: _l("It is a link that leads out of the folder offered for imports. Copy the files there."),
        FileFailure.NO_FOLDER: _l("No folder is offered for imports any more: ZHIWEN_IMPORT_FOLDER is not set."),
        FileFailure.BROKE_OFF: _l(
            "Reading it broke off; what was read until then is stored. The worker’s log says why."
        ),
    },
}
