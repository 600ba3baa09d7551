"""Excludes the working folder from the import path: its Python files may be somebody else's.

`python -m` and `python -c` search it first for every module, even of the standard library. This module imports only
what the interpreter has loaded already.
"""

import os
import sys

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120  # pathlib is a file, too


def leave_out() -> None:
    """Takes effect for this process and every Python that it starts. Call it before any other import.

    A clone of Zhiwen stays importable if it is the working folder.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    if sys.path and _is_here(sys.path[0]):
        del sys.path[0]
    given = os.environ.get("PYTHONPATH")
    places = given.split(os.pathsep) if given else []
    relative = {_absolute(place) for place in places if _is_relative(place)}
    sys.path[:] = [place for place in sys.path if not _is_relative(place) and place not in relative]
    if relative:
        os.environ["PYTHONPATH"] = os.pathsep.join(place for place in places if not _is_relative(place))


def _is_relative(place: str) -> bool:
    """True also for an empty entry, common in variables composed by a shell: it means the working folder."""
    return not os.path.isabs(place) and _absolute(place) != _OURS  # noqa: PTH117


def _is_here(place: str) -> bool:
    here = os.path.realpath(_absolute(""))
    return os.path.realpath(place) == here != os.path.realpath(_OURS)


def _absolute(place: str) -> str:
    try:
        here = os.getcwd()  # noqa: PTH109
    except OSError:  # the folder was deleted
        here = "/nowhere"
    return os.path.normpath(os.path.join(here, place))  # noqa: PTH118
