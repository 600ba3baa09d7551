"""Disguised copies: what is changed is what was meant to be, and every passage knows where it is from."""

import re
import unicodedata
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opencc import OpenCC

from benchmarks.corpus.model import Article, Language
from benchmarks.corpus.word_lists import alternatives, table
from benchmarks.disguises.blocks import NOWHERE, Block, edited, joined, own, spans_of, text_of, whole
from benchmarks.disguises.characters import full_width, homophones, hongkong, lookalikes, readings, taiwan, traditional
from benchmarks.disguises.combined import combined, combined_hard
from benchmarks.disguises.excerpts import MIN_PROSE_SHARE, excerpt, passage, prose_share
from benchmarks.disguises.frames import embedded, framed, new_lead
from benchmarks.disguises.kit import Arrangement, disguised
from benchmarks.disguises.order import (
    in_new_order,
    scrambled_characters,
    shuffle_paragraphs,
    shuffle_sentences,
    swapped_words,
)
from benchmarks.disguises.punctuation import INVISIBLE, SPACES, punctuation, spaces, zero_width
from benchmarks.disguises.segmentation import opening, sentences, word_places
from benchmarks.disguises.words import edited_words, synonyms, word_edits
from tests.support.benchmarks.material import chance, kit, source

ARRANGEMENTS: dict[str, Arrangement] = {
    "frame": framed,
    "host": embedded,
    "words": disguised(word_edits(0.3)),
    "paragraphs": shuffle_paragraphs,
    "sentences": shuffle_sentences,
    "excerpt": disguised(excerpt(0.25)),
    "homophones": disguised(homophones(0.3)),
    "traditional": disguised(traditional),
    "taiwan": disguised(taiwan),
    "hongkong": disguised(hongkong),
    "scrambled": disguised(scrambled_characters(10)),
    "swapped words": disguised(swapped_words(0.1)),
    "punctuation": disguised(punctuation),
    "spaces": disguised(spaces),
    "zero width": disguised(zero_width),
    "full width": disguised(full_width(1.0)),
    "look-alikes": disguised(lookalikes(0.1)),
    "synonyms": disguised(synonyms(0.8)),
    "new lead": new_lead,
    "combined": combined,
    "combined hard": combined_hard,
}
COMMON = st.sampled_from("的一是在不了有和人这中大为上个国我以要他。，！\n “”abc dэ12.,")
TEXTS = st.text(COMMON | st.characters(exclude_categories=["Cs"]), max_size=200)


class TestBlocks:
    def test_what_replaces_a_stretch_is_spread_over_its_places_and_what_is_inserted_is_from_nowhere(self) -> None:
        block = edited(whole(Article("a", "", "abcdef")), [(1, 3, "WXYZ"), (4, 4, "!"), (5, 6, "")])

        assert (block.text, block.origins) == ("aWXYZd!e", (0, 1, 1, 2, 2, 3, NOWHERE, 4))

    def test_edits_that_overlap_are_refused(self) -> None:
        with pytest.raises(ValueError, match="overlaps"):
            edited(own("abcdef"), [(0, 3, "x"), (2, 4, "y")])

    def test_a_block_needs_an_origin_for_each_character(self) -> None:
        with pytest.raises(ValueError, match="2 characters but 1 origins"):
            Block("ab", (0,))

    def test_blocks_of_two_sources_are_not_joined(self) -> None:
        with pytest.raises(ValueError, match="of one source"):
            joined([whole(Article("a", "", "x")), whole(Article("b", "", "y"))])

    def test_a_passage_reaches_from_the_first_to_the_last_copied_character_without_the_space_around(self) -> None:
        copied = edited(whole(Article("a", "", " bcd ")), [(0, 0, "new"), (2, 3, "")])

        [span] = spans_of([own("host "), copied, own(" host")])

        assert (span.start, span.end, span.source, span.source_start, span.source_end) == (9, 11, "a", 1, 4)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", ARRANGEMENTS)
@settings(max_examples=25, deadline=None)
@given(text=TEXTS, seed=st.integers(0, 5))
def test_every_disguise_takes_any_text_repeats_itself_and_keeps_its_passages_inside(
    name: str, language: Language, text: str, seed: int
) -> None:
    arrange = ARRANGEMENTS[name]
    block = whole(Article("a", "", text))

    blocks = arrange(block, kit(language), chance(seed))
    page = text_of(blocks)

    assert blocks == arrange(block, kit(language), chance(seed))
    for span in spans_of(blocks):
        assert 0 <= span.start < span.end <= len(page)
        assert 0 <= span.source_start < span.source_end <= len(text)


class TestWords:
    @given(count=st.integers(1, 400), share=st.sampled_from([0.05, 0.15, 0.3]), seed=st.integers(0, 9))
    def test_exactly_so_many_words_are_edited(self, count: int, share: float, seed: int) -> None:
        chosen = edited_words(count, round(share * count), chance(seed))

        assert len(chosen) == len(set(chosen)) == round(share * count)
        assert all(0 <= number < count for number in chosen)

    def test_half_of_the_edits_stand_together(self) -> None:
        chosen = edited_words(10_000, 500, chance())

        in_a_row = sum(later - earlier == 1 for earlier, later in pairwise(chosen))
        # Alone by chance one in twenty would have a neighbour; clusters of 2 to 5 words give about 5 in 14 of all.
        assert 120 <= in_a_row <= 280

    def test_of_edited_words_some_are_replaced_some_dropped_and_some_put_in(self) -> None:
        block = whole(Article("a", "", "甲乙。" * 400))

        disguised_block = word_edits(0.3)(block, kit(Language.CHINESE), chance())

        kept = Counter(block.origins) - Counter(disguised_block.origins)
        put_in = disguised_block.origins.count(NOWHERE)
        assert 0 < len(kept) < 0.3 * len(block.text)
        assert 0 < put_in < len(block.text)

    @pytest.mark.parametrize("share", [0.05, 0.15, 0.3])
    @pytest.mark.parametrize("language", Language)
    def test_the_rest_of_the_words_stays(self, language: Language, share: float) -> None:
        block = source(language)
        words = [block.text[start:end] for start, end in word_places(block.text, language)]

        after = word_edits(share)(block, kit(language), chance())

        unchanged = sum(
            Counter(
                block.text[origin] for origin, char in zip(after.origins, after.text, strict=True) if origin != NOWHERE
            ).values()
        )
        left = Counter(words) - Counter(after.text[a:b] for a, b in word_places(after.text, language))
        assert unchanged >= (1 - share) * 0.9 * len(block.text)
        assert 0.3 * share <= left.total() / len(words) <= 1.6 * share


class TestCharacters:
    @pytest.mark.parametrize("share", [0.1, 0.3])
    def test_homophones_take_the_wanted_share_and_sound_the_same(self, share: float) -> None:
        block = source()
        han = [place for place, char in enumerate(block.text) if "\u4e00" <= char <= "\u9fff"]

        after = homophones(share)(block, kit(Language.CHINESE), chance())

        changed = [place for place in han if after.text[place] != block.text[place]]
        assert len(after.text) == len(block.text)
        assert len(changed) == round(share * len(han))
        sounds = readings(block.text)
        assert all(readings(after.text[place]) == [sounds[place]] for place in changed)

    def test_the_reading_is_that_of_the_word(self) -> None:
        assert readings("银行里行走")[1] == "hang"
        assert readings("银行里行走")[3] == "xing"

    def test_traditional_script_comes_back_when_simplified(self) -> None:
        block = whole(Article("a", "", "今年的台风来得早，码头上的渔网还没有收，船长就说：“开会！”"))

        after = traditional(block, kit(Language.CHINESE), chance())

        assert "颱風" in after.text
        assert OpenCC("t2s").convert(after.text) == block.text

    def test_taiwan_and_hong_kong_have_words_of_their_own(self) -> None:
        block = whole(Article("a", "", "他在出租车里用软件打开了视频。"))

        assert taiwan(block, kit(Language.CHINESE), chance()).text == "他在計程車裡用軟體開啟了影片。"
        assert hongkong(block, kit(Language.CHINESE), chance()).text == "他在的士裏用軟件打開了影片。"

    def test_a_word_of_another_length_keeps_the_places_around_it(self) -> None:
        block = whole(Article("a", "", "坐出租车。到了"))

        after = hongkong(block, kit(Language.CHINESE), chance())

        assert (after.text, after.origins[-3:]) == ("坐的士。到了", (4, 5, 6))

    def test_full_width_comes_back_when_normalised(self) -> None:
        block = whole(Article("a", "", "用 Python 3.11 写的"))

        after = full_width(1.0)(block, kit(Language.CHINESE), chance())

        assert after.text == "用 Ｐｙｔｈｏｎ ３．１１ 写的"
        assert unicodedata.normalize("NFKC", after.text) == block.text

    @pytest.mark.parametrize("language", Language)
    def test_invisible_characters_leave_the_text_when_taken_out(self, language: Language) -> None:
        block = source(language)

        after = zero_width(block, kit(language), chance())

        assert len(after.text) > 1.2 * len(block.text)
        assert re.sub(f"[{INVISIBLE}]", "", after.text) == block.text

    @pytest.mark.parametrize("language", Language)
    def test_spaces_leave_the_text_when_taken_out(self, language: Language) -> None:
        block = source(language)

        after = spaces(block, kit(language), chance())

        assert len(after.text) > 1.05 * len(block.text)
        assert re.sub(f"[{SPACES}]", "", after.text) == re.sub(f"[{SPACES}]", "", block.text)

    @pytest.mark.parametrize("language", Language)
    def test_other_punctuation_leaves_letters_and_characters(self, language: Language) -> None:
        block = source(language)

        after = punctuation(block, kit(language), chance())

        assert [c for c in after.text if c.isalnum()] == [c for c in block.text if c.isalnum()]
        marks = [place for place, char in enumerate(block.text) if char in table("marks.txt")]
        kept = sum(
            after.text[after.origins.index(place)] == block.text[place] for place in marks if place in after.origins
        )
        assert kept < 0.5 * len(marks)

    @pytest.mark.parametrize("language", Language)
    def test_look_alikes_take_a_tenth_of_the_letters(self, language: Language) -> None:
        block = source(language)

        after = lookalikes(0.1)(block, kit(language), chance())

        changed = sum(a != b for a, b in zip(block.text, after.text, strict=True))
        assert changed == round(0.1 * sum(map(str.isalpha, block.text)))

    def test_synonyms_replace_whole_words_and_keep_a_capital(self) -> None:
        block = whole(Article("a", "", "Several houses. Usefulness shows."))

        after = synonyms(1.0)(block, kit(Language.ENGLISH), chance())

        assert re.fullmatch(r"A number of houses\. Usefulness reveals\.|Some houses\. Usefulness reveals\.", after.text)

    @pytest.mark.parametrize(
        ("name", "least"), [("synonyms-zh.txt", 600), ("synonyms-en.txt", 400), ("lookalikes-zh.txt", 400)]
    )
    def test_the_lists_are_long_and_have_another_entry_for_each(self, name: str, least: int) -> None:
        known = alternatives(name)

        assert len(known) >= least
        assert [entry for entry, others in known.items() if not others or entry in others] == []


class TestOrder:
    def test_shuffled_sentences_are_the_same_sentences_and_those_that_stay_together_are_one_passage(self) -> None:
        parts = sentences(whole(Article("a", "", "一一。二二。三三。四四。")), at_least=1)

        blocks = in_new_order(parts, "", chance(3))

        assert sorted("".join(block.text for block in blocks)) == sorted("一一。二二。三三。四四。")
        assert text_of(blocks) != "一一。二二。三三。四四。"
        assert all(block.text in "一一。二二。三三。四四。" for block in blocks)
        assert all(first.origins[-1] + 1 != second.origins[0] for first, second in pairwise(blocks))

    @pytest.mark.parametrize("reach", [3, 10, 15])
    def test_scrambled_characters_stay_near_and_on_their_line(self, reach: int) -> None:
        block = source()

        after = scrambled_characters(reach)(block, kit(Language.CHINESE), chance())

        assert max(abs(place - origin) for place, origin in enumerate(after.origins)) == reach - 1
        assert list(map(sorted, after.text.split("\n"))) == list(map(sorted, block.text.split("\n")))

    def test_a_tenth_of_the_words_changes_places(self) -> None:
        block = source(Language.ENGLISH)

        after = swapped_words(0.1)(block, kit(Language.ENGLISH), chance())

        before_words, after_words = (
            [text[start:end] for start, end in word_places(text, Language.ENGLISH)] for text in (block.text, after.text)
        )
        moved = sum(a != b for a, b in zip(before_words, after_words, strict=True))
        assert sorted(before_words) == sorted(after_words)
        assert 0.08 <= moved / len(before_words) <= 0.12


class TestParts:
    @pytest.mark.parametrize("share", [0.25, 0.5])
    @pytest.mark.parametrize("language", Language)
    def test_an_excerpt_is_whole_sentences_of_the_wanted_length(self, language: Language, share: float) -> None:
        block = source(language)

        for seed in range(20):
            part = excerpt(share)(block, kit(language), chance(seed))

            assert part.text in block.text
            assert share * len(block.text) - 2 <= len(part.text) <= (share + 0.2) * len(block.text)
            assert part.text[-1] in '。！？”.!?"'

    @pytest.mark.parametrize("chars", [60, 120, 300])
    @pytest.mark.parametrize("language", Language)
    def test_a_passage_has_the_wanted_length_and_is_prose(self, language: Language, chars: int) -> None:
        block = source(language)

        found = [passage(block, chars, language, chance(seed)) for seed in range(20)]

        assert {len(part.text) for part in found} == {chars}
        assert len({part.origins[0] for part in found}) > 10
        assert all(part.text == part.text.strip() for part in found)
        assert all(prose_share(part.text, language) >= MIN_PROSE_SHARE[language] for part in found)

    def test_a_new_lead_has_nothing_of_the_first_paragraph(self) -> None:
        block = whole(Article("a", "", "题目\n" + "第一段话说得很长。" * 10 + "\n" + "第二段讲别的事情。" * 40))

        lead, rest = new_lead(block, kit(Language.CHINESE), chance())

        assert "第一段话说得很长" not in lead.text + rest.text
        assert rest.text == "第二段讲别的事情。" * 40

    def test_an_opening_ends_with_a_sentence(self) -> None:
        assert opening(own("一二三。四五六。七八九。"), 10).text == "一二三。四五六。"
        assert opening(own("一二三四五六七八九十"), 4).text == "一二三四"
