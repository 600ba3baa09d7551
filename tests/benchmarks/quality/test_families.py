"""The families of copies: probes from stored texts, passages in their places, nothing shared between families."""

from collections import Counter
from itertools import pairwise

import pytest

from benchmarks.corpus.model import Article, Expected, Family, Language, Material
from benchmarks.corpus.shares import Bearers, bearers, drawn, hosts, sources, stories, unstored
from benchmarks.quality.scenarios.families import FAMILIES
from benchmarks.quality.scenarios.popularity import POPULARITIES, popular
from tests.support.benchmarks.material import built, chance, material, named, texts_of

KEEPING = (
    "frame",
    "paragraphs",
    "sentences",
    "excerpt-25",
    "excerpt-50",
    "new-lead",
    "passage-60",
    "mosaic",
    "mosaic-own",
)
"""Families that change no character of what they copy."""
COPYING = [family for family in FAMILIES if family.expected is Expected.COPY]


class TestFamilies:
    @pytest.mark.parametrize("family", COPYING, ids=lambda family: family.name)
    def test_every_probe_is_from_stored_texts_and_its_passages_lie_in_them(self, family: Family) -> None:
        stored = texts_of(family.language)
        scenario = built(family)
        added = {copy.id for copy in scenario.stored}

        assert len(scenario.probes) == 6
        for probe in scenario.probes:
            assert probe.sources <= stored.keys() | added
            assert (probe.family, probe.language, probe.expected) == (family.name, family.language, Expected.COPY)
            for span in probe.spans:
                assert span.source in probe.sources
                assert 0 <= span.start < span.end <= len(probe.text)
                assert 0 <= span.source_start < span.source_end <= len(stored[span.source])
            assert all(first.end <= second.start for first, second in pairwise(probe.spans))

    @pytest.mark.parametrize("language", Language)
    @pytest.mark.parametrize("name", KEEPING)
    def test_a_passage_that_was_not_touched_reads_as_in_its_source(self, name: str, language: Language) -> None:
        stored = texts_of(language)

        for probe in built(named(f"{language}-{name}")).probes:
            assert probe.spans
            for span in probe.spans:
                assert probe.text[span.start : span.end] == stored[span.source][span.source_start : span.source_end]

    @pytest.mark.parametrize("language", Language)
    def test_a_mosaic_has_passages_of_three_to_five_sources(self, language: Language) -> None:
        for name in ("mosaic", "mosaic-own"):
            for probe in built(named(f"{language}-{name}")).probes:
                assert 3 <= len(probe.sources) <= 5
                assert {span.source for span in probe.spans} == probe.sources

    @pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
    def test_a_family_is_the_same_for_the_same_seed(self, family: Family) -> None:
        assert family.build(material(family.language), chance(family.name), 6) == built(family)

    def test_names_are_unique_and_every_way_of_copying_is_there_in_both_languages(self) -> None:
        names = [family.name for family in FAMILIES]
        only_chinese = {"homophones-10", "homophones-30", "traditional", "taiwan", "hongkong"}
        only_chinese |= {"scrambled-3", "scrambled-10", "scrambled-15"}

        assert len(set(names)) == len(names)
        assert all(family.name.startswith(f"{family.language}-") for family in FAMILIES)
        bare = {language: {name[3:] for name in names if name.startswith(language)} for language in Language}
        assert bare[Language.CHINESE] - only_chinese == bare[Language.ENGLISH] - {"swapped-words"}

    def test_texts_that_families_add_have_ids_of_their_own(self) -> None:
        ids = Counter(copy.id for family in FAMILIES for copy in built(family).stored)

        assert max(ids.values()) == 1


class TestPopularity:
    @pytest.mark.parametrize("popularity", POPULARITIES, ids=lambda one: str(one.stored))
    def test_a_story_stands_on_as_many_sites_as_it_has_copies_and_the_corpus_holds_the_first(
        self, popularity: object
    ) -> None:
        size = next(one for one in POPULARITIES if one is popularity)

        scenario = popular("popular", size)(material(Language.CHINESE), chance(), 12)

        original = texts_of(Language.CHINESE)
        by_site = Counter((copy.site, copy.id.rpartition("/")[2]) for copy in scenario.stored)
        assert max(by_site.values()) == 1
        assert len({copy.text for copy in scenario.stored}) == len(scenario.stored)
        for probe in scenario.probes:
            assert len(probe.sources) == size.scaled(12).stored
            assert len(probe.sources & original.keys()) == 1

    def test_its_size_follows_the_probes_wanted_and_never_falls_below_thirty(self) -> None:
        *_, hundred, ten_thousand = POPULARITIES

        assert [ten_thousand.scaled(wanted).stored for wanted in (1, 3, 10, 100, 500)] == [
            100,
            300,
            1_000,
            10_000,
            10_000,
        ]
        assert [hundred.scaled(wanted).stored for wanted in (1, 20, 50, 100)] == [30, 30, 50, 100]
        assert [POPULARITIES[0].scaled(wanted).stored for wanted in (1, 100)] == [2, 2]


class TestShares:
    @pytest.mark.parametrize("language", Language)
    def test_no_article_serves_two_purposes(self, language: Language) -> None:
        known = material(language)
        stored = [sources(known), *(stories(known, number) for number in range(len(POPULARITIES)))]
        held = [unstored(known), *(bearers(known, kind) for kind in Bearers)]

        for pools in (stored, held):
            ids = [article.id for pool in pools for article in pool]
            assert len(set(ids)) == len(ids)
        assert set(hosts(known)) <= set(unstored(known))

    def test_a_corpus_that_is_too_small_is_reported(self) -> None:
        with pytest.raises(ValueError, match="too few stored articles"):
            sources(Material(Language.CHINESE, (Article("a", "", "短"),), ()))

    def test_articles_are_drawn_evenly(self) -> None:
        articles = material(Language.CHINESE).stored[:4]

        times = Counter(article.id for article in drawn(articles, 10, chance()))

        assert sorted(times.values()) == [2, 2, 3, 3]
