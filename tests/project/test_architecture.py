"""docs/architecture.md agrees with the code: its folders, and every module that it names."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
PACKAGES = ("fingerprint", "storage", "matcher", "crawler", "admin", "zhiwen")
NAMED = sorted(set(re.findall(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`", PAGE)))


def folders_of(package: str) -> dict[str, str]:
    """Each folder of modules with the first words of its docstring."""
    return {
        init.parent.relative_to(ROOT).as_posix(): " ".join(
            (ast.get_docstring(ast.parse(init.read_text())) or "").split()
        )
        for init in (ROOT / package).rglob("__init__.py")
        if init.parent != ROOT / package and set(init.parent.glob("*.py")) != {init}
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_is_listed_with_its_docstring(package: str) -> None:
    listed = dict(re.findall(rf"^\| `({package}/[\w/]+)` \| (.*) \|$", PAGE, re.MULTILINE))

    assert {name: holds for name, holds in listed.items() if name in folders_of(package)} == folders_of(package)


@pytest.mark.parametrize("name", NAMED)
def test_every_named_module_exists(name: str) -> None:
    assert importlib.util.find_spec(name) is not None


def test_modules_are_named() -> None:
    assert len(NAMED) > 10
