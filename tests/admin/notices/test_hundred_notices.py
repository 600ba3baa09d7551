"""A hundred varied notices: every required element is there, and is read back from Word file and PDF."""

import io
import re
import unicodedata
from dataclasses import replace
from datetime import UTC, date, datetime

import docx
import pytest
from pypdf import PdfReader

from admin.evidence.letter_formats import as_word
from admin.letters import paper
from admin.letters.glyphs import coverage_of, installed, legible
from admin.letters.signing import WORDINGS
from admin.notices.document import Notice, notice_of
from admin.notices.elements import ELEMENTS, TITLES, Element, Key, Place, language_of
from admin.notices.facts import NoticeFacts
from admin.web.downloads import xml_text
from crawler.browser.pdf import printed
from storage.records.correspondence.letters import LetterheadRecord
from storage.records.correspondence.notices import STATEMENTS, NoticeForm, Signed
from storage.types import Precision
from tests.admin.letters.test_sending import RADICALS, squeezed
from tests.support.correspondence.notices import FORMS, some_facts, varied
from tests.support.requirements import needs_browser

COUNT = 105
SIGNED_AT = datetime(2026, 6, 1, tzinfo=UTC)
OUTSIDE = re.compile(r"[^0-9A-Za-z\u4e00-\u9fff]")


def signed_notice(number: int) -> tuple[Notice, NoticeFacts, str]:
    form, facts = varied(number)
    notice = notice_of(form, facts)
    signed = Signed(f"Signer {number} 王", WORDINGS[form], SIGNED_AT)
    return notice, facts, notice.signed(signed, date(2026, 6, 1))


NOTICES = [signed_notice(number) for number in range(COUNT)]


def parts_of(lines: list[str], notice: Notice) -> dict[str, str]:
    """The values of the fields by their labels, as they stand in a document."""
    colon = "：" if language_of(notice.form) == "zh" else ": "
    labels = [field.label for field in notice.fields if field.value]
    found: dict[str, list[str]] = {}
    at = -1
    for line in lines:
        later = labels[at + 1] if at + 1 < len(labels) else None
        if later is not None and (line + " ").startswith(later + colon):
            at += 1
            found[later] = [line.removeprefix((later + colon).rstrip())]
        elif at >= 0:
            found[labels[at]].append(line)
    return {label: "\n".join(value).strip() for label, value in found.items()}


def test_every_form_is_among_them_and_every_one_is_complete() -> None:
    assert {notice.form for notice, _facts, _body in NOTICES} == set(ELEMENTS) == set(FORMS)
    for notice, facts, body in NOTICES:
        assert notice.missing == ()
        for element in ELEMENTS[notice.form]:
            if element.is_required and (facts.is_agent or not element.is_of_agent):
                assert any(field.element is element and field.value for field in notice.fields), element
        for url in facts.addresses:
            assert url.isprintable()
            assert url in body
        for wording in WORDINGS[notice.form]:
            assert wording in body
        assert body.startswith(notice.text)


def test_every_element_is_read_back_from_the_word_file() -> None:
    for notice, _facts, body in NOTICES:
        document = docx.Document(io.BytesIO(as_word(body, language_of(notice.form))))
        lines = [paragraph.text for paragraph in document.paragraphs]
        assert lines[0] == TITLES[notice.form]
        found = parts_of(lines[1:], notice)
        for field in notice.fields:
            if field.value:
                said = xml_text(field.value, replacement="").strip()
                assert found[field.label].startswith(said), (notice.form, field.label)
        for number, wording in enumerate(WORDINGS[notice.form], start=1):
            assert f"({number}) {wording}" in lines


RARE = (
    "报😀社",
    "𠮷野家",
    "龍𪚥館",
    "面\U0003106c馆",
    "🧑\u200d💻组",
    "🇨🇳网",
    "สื่อไทย",
    "صحيفة الأهرام",
    "עיתון הארץ",
    "\ue000号",
)
"""Emoji, Han beyond the basic plane, flags, scripts with few fonts, from right to left, private use."""


def is_read(word: str) -> bool:
    """Whether a reader of the PDF must find it: not the boxes that stand for what no font has."""
    return all(character in installed() for character in word)


def test_a_character_without_a_glyph_has_its_code_point_and_no_address_changes() -> None:
    nothing = coverage_of("").__contains__
    assert legible("报😀社", nothing) == "报😀 [U+1F600]社"
    assert (
        legible("🧑\u200d💻 e\u0301 \ue000", nothing) == "🧑\u200d💻 [U+1F9D1 U+200D U+1F4BB] e\u0301 \ue000 [U+E000]"
    )
    assert legible("http://a.example/😀?q=桥 😀", nothing) == "http://a.example/%F0%9F%98%80?q=桥 😀 [U+1F600]"
    assert legible("صحيفة x", nothing).startswith("صحيفة [U+0635 U+062D ")
    assert legible("\ud83d", nothing) == "\ud83d [U+D83D]"
    assert legible("", nothing) == ""
    assert legible("报\n社 é Ω Я 가 ①", coverage_of("2460-2473 zz 9-1 -").__contains__) == "报\n社 é Ω Я 가 ①"
    assert [re.sub(r" \[U[^]]*\]", "", legible(one, nothing)) for one in RARE] == list(RARE)


def test_rare_characters_are_in_the_word_file_as_they_are() -> None:
    document = docx.Document(io.BytesIO(as_word("\n".join(("rare", *RARE)), "zh")))
    assert [paragraph.text for paragraph in document.paragraphs] == ["rare", *RARE]


def plain(said: str) -> str:
    """Letters, digits and common Chinese characters: what every font has, and what no renderer joins or reorders."""
    return OUTSIDE.sub("", unicodedata.normalize("NFKC", said).translate(RADICALS))


@needs_browser
def test_every_element_is_read_back_from_the_pdf() -> None:
    """One browser prints all of them, each beginning on a page of its own, and a page of rare characters."""
    pages = [paper.letter_page(body, language_of(notice.form)) for notice, _facts, body in NOTICES]
    pages.append(paper.letter_page("\n".join(("rare", *RARE)), "zh"))
    bodies = [page.partition("<body>")[2].removesuffix("</body></html>") for page in pages]
    sections = "".join(f'<div style="break-after:page">QQ{number}QQ{body}</div>' for number, body in enumerate(bodies))
    pdf = printed(f"{pages[0].partition('<body>')[0]}<body>{sections}</body></html>")
    found = PdfReader(io.BytesIO(pdf)).pages
    # The reader puts blanks where the font changes.
    read = squeezed(unicodedata.normalize("NFKC", "".join(page.extract_text() for page in found[-2:])))
    for one in RARE:
        # No font may have it: then its code points do. Words from right to left may come in either order.
        assert all(word in read for word in unicodedata.normalize("NFKC", legible(one)).split() if is_read(word)), one
    words = []
    for number, page in enumerate(found, start=1):
        said, foot = squeezed(page.extract_text()), f"{number}/{len(found)}"
        words.append(plain(said.removeprefix(foot) if said.startswith(foot) else said.removesuffix(foot)))
    text = "".join(words)
    starts = [text.index(f"QQ{number}QQ") for number in range(COUNT)] + [len(text)]
    for number, (notice, _facts, _body) in enumerate(NOTICES):
        part = text[starts[number] : starts[number + 1]]
        for field in notice.fields:
            if field.value:
                assert plain(legible(field.label + field.value)) in part, (number, notice.form, field.label)
        for wording in WORDINGS[notice.form]:
            assert plain(wording) in part
        assert plain(f"Signer {number} 王") in part


@pytest.mark.parametrize("form", FORMS)
def test_a_notice_that_lacks_an_element_says_which_and_where_it_is_filled_in(form: NoticeForm) -> None:
    empty = replace(some_facts(), sender=LetterheadRecord(), owner="", works=(), inputs={})

    missing = {field.element.key: field.element.place for field in notice_of(form, empty).missing}

    always = {Key.REQUEST, Key.TYPE}
    wanted = {one.key: one for one in ELEMENTS[form] if one.is_required and not one.is_of_agent}
    assert missing == {key: one.place for key, one in wanted.items() if key not in always}
    assert {Place.LETTERHEAD, Place.CASE} <= set(missing.values())


def test_an_agent_needs_the_authority_of_the_owner() -> None:
    facts = some_facts(capacity="agent")
    lacks = {form: [field.element.key for field in notice_of(form, facts).missing] for form in FORMS}

    assert lacks.pop(NoticeForm.DSA) == []
    assert lacks.pop(NoticeForm.DMCA) == lacks.pop(NoticeForm.SEARCH) == [Key.AUTHORITY]
    assert all(keys == [Key.HOLDER_DETAILS, Key.AUTHORITY] for keys in lacks.values())


def test_every_element_and_statement_names_its_source() -> None:
    every: list[Element] = [element for elements in ELEMENTS.values() for element in elements]
    assert all(one.source.strip() and one.label.strip() for one in every)
    assert {form: len(wordings) for form, wordings in WORDINGS.items()} == STATEMENTS


def test_a_draft_is_marked_as_not_signed_and_has_the_same_text() -> None:
    for form in FORMS:
        notice = notice_of(form, some_facts())
        assert notice.draft().startswith(notice.text)
        assert ("未签署" if language_of(form) == "zh" else "nobody has signed") in notice.draft()


def test_a_page_that_is_similar_in_meaning_is_not_called_copied() -> None:
    facts = some_facts()
    (work,) = facts.works
    by_meaning = replace(work, copies=tuple(replace(line, is_by_meaning=True) for line in work.copies))

    for form in FORMS:
        text = notice_of(form, replace(facts, works=(by_meaning,))).text
        assert "812" not in text
        assert ("意思相近" if language_of(form) == "zh" else "similar in meaning") in text


@pytest.mark.parametrize("form", FORMS)
def test_the_explanation_refers_to_a_field_of_the_same_form(form: NoticeForm) -> None:
    notice = notice_of(form, some_facts())
    labels = {field.label for field in notice.fields}

    (explanation,) = (field.value for field in notice.fields if field.element.key is Key.EXPLANATION)
    assert set(re.findall("“([^”]*)”所列", explanation)) <= labels
    assert ("所列网页" in explanation) is (language_of(form) == "zh")
    (request,) = (field.value for field in notice.fields if field.element.key is Key.REQUEST)
    assert ("links to the listed pages" in request) is (form is NoticeForm.SEARCH)


@pytest.mark.parametrize(
    ("form", "precision", "said"),
    [
        (NoticeForm.WECHAT, Precision.SECOND, "北京时间 2026-03-12 07:30"),
        (NoticeForm.DMCA, Precision.SECOND, "2026-03-11 23:30 UTC"),
        (NoticeForm.WECHAT, Precision.DAY, "2026-03-12"),
        (NoticeForm.DMCA, Precision.DAY, "2026-03-12"),
        (NoticeForm.DSA, Precision.MONTH, "2026-03"),
    ],
)
def test_the_time_of_publication_is_in_the_zone_of_the_form(form: NoticeForm, precision: Precision, said: str) -> None:
    facts = some_facts()
    (work,) = facts.works
    published = replace(work, published_at=datetime(2026, 3, 11, 23, 30, tzinfo=UTC), precision=precision)

    lines = notice_of(form, replace(facts, works=(published,))).text.split("\n")

    (line,) = (line.strip() for line in lines if line.strip().startswith(("发表：", "Published: ")))
    assert re.split("：|: ", line, maxsplit=1)[1] == said
