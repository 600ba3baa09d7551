"""The doctor on the search services: off, or which; whether their file can be read, and by whom. Asks nothing."""

import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from zhiwen.config.settings import SettingsError
from zhiwen.diagnostics.doctor import Finding, fail, ok, warn
from zhiwen.web_search.plan_file import plan_of, plan_path

if TYPE_CHECKING:
    from zhiwen.config.settings import Settings

NAME: Final = "search services"


def examine_search(settings: "Settings") -> Finding:
    path = plan_path(settings)
    try:
        plan = plan_of(settings)
    except SettingsError as error:
        return fail(NAME, str(error), "Correct the file; see docs/discovery.md.")
    if not plan.services:
        if settings.search_services is not None and not path.exists():
            mend = "Correct ZHIWEN_SEARCH_SERVICES, or unset it."
            return warn(NAME, f"Off: ZHIWEN_SEARCH_SERVICES names {path}, which does not exist.", mend)
        return ok(NAME, f"Off: copies are found on your sites only. To look elsewhere, name a service in {path}.")
    mode = _open_mode(path)
    if mode is not None:
        return fail(NAME, f"Other users can read {path} (mode {mode:o}), which may hold keys.", f"chmod 600 {path}")
    return ok(NAME, f"{', '.join(one.name for one in plan.services)}, by {path}.")


def _open_mode(path: Path) -> int | None:
    """The mode of a file that others can read or change; None if only its owner can."""
    mode = stat.S_IMODE(path.stat().st_mode)
    return mode if mode & (stat.S_IRWXG | stat.S_IRWXO) else None
