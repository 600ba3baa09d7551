"""The measurement of extraction: its figures, its labels, and a whole run on a folder of our own making."""

import gzip
import json
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.extraction.corpus import LabelledPage
from benchmarks.extraction.dates import hand_labels, marked
from benchmarks.extraction.furniture import without_furniture
from benchmarks.extraction.grams import Missing, Score, missing, recall_taken, recall_within_lines, score
from benchmarks.extraction.readers import listings_of, own, refusal_of
from crawler.outcomes.refusals import Refusal
from tests.fake_web.pages import article, link_list, list_with_story, story
from zhiwen.commands.bench.extraction import extraction


def test_scores_of_texts_whose_answer_is_known() -> None:
    assert score("一二三四五六", "一二三四五六") == Score(1.0, 1.0, 0.0)
    assert score("", "一二三四五六") == Score(0.0, 0.0, 0.0)
    assert score("甲乙丙丁戊", "一二三四五") == Score(0.0, 0.0, 1.0)
    assert score("一二三四五甲乙丙丁", "一二三四五").recall == 1.0
    assert score("甲乙丙丁戊", "一二三四五", left_out="甲乙丙丁戊").extra == 0.0
    assert (score("", "").f1, score("一二三四", "一二三四").f1) == (0.0, 1.0)


@given(st.text(alphabet="甲乙丙丁", max_size=40), st.text(alphabet="甲乙丙丁", max_size=40))
def test_shares_are_shares(found: str, gold: str) -> None:
    given_score = score(found, gold)
    assert all(0 <= share <= 1 for share in (given_score.precision, given_score.recall, given_score.extra))
    assert score(gold, found).precision == given_score.recall or not found or len(found) < 4 or len(gold) < 4


def test_a_seam_where_code_was_cut_out_counts_for_nothing() -> None:
    found, gold = "一二三四五\ncode here\n六七八九十", "一二三四五\n六七八九十"
    assert score(found, gold).recall < 1
    assert recall_within_lines(found, gold) == 1


def test_what_is_kept_beside_a_text_is_taken_home_too() -> None:
    gold = "渡口旁的木屋\n一二三四五六"
    assert recall_within_lines("一二三四五六", gold) == 0.5
    assert recall_taken(("一二三四五六", "渡口旁的木屋", ""), gold) == 1
    assert recall_taken(("一二三四五六",) * 2, gold) == 0.5
    assert (recall_taken((), gold), recall_taken((), "")) == (0, 1)


def test_a_page_that_is_labelled_an_article_is_read_as_one_and_its_refusal_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(list_with_story(4), "utf-8")
    page = LabelledPage("a", tmp_path / "a.html", "https://a.example/a.html", "渡口旁的木屋")
    taken = own(page)
    assert taken.refusal is Refusal.LIST_PAGE
    assert "这是第4篇报道" in taken.text
    assert refusal_of(page) is Refusal.LIST_PAGE


def test_what_is_missing_adds_up_to_what_recall_lacks() -> None:
    article = "一二三四五六七八\n子丑寅卯辰巳午未"
    gold = f"{article}\n请勿转载此文"
    lost = missing("一二三四五六七八子丑寅卯", gold, article=article)
    assert lost.lines == pytest.approx(4 / 19)
    assert lost.furniture == pytest.approx(3 / 19)
    assert lost.seams == pytest.approx(3 / 19)
    recall = score("一二三四五六七八子丑寅卯", gold).recall
    assert lost.lines + lost.furniture + lost.seams == pytest.approx(1 - recall)
    assert missing("", gold, article=article) == Missing(unread=1.0)
    assert missing("甲乙丙丁", "", article="") == Missing()


def test_the_listings_of_a_page_are_its_code_without_the_numbers_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_text("<table><tr><td><pre>1\n2</pre></td><td><pre>a = 1\nb = 2</pre></td></tr></table>", "utf-8")
    assert listings_of(LabelledPage("a", file, "https://a.example/a.html", "")) == "a = 1\nb = 2"


def test_a_page_named_as_none_is_recognised_by_its_address(tmp_path: Path) -> None:
    names = ["index.html", "contact/index.html", "tags/index.html", "a/index.html", "my-about/index.html"]
    pages = [LabelledPage("a", tmp_path, f"https://a.example/{name}", "") for name in names]
    assert [page.is_named_as_none for page in pages] == [True, True, True, False, False]


def test_what_every_text_of_a_site_ends_with_is_furniture() -> None:
    golds = [f"渡口{n}\n第一段{n}\n第二段{n}\n转载请注明出处\n下一篇：第{n}" for n in "甲乙丙丁戊己"]
    titles = [f"渡口{n} - 江城" for n in "甲乙丙丁戊己"]
    cut = without_furniture(golds, titles=titles, paths=[""] * len(golds))
    assert cut == [f"第一段{n}\n第二段{n}" for n in "甲乙丙丁戊己"]
    assert without_furniture(["一\n二"], titles=[""], paths=[""]) == ["一\n二"]


def test_a_box_with_each_pages_own_title_and_address_is_furniture() -> None:
    names = "甲乙丙丁戊己"
    golds = [f"第一段{n}\nhttps://a.example/别处/{n}\n渡口{n}\nhttps://a.example/{n}/" for n in names]
    titles, paths = [f"渡口{n}" for n in names], [f"{n}/index.html" for n in names]
    cut = without_furniture(golds, titles=titles, paths=paths)
    assert cut == [f"第一段{n}\nhttps://a.example/别处/{n}" for n in names]


def test_a_line_that_differs_in_figures_and_times_of_day_is_furniture() -> None:
    times = ["1日 凌晨", "2日 上午", "3日 中午", "4日 下午", "5日 晚上"]
    golds = [f"最后更新于 {time}\n第{time}段" for time in times]
    blank = [""] * len(golds)
    assert without_furniture(golds, titles=blank, paths=blank) == [f"第{time}段" for time in times]


@pytest.mark.parametrize(
    ("markup", "day"),
    [
        ("<time class='dt-published' datetime='2026-03-01T23:07:22.000Z'>1</time>", date(2026, 3, 2)),
        ("<p class='post-date'>2026年3月2日</p>", date(2026, 3, 2)),
        ("<p>2026年3月2日</p>", None),
    ],
)
def test_a_label_is_the_day_in_the_element_for_it(tmp_path: Path, markup: str, day: date | None) -> None:
    (tmp_path / "a.html").write_text(f"<html><body>{markup}</body></html>", "utf-8")
    assert marked(LabelledPage("a", tmp_path / "a.html", "http://a.example/", "")) == day


def test_labels_made_by_hand_are_read(tmp_path: Path) -> None:
    (tmp_path / "dates.jsonl").write_text('{"path": "a.html", "published": "2026-03-02"}\n\n', "utf-8")
    assert hand_labels(tmp_path / "dates.jsonl") == {"a.html": date(2026, 3, 2)}


def test_a_run_tells_what_it_found(tmp_path: Path) -> None:
    (tmp_path / "extraction/news_html").mkdir(parents=True)
    (tmp_path / "sites/blog").mkdir(parents=True)
    text = story(1).replace("<p>", "").replace("</p>", "\n")
    (tmp_path / "extraction/news_html/a.html").write_text(article(1), "utf-8")
    (tmp_path / "sites/blog/a.html").write_text(article(1), "utf-8")
    (tmp_path / "sites/blog/index.html").write_text(link_list([f"/{n}" for n in range(40)]), "utf-8")
    labels = {
        "news_gold": {"file": "news_html/a.html", "site": "paper", "title": "", "text": text},
        "site_articles": {"site": "blog", "path": "a.html", "title": "", "text": text},
    }
    for name, row in labels.items():
        with gzip.open(tmp_path / f"extraction/{name}.jsonl.gz", "wt", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")

    done = CliRunner().invoke(extraction, ["--data", str(tmp_path), "--json"])

    assert done.exit_code == 0, done.output
    (corpus,) = json.loads(done.stdout)["corpora"]
    groups = {(group["kind"], group["reader"]): group for group in corpus["groups"]}
    own = groups["news", "own"]
    assert (own["pages"], own["empty"], own["precision"], own["recall"], own["extra"]) == (1, 0, 1, 1, 0)
    assert groups["sites", "trafilatura"]["pages"] == 1
    assert (corpus["pages_without_article"], corpus["taken_for_one"]) == (1, 0)

    shown = CliRunner().invoke(extraction, ["--data", str(tmp_path), "--no-baselines", "--worst", "1"])
    assert "news, read by own: 1 pages" in shown.output
    assert "read by trafilatura" not in shown.output
    assert "0 taken for one" in shown.output
