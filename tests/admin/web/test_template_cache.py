"""Compiled templates: kept for the next process, never older than their source, and never in the way."""

import sys
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from admin.app import create_app
from admin.web.rendering.template_cache import BesideModules
from admin.web.services import Services
from storage.engine import make_engine


def rendered(templates: Path, kept: Path) -> str:
    """Renders as a newly started process does."""
    environment = Environment(autoescape=True, loader=FileSystemLoader(templates), bytecode_cache=BesideModules(kept))
    return environment.get_template("page.html").render(name="<b>")


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "page.html").write_text("{{ name }}!", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def bytecode_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def test_what_one_process_compiled_the_next_one_takes(templates: Path, tmp_path: Path) -> None:
    assert rendered(templates, tmp_path) == "&lt;b&gt;!"
    (kept,) = tmp_path.glob("*.jinja-*")
    first = kept.stat()

    assert rendered(templates, tmp_path) == "&lt;b&gt;!"
    assert kept.stat().st_ino == first.st_ino, "it was not written again"


def test_a_template_that_changed_is_compiled_again(templates: Path, tmp_path: Path) -> None:
    rendered(templates, tmp_path)

    (templates / "page.html").write_text("{{ name }}?", encoding="utf-8")

    assert rendered(templates, tmp_path) == "&lt;b&gt;?"
    assert len(list(tmp_path.glob("*.jinja-*"))) == 1


def test_where_nothing_can_be_kept_pages_come_all_the_same(templates: Path, tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.touch()

    assert rendered(templates, tmp_path / "nowhere") == "&lt;b&gt;!"
    assert rendered(templates, occupied) == "&lt;b&gt;!"


def test_nothing_is_kept_where_python_keeps_nothing(
    templates: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    assert rendered(templates, tmp_path) == "&lt;b&gt;!"
    assert not list(tmp_path.glob("*.jinja-*"))


def test_the_desk_takes_them_from_beside_its_modules() -> None:
    app = create_app(Services(engine=make_engine("postgresql://nobody@127.0.0.1:1/none"), secret_key="for tests"))

    cache = app.jinja_env.bytecode_cache

    assert isinstance(cache, BesideModules)
    assert Path(cache.directory).name == "__pycache__"
