"""Lists of addresses for search engines, and the packet to hand in."""

import io
import zipfile
from datetime import date

import pytest

from admin.letters.signing import WORDINGS
from admin.notices.document import notice_of
from admin.notices.facts import chosen_cases
from admin.notices.packets import (
    MOST_IN_A_LIST,
    ListedWork,
    address_lists,
    field_file,
    listed_works,
    packed,
    packet_files,
    plain_address,
)
from storage.records.correspondence.notices import NoticeForm, Signed
from tests.admin.notices.test_hundred_notices import NOTICES, SIGNED_AT
from tests.support.correspondence.notices import some_facts


def test_a_list_has_at_most_a_thousand_addresses_each_once_and_none_is_lost() -> None:
    urls = [f"https://copier.example/{number}" for number in range(2_500)]

    files = [content.decode().splitlines() for content in address_lists([*urls, *urls])]

    assert [len(lines) for lines in files] == [MOST_IN_A_LIST, MOST_IN_A_LIST, 500]
    assert [line for lines in files for line in lines] == urls
    assert address_lists([]) == []


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("https://a.example/桥", "https://a.example/桥"),
        ("https://a.example/a b\n# c", "https://a.example/a%20b%0A#%20c"),
        ("https://a.example/\u202e\u2028\x00", "https://a.example/%E2%80%AE%E2%80%A8%00"),
        ("https://a.example/\ud800", "https://a.example/?"),
        ("  ", ""),
    ],
)
def test_an_address_stays_on_its_line(url: str, line: str) -> None:
    assert plain_address(url) == line


def test_lists_by_work_cannot_be_broken_by_a_title() -> None:
    work = ListedWork("a\nhttps://innocent.example/\r\u2028b", "https://ours.example/1", ("https://c.example/1",))
    body = "x"

    files = packet_files(NoticeForm.SEARCH, body, [work], pdf=None, reports={})

    lines = files["addresses-by-work.txt"].decode().split("\n")
    assert [line for line in lines if line and not line.startswith("#")] == ["https://c.example/1"]
    assert files["addresses-001.txt"] == b"https://c.example/1\n"


def test_every_packet_opens_and_is_the_same_each_time() -> None:
    for notice, facts, body in NOTICES[:14]:
        files = packet_files(
            notice.form, body, listed_works(facts.works), pdf=b"%PDF-", reports={"reports/1.html": b"x"}
        )
        found = zipfile.ZipFile(io.BytesIO(packed(files)))

        assert found.testzip() is None
        assert set(found.namelist()) == set(files)
        assert packed(files) == packed(files)
        assert found.read("notice.txt").decode("utf-8-sig").replace("\r\n", "\n") == body
        said = field_file(notice).decode("utf-8-sig")
        assert all(f"【{field.label}】" in said for field in notice.fields if field.value)


def test_a_name_that_hides_characters_is_shown_as_it_is() -> None:
    notice = notice_of(NoticeForm.DMCA, some_facts())

    text = notice.signed(Signed("Lin\u202e Wang", WORDINGS[NoticeForm.DMCA], SIGNED_AT), date(2026, 6, 1))

    assert "\u202e" not in text
    assert "/s/ Lin⟪U+202E⟫ Wang" in text


@pytest.mark.parametrize("said", ["", ",", "x,-1,1.5", "9" * 40, "１"])
def test_cases_that_are_no_numbers_are_not_chosen(said: str) -> None:
    assert set(chosen_cases({"cases": said})) == set()
