"""No Python file of the working folder is run: somebody else may have filled it.

`python -m` and `python -c` look there first for every module, those of the standard library included. Imports nothing
but what the interpreter has loaded by itself.
"""

import os
import sys

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120  # pathlib is a file, too


def leave_out() -> None:
    """For this process from now on, and for every Python that it starts. To be called before anything is imported.

    A clone of ours stays importable where it is the working folder.
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
    """An empty entry, which a variable put together by a shell easily has, is the working folder too."""
    return not os.path.isabs(place) and _absolute(place) != _OURS  # noqa: PTH117


def _is_here(place: str) -> bool:
    here = os.path.realpath(_absolute(""))
    return os.path.realpath(place) == here != os.path.realpath(_OURS)


def _absolute(place: str) -> str:
    try:
        here = os.getcwd()  # noqa: PTH109
    except OSError:  # deleted: nothing lies in it
        here = "/nowhere"
    return os.path.normpath(os.path.join(here, place))  # noqa: PTH118
