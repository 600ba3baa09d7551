"""Labels of imported files."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.types import FileFailure

IMPORT_ACTS: Final[Mapping[str, object]] = {"import.ask": _l("import requested")}
"""For the audit log."""

IMPORT_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "file_failure": {
        FileFailure.GONE: _l("file not found"),
        FileFailure.DENIED: _l("no read permission"),
        FileFailure.OUTSIDE: _l("link outside the folder"),
        FileFailure.NO_FOLDER: _l("folder disabled"),
        FileFailure.BROKE_OFF: _l("aborted"),
    },
    "file_failure_advice": {
        FileFailure.GONE: _l("The file was gone before it was read. Import it again."),
        FileFailure.DENIED: _l(
            "The worker has no permission to read it. Grant it to the worker’s user, then import the file again."
        ),
        FileFailure.OUTSIDE: _l("It is a link to outside the import folder. Copy the files there instead."),
        FileFailure.NO_FOLDER: _l("The import folder is disabled: ZHIWEN_IMPORT_FOLDER is not set."),
        FileFailure.BROKE_OFF: _l(
            "Reading was aborted; what was read until then is stored. The worker’s log has the reason."
        ),
    },
}
