"""The measurement on pages of the web at large: its scoring, its fit, and whole runs on folders of our own making."""

import gzip
import json
import sys
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.extraction import other_readers
from benchmarks.extraction.agreement import is_same_author, is_same_day, is_same_language, is_same_title
from benchmarks.extraction.fit import fitted, of_web_page
from benchmarks.extraction.held_labels import is_held
from benchmarks.extraction.other_python import OtherPythonFailed, other_python
from benchmarks.extraction.stated_texts import pages_with_their_text
from benchmarks.extraction.text_scores import Sentences, WholeTexts
from benchmarks.extraction.web_pages import WebPage, web_pages
from tests.fake_web.pages import article
from zhiwen.commands.bench.extraction import extraction


def test_sentences_that_must_and_must_not_be_there_are_counted() -> None:
    page = WebPage(Path("a"), "http://www.a.example/a", ("one", "two"), ("three", "four"))
    score = Sentences()
    score.add(page, "one three")
    assert score == Sentences(found=1, missed=1, extra=1)
    score = Sentences(4, 2, 1)
    assert score.precision == pytest.approx(4 / 5)
    assert score.recall == pytest.approx(4 / 6)
    assert score.f1 == pytest.approx(8 / 11)
    assert Sentences().f1 == 0
    assert page.host == "a.example"


def test_whole_texts_are_compared_by_runs_of_four_words() -> None:
    page = WebPage(Path("a"), "http://a.example/a", article="a b c d e")
    score = WholeTexts()
    score.add(page, "a b c d x")
    assert (score.precision, score.recall, score.f1) == (0.5, 0.5, 0.5)
    score.add(page, "")
    assert (score.precision, score.recall) == (0.5, 0.25)  # a page without a text has no precision
    assert WholeTexts().f1 == 0


@pytest.mark.parametrize(
    ("label", "said", "is_same"),
    [
        ("The “quiet” river – a story", 'The "quiet" river - a story', True),
        ("The quiet river", "The quiet river | River Daily", True),
        ("The quiet river: how it was found", "The quiet river", True),
        ("The quiet river: how it was found", "The", False),
        ("Rivers &amp; lakes", "Rivers & lakes", True),
        ("The quiet river", "", False),
    ],
)
def test_titles_are_compared_by_their_letters(label: str, said: str, is_same: bool) -> None:
    assert is_same_title(label, said) is is_same


@pytest.mark.parametrize(
    ("label", "said", "is_same"),
    [
        ("Von Anna Berg und Jan Tal", "Jan Tal, Anna Berg", True),
        ("Anna Berg", "By Anna Berg, Editor", True),
        ("Anna Berg", "Berg", True),
        ("Anna Berg, Jan Tal", "Anna Berg", True),
        ("Anna Berg", "Anna Berg, Jan Tal, Ida Au", True),
        ("Anna Berg", "Ida Au", False),
        ("Anna Berg and Jan Tal", "Ida Au and Jan Tal", False),
        ("André Loibl", "Andre Loibl", True),
        ("Anna Berg", "", False),
    ],
)
def test_authors_are_compared_by_name(label: str, said: str, is_same: bool) -> None:
    assert is_same_author(label, said) is is_same


def test_days_and_languages_are_compared() -> None:
    assert is_same_day("2020-01-31", "2020-01-31T08:00")
    assert not is_same_day("2020-01-31", "2020-02-01")
    assert is_same_language("zh", "zh-Hant")
    assert not is_same_language("de", "")


@pytest.mark.parametrize(
    "source",
    [
        "<p>31.1.2020</p>",
        "<p>31. Jan. 2020</p>",
        "<p>January 31st, 2020</p>",
        "<p>01/31/20</p>",
        "2020年1月31日",
        "<img src=20200131.jpg>",
        '{"created": 1580428800000}',
    ],
)
def test_a_day_is_on_a_page_in_any_writing(source: str) -> None:
    assert is_held("date", "2020-01-31", source, url="http://a.example/a")
    assert is_held("date", "2020-31-01", source, url="http://a.example/a")
    assert not is_held("date", "2019-01-31", source, url="http://a.example/a")
    assert not is_held("date", "", source, url="http://a.example/a")


def test_a_label_that_the_page_does_not_hold_is_told_from_one_that_it_does() -> None:
    assert is_held("date", "2020-01-31", "", url="http://a.example/2020/01/31/a")
    assert is_held("author", "Anna Berg, Jan Tal", "<b>Jan&nbsp;Tal</b>", url="")
    assert not is_held("author", "Anna Berg", "<p>Anna Borg</p>", url="")
    assert not is_held("title", "The quiet river", "<h1>The river</h1>", url="")
    assert is_held("language", "de", "", url="")


def folder_of(tmp_path: Path) -> Path:
    (tmp_path / "html").mkdir(parents=True)
    (tmp_path / "html/a.html").write_text(article(1), "utf-8")
    row = {
        "file": "html/a.html",
        "url": "http://a.example/a.html",
        "with": ["这是第1篇报道"],
        "without": ["没有这句话"],
    }
    row |= {"title": "渡口札记之1", "date": "2026-03-02", "author": "无名氏"}
    (tmp_path / "gold.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    return tmp_path


def test_a_run_names_each_reader_and_says_what_is_missing(tmp_path: Path) -> None:
    done = CliRunner().invoke(extraction, ["--data", str(folder_of(tmp_path)), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "1 pages by sentences; labels: 1 titles, 1 authors, 1 dates" in done.output
    assert "labels that the page holds: 1 titles, 1 dates" in " ".join(done.output.split())
    for reader in ("Zhiwen", "trafilatura", "readability-lxml", "jusText", "htmldate"):
        assert reader in done.output
    assert "Missing: GNE: no --python that has it." in done.output
    wrong = [json.loads(line) for line in (tmp_path / "out/extraction-wrong.jsonl").read_text("utf-8").splitlines()]
    assert {"label": "无名氏", "said": ""} in [row["wrong"].get("author") for row in wrong]


def test_pages_with_their_whole_text_and_packed_pages_are_measured(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "news/html").mkdir(parents=True)
    (data / "news/html/1.html.gz").write_bytes(gzip.compress(article(1).encode()))
    text = "".join(article(1).partition("<article>")[2])
    labels = {"1": {"articleBody": text, "url": "http://a.example/a.html"}}
    (data / "news/ground-truth.json").write_text(json.dumps(labels), "utf-8")
    with tarfile.open(data / "web_pages.tar.xz", "w:xz") as packed:
        packed.add(folder_of(tmp_path / "half"), "half")
    done = CliRunner().invoke(extraction, ["--data", str(data), "--json"])
    assert done.exit_code == 0, done.output
    news, half = json.loads(done.stdout)["web"]
    assert (news["name"], news["scored_by"], news["pages"]) == ("news", "whole texts", 1)
    assert (half["name"], half["scored_by"], half["readers"]["Zhiwen"]["recall"]) == ("half", "sentences", 1)
    assert half["readers"]["Zhiwen"]["held_labels"] == {"title": 1, "author": 0, "date": 1}
    assert half["readers"]["Zhiwen"]["of_held_labels"] == {"title": 1, "author": None, "date": 1}
    assert half["readers"]["trafilatura"]["time"] == 1
    assert half["readers"]["htmldate"]["precision"] is None


def test_pages_whose_data_state_their_text_are_compared_whole(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    line = "<p>The ferry of morning {} crossed the wide river before dawn, as it does.</p>"
    paragraphs = [line.format(number) for number in range(20)]
    stated = json.dumps({"@type": "NewsArticle", "articleBody": "\n".join(paragraphs)})
    body = f"<article><h1>A ferry</h1>{''.join(paragraphs)}</article>"
    page = "<html><head><script type='application/ld+json'>{}</script></head><body>{}</body></html>"
    (folder / "html/a.html").write_text(page.format(stated, paragraphs[0]), "utf-8")
    assert list(pages_with_their_text(web_pages(folder))) == []  # the page shows less than its data state
    (folder / "html/a.html").write_text(page.format(stated, body), "utf-8")
    (found,) = pages_with_their_text(web_pages(folder))
    assert b"articleBody" not in found.body
    assert found.article.count("The ferry of morning") == 20
    done = CliRunner().invoke(extraction, ["--data", str(folder), "--json"])
    assert done.exit_code == 0, done.output
    whole = json.loads(done.stdout)["web"][1]
    assert (whole["name"], whole["scored_by"]) == (f"{folder.name}, texts in their data", "whole texts")
    assert whole["readers"]["Zhiwen"]["f1"] == 1


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(extraction, ["--data", str(tmp_path)])
    assert done.exit_code == 1
    assert "No labelled pages" in done.output


def test_readers_of_another_python_are_asked_in_a_process_of_their_own() -> None:
    page = WebPage(Path("a"), "http://a.example/a.html", ("one",))
    with other_python(Path(sys.executable)) as other:
        assert set(other.readers) | set(other.missing) == {*other_readers.READERS, other_readers.LANGUAGE}
        for name in other.readers:
            found, cpu_s = other.read(name, page, article(1).encode())
            assert (found.text is not None, cpu_s >= 0) == (True, True)


@pytest.mark.parametrize("program", ["/bin/true", "/does/not/exist"])
def test_a_program_that_is_no_python_is_named(program: str) -> None:
    with pytest.raises(OtherPythonFailed, match=program), other_python(Path(program)):
        pass


def test_weights_are_fitted_to_labels(tmp_path: Path) -> None:
    (page,) = web_pages(folder_of(tmp_path))
    labelled = of_web_page(page)
    assert labelled is not None
    assert fitted([labelled] * 3)["bias"] > 0
    assert web_pages(tmp_path / "html") == []
