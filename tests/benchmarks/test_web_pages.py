"""The measurement on pages of the web at large: its scoring, its fit, and a whole run on a folder of our own making."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.extraction.__main__ import main
from benchmarks.extraction.fit import fitted, of_web_page
from benchmarks.extraction.web_pages import Sentences, WebPage, sentences_of, web_pages
from tests.fake_web.pages import article


def test_sentences_that_must_and_must_not_be_there_are_counted() -> None:
    page = WebPage(Path("a"), "http://www.a.example/a", ("one", "two"), ("three", "four"))
    assert sentences_of(page, "one three") == Sentences(found=1, missed=1, extra=1)
    both = Sentences(3, 1, 1) + Sentences(1, 1, 0)
    assert both.precision == pytest.approx(4 / 5)
    assert both.recall == pytest.approx(4 / 6)
    assert both.f1 == pytest.approx(8 / 11)
    assert Sentences().f1 == 0
    assert page.host == "a.example"


def folder_of(tmp_path: Path) -> Path:
    (tmp_path / "html").mkdir()
    (tmp_path / "html/a.html").write_text(article(1), "utf-8")
    row = {"file": "html/a.html", "url": "http://a.example/a.html", "with": ["渡口"], "without": ["没有这句话"]}
    (tmp_path / "gold.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    return tmp_path


def test_a_run_names_each_reader(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["--web", str(folder_of(tmp_path))])
    assert done.exit_code == 0, done.output
    assert "web at large: 1 pages" in done.output
    for reader in ("Zhiwen", "trafilatura", "readability-lxml", "htmldate"):
        assert f"  {reader} " in done.output


def test_a_run_without_pages_is_refused() -> None:
    assert CliRunner().invoke(main, []).exit_code == 2


def test_weights_are_fitted_to_labels(tmp_path: Path) -> None:
    (page,) = web_pages(folder_of(tmp_path))
    labelled = of_web_page(page)
    assert labelled is not None
    assert fitted([labelled] * 3)["bias"] > 0
    assert web_pages(tmp_path / "html") == []
