"""Prints the part of a lock that a program needs at run time: its dependencies, those of the given extras, and theirs.

`python needed.py pyproject.toml requirements.lock EXTRA...`, run by a Python in which the whole lock is installed.
Dependencies are read from the installed packages, so no index is queried.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

BLOCK = re.compile(r"^(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==[^\n]*(?:\n[ \t]+[^\n]*)*", re.MULTILINE)


def closure(wanted: Iterable[Requirement]) -> set[str]:
    """The names of these packages and of their dependencies on this machine."""
    done: set[tuple[str, str]] = set()
    todo = [(requirement, "") for requirement in wanted]
    while todo:
        requirement, of_extra = todo.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": of_extra}):
            continue
        name = canonicalize_name(requirement.name)
        for extra in ("", *sorted(requirement.extras)):
            if (name, extra) not in done:
                done.add((name, extra))
                todo += [(Requirement(line), extra) for line in _requires(name)]
    return {name for name, _ in done}


def _requires(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:
        sys.exit(f"{name} is needed and not installed: install the whole lock first")


def of_project(project: dict[str, object], extras: Iterable[str]) -> Iterator[Requirement]:
    """The direct requirements of the project. Raises KeyError for an extra that it does not have."""
    table = project["project"]
    assert isinstance(table, dict)  # noqa: S101  # a project's table
    yield from map(Requirement, table["dependencies"])
    for extra in extras:
        yield from map(Requirement, table["optional-dependencies"][extra])


def main(project: str, lock: str, *extras: str) -> None:
    names = closure(of_project(tomllib.loads(Path(project).read_text(encoding="utf-8")), extras))
    blocks = {
        canonicalize_name(match["name"]): match[0] for match in BLOCK.finditer(Path(lock).read_text(encoding="utf-8"))
    }
    missing = names - set(blocks)
    if missing:
        sys.exit(f"needed and not in {lock}: {', '.join(sorted(missing))}")
    print("\n".join(blocks[name] for name in sorted(names)))


if __name__ == "__main__":
    main(*sys.argv[1:])
