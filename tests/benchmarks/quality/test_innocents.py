"""Innocent pages: what they share is common property, and nothing else."""

import json
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.corpus.model import Article, Expected, Family, Language, Material, Scenario
from benchmarks.corpus.shares import hosts, unstored
from benchmarks.corpus.word_lists import sections
from benchmarks.disguises.excerpts import prose_share
from benchmarks.quality.innocents.facts import DAYS, filled, kinds_of_news, news
from benchmarks.quality.innocents.lists import teaser
from benchmarks.quality.innocents.ordinary import overlaps
from benchmarks.quality.innocents.pages import MIN_BODY_CHARS, bodies, halves, unrelated
from benchmarks.quality.scenarios.families import FAMILIES, INNOCENT_FLOOR
from storage.types import Rights, SiteRole
from tests.support.benchmarks.corpus import write_corpus

WANTED = 20
RUN = {Language.CHINESE: 20, Language.ENGLISH: 60}
"""Characters in a row that two unrelated texts of the test's corpus, made of short parts, do not share."""
LANGUAGES = pytest.mark.parametrize("language", Language)


@cache
def material(language: Language) -> Material:
    with TemporaryDirectory() as folder:
        path = write_corpus(Path(folder) / "corpus.jsonl", chinese=120, english=120)
        # Only those written for it: articles of the demo quote each other.
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines()[-240:]]
    known = [
        Article(record["url"], record["title"], record["text"])
        for record in records
        if (prose_share(record["text"], Language.CHINESE) > 0.5) == (language is Language.CHINESE)
    ]
    return Material(language, tuple(known[::2]), tuple(known[1::2]))


@cache
def built(language: Language, name: str) -> Scenario:
    family = named(language, name)
    return family.build(material(language), chance(family.name), WANTED)


def named(language: Language, name: str) -> Family:
    return next(family for family in FAMILIES if family.name == f"{language}-{name}")


def chance(seed: int | str = 1) -> Random:
    return Random(seed)  # noqa: S311 - repeatable, not secret


def runs(text: str, length: int) -> set[str]:
    return {text[start : start + length] for start in range(len(text) - length + 1)}


@pytest.mark.parametrize("family", [f for f in FAMILIES if f.expected is not Expected.COPY], ids=lambda f: f.name)
def test_every_kind_of_innocent_asks_as_often_as_wanted_and_has_nothing_to_be_found(family: Family) -> None:
    scenario = built(family.language, family.name[3:])

    assert len(scenario.probes) == WANTED
    assert len({probe.text for probe in scenario.probes}) == WANTED or family.expected is Expected.NO_CASE
    assert all(probe.expected is family.expected and not probe.spans for probe in scenario.probes)
    assert family.floor == INNOCENT_FLOOR


@LANGUAGES
def test_no_family_stores_what_another_asks_as_an_ordinary_article(language: Language) -> None:
    asked = {article.text for article in unstored(material(language))}

    for family in FAMILIES:
        if family.language is language and family.expected is not Expected.COPY:
            for copy in built(language, family.name[3:]).stored:
                assert copy.text not in asked
                assert not any(article.text[:100] in copy.text for article in hosts(material(language)))


class TestOrdinary:
    @LANGUAGES
    def test_ordinary_articles_are_each_asked_once_and_are_not_stored(self, language: Language) -> None:
        family = named(language, "ordinary")

        probes = family.build(material(language), chance(), 10_000).probes

        assert sorted(probe.text for probe in probes) == sorted(a.text for a in unstored(material(language)))

    def test_nearness_counts_rare_words_only(self) -> None:
        common = [Article(f"c{n}", "", f"The weather report number {n} says little.") for n in range(40)]
        stored = (*common, Article("s", "", "Marmots whistle above glaciers."))
        asked = ("Marmots whistle loudly.", "The weather report says little.", "Nothing shared whatsoever")

        nearness = overlaps(tuple(Article(text, "", text) for text in asked), stored, Language.ENGLISH)

        assert nearness == pytest.approx([2 / 3, 0, 0])

    @LANGUAGES
    def test_same_subject_articles_are_the_nearest_first(self, language: Language) -> None:
        known = material(language)
        probes = built(language, "same-subject").probes

        nearness = overlaps(tuple(Article(p.id, "", p.text) for p in probes), known.stored, language)

        assert nearness == sorted(nearness, reverse=True)
        assert nearness[-1] >= sorted(overlaps(unstored(known), known.stored, language), reverse=True)[WANTED - 1]


class TestTemplateNews:
    @LANGUAGES
    def test_there_are_eight_kinds_and_dozens_of_each_on_several_sites(self, language: Language) -> None:
        stored = built(language, "template-news").stored
        kinds = Counter(copy.id.split("/")[3] for copy in stored)

        assert set(kinds) == set(kinds_of_news(language))
        assert len(kinds) >= 8
        assert min(kinds.values()) >= 24
        assert len({copy.site for copy in stored}) >= 5

    @LANGUAGES
    def test_two_pages_of_a_kind_never_have_the_same_facts(self, language: Language) -> None:
        scenario = built(language, "template-news")
        texts = [copy.text for copy in scenario.stored] + [probe.text for probe in scenario.probes]
        facts = [tuple(re.findall(r"\d+(?:\.\d+)?", text)) for text in texts]

        assert len(set(facts)) == len(facts)
        for probe in scenario.probes:
            numbers = Counter(re.findall(r"\d+(?:\.\d+)?", probe.text))
            shared = max((numbers & Counter(found)).total() for found in facts[: len(scenario.stored)])
            assert shared < 0.7 * numbers.total()

    @LANGUAGES
    def test_no_two_pages_of_a_kind_are_of_the_same_day(self, language: Language) -> None:
        family = named(language, "template-news")
        scenario = family.build(material(language), chance(), 200)
        days: defaultdict[str, list[str]] = defaultdict(list)
        for number, probe in enumerate(scenario.probes):
            kinds = kinds_of_news(language)
            days[kinds[number % len(kinds)]].append(self.day_in(probe.text, language))
        for copy in scenario.stored:
            days[copy.id.split("/")[3]].append(self.day_in(copy.text, language))

        assert all(len(set(found)) == len(found) for found in days.values())

    @LANGUAGES
    def test_the_words_are_the_same_and_every_slot_is_filled(self, language: Language) -> None:
        for kind in kinds_of_news(language):
            first, second = (news(kind, language, chance(seed), day=seed)[1] for seed in (1, 2))

            assert not re.search(r"[{}]", first + second)
            assert len(first) >= 150
            set_phrases = re.split(r"\{[^}]+\}", "\n".join(sections(f"templates-{language}.txt")[kind]))
            assert all(phrase in first and phrase in second for phrase in set_phrases)

    @given(low=st.integers(0, 50), width=st.integers(0, 50), day=st.integers(0, DAYS - 1), seed=st.integers(0, 99))
    def test_facts_stay_within_their_bounds(self, low: int, width: int, day: int, seed: int) -> None:
        bounds = f"{low}-{low + width}"
        template = f"{{n:{bounds}}} {{d:{bounds}}} {{f:{bounds}}} {{x/y}} {{month}} {{date}}"

        whole, decimal, fine, word, month, date = filled(template, {}, chance(seed), day=day, in_words=False).split()

        assert all(low <= float(number) <= low + width for number in (whole, decimal, fine))
        assert (word in "xy", 1 <= int(month) <= 12, 1 <= int(date) <= 28) == (True, True, True)

    def test_a_page_is_about_one_city_and_about_different_players(self) -> None:
        names = {"city": ("Ashford", "Oakdale"), "player": ("Cooper", "Greene")}

        text = filled("{city} {city} {player} {player}", names, chance(), day=0, in_words=True)

        first, again, one, other = text.split()
        assert first == again
        assert {one, other} == {"Cooper", "Greene"}

    def test_a_day_outside_the_year_is_refused(self) -> None:
        with pytest.raises(ValueError, match="from 0 to 335, not 336"):
            filled("{date}", {}, chance(), day=336, in_words=False)

    @staticmethod
    def day_in(text: str, language: Language) -> str:
        pattern = r"\d+月\d+日" if language is Language.CHINESE else r"\d+ (?:January|February|[A-Z][a-z]+)"
        found: list[str] = re.findall(pattern, text)
        return Counter(found).most_common(1)[0][0]


class TestCarried:
    @LANGUAGES
    @pytest.mark.parametrize("name", ["disclaimer", "footer", "statement"])
    def test_a_probe_shares_the_set_piece_with_the_store_and_nothing_else(self, language: Language, name: str) -> None:
        scenario = built(language, name)
        pieces = sections(f"phrases-{language}.txt")[name]
        others = [*pieces, *sections(f"phrases-{language}.txt")["intro"]]

        def without(text: str) -> str:
            for piece in others:
                text = text.replace(piece, "\n")
            return text

        stored: set[str] = set()
        for copy in scenario.stored:
            assert sum(piece in copy.text for piece in pieces) == 1
            stored |= runs(without(copy.text), RUN[language])
        for probe in scenario.probes:
            assert sum(piece in probe.text for piece in pieces) == 1
            assert stored.isdisjoint(runs(without(probe.text), RUN[language]))

    @LANGUAGES
    def test_set_pieces_have_the_length_of_real_ones(self, language: Language) -> None:
        phrases = sections(f"phrases-{language}.txt")

        assert all(60 <= len(piece) <= 300 for piece in (*phrases["disclaimer"], *phrases["footer"]))
        assert all(79 <= len(piece) <= 220 for piece in phrases["statement"])

    @LANGUAGES
    def test_disclaimers_stand_on_many_sites_and_each_footer_on_one(self, language: Language) -> None:
        for name, sites in (("disclaimer", 10), ("footer", 1)):
            pieces = sections(f"phrases-{language}.txt")[name]
            stored = built(language, name).stored
            carriers = [[copy.site for copy in stored if piece in copy.text] for piece in pieces]

            assert max(map(len, carriers)) >= 20
            assert {len(set(found)) for found in carriers if found} == {sites}

    @LANGUAGES
    def test_a_statement_stands_in_quotation_marks_inside_the_page(self, language: Language) -> None:
        scenario = built(language, "statement")

        for text in [copy.text for copy in scenario.stored] + [probe.text for probe in scenario.probes]:
            quotation = re.search("[：:] ?“([^”]+)”\n", text)
            assert quotation
            assert quotation[1] in sections(f"phrases-{language}.txt")["statement"]
            assert min(quotation.start(), len(text) - quotation.end()) > MIN_BODY_CHARS // 4

    def test_bodies_are_pieces_that_share_nothing(self) -> None:
        articles = material(Language.CHINESE).held[:6]

        found = bodies(articles, 12, chance())

        assert len(found) == 12
        assert all(len(body) >= MIN_BODY_CHARS for body in found)
        assert all(sum(body in article.text for article in articles) == 1 for body in found)
        shared = Counter(run for body in found for run in runs(body, RUN[Language.CHINESE]))
        assert max(shared.values()) == 1

    def test_an_article_that_shares_a_passage_with_a_stored_text_is_not_asked(self) -> None:
        passage = "这一段话在两篇文章里都有，一个字也没有改动过，谁看了都知道它们是从同一个地方来的，不会是巧合。"
        related, other = (
            Article(name, "", f"{name}。{text}") for name, text in (("甲", passage), ("乙", "别的事情。"))
        )

        assert unrelated((related, other), [f"开头不同。{passage}"]) == (other,)
        with pytest.raises(ValueError, match="too uniform"):
            unrelated((related,), [passage])

    def test_halves_are_the_whole(self) -> None:
        text = "第一句话在这里说完。第二句话在这里说完。第三句话在这里说完。第四句话在这里说完。"

        before, after = halves(text, Language.CHINESE)

        assert before + after == text
        assert before == "第一句话在这里说完。第二句话在这里说完。"


class TestLists:
    @LANGUAGES
    def test_a_list_page_has_first_lines_of_twenty_to_thirty_stored_articles(self, language: Language) -> None:
        stored = material(language).stored

        for probe in built(language, "list-page").probes:
            entries = [article for article in stored if f"{article.title}\n20" in probe.text]
            assert 20 <= len(entries) <= 30
            assert probe.sources <= {article.id for article in entries}
            assert len(probe.sources) >= 20
            assert any(probe.text.count(more) >= 20 for more in sections(f"phrases-{language}.txt")["more"])

    def test_a_teaser_leaves_out_title_and_rule(self) -> None:
        article = Article("a", "A title", "A title\n======\nThe first sentence of it. The second.")

        assert teaser(article, 15, Language.ENGLISH) == "The first"
        assert teaser(article, 15, Language.CHINESE) == "The first sente"


class TestWire:
    @LANGUAGES
    def test_a_story_stands_on_twenty_watched_sites_and_on_one_of_ours(self, language: Language) -> None:
        scenario = built(language, "wire")

        for probe in scenario.probes:
            copies = [copy for copy in scenario.stored if copy.id in probe.sources]
            assert Counter(copy.role for copy in copies) == {SiteRole.WATCHED: 24, SiteRole.ORIGINAL: 1}
            assert len({copy.site for copy in copies}) == 25
            assert all(copy.rights is Rights.AGENCY for copy in copies if copy.role is SiteRole.ORIGINAL)

    @LANGUAGES
    def test_where_the_credit_was_taken_off_the_agency_is_not_named_at_all(self, language: Language) -> None:
        scenario = built(language, "wire")
        [agency] = sections(f"phrases-{language}.txt")["agency"]

        credited = [copy for copy in scenario.stored if copy.credit_lines]
        stripped = [copy for copy in scenario.stored if not copy.credit_lines]

        assert credited
        assert stripped
        assert all(copy.text.count(agency) >= 2 and copy.rights is Rights.AGENCY for copy in credited)
        assert all(agency not in copy.text and copy.rights is Rights.UNKNOWN for copy in stripped)
        assert {agency in probe.text for probe in scenario.probes} == {True, False}
