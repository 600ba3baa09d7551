"""备案号 in footers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.contacts.registrations import RegistrationForm, registrations_in

FOUND = {
    "京ICP备12345678号": "京ICP备12345678号",
    "备案号：粤ICP备2021012345号-3": "粤ICP备2021012345号-3",
    "蜀 ICP 备 05012345 号 - 1": "蜀ICP备05012345号-1",
    "沪icp备１２３４５６７８号－２Ａ"[:-1]: "沪ICP备12345678号-2",
    "浙ICP备第2020123456号-12A 版权所有": "浙ICP备2020123456号-12A",
    "京ICP证030173号": "京ICP证030173号",
    "京公网安备 11010102000001号": "京公网安备11010102000001号",
}
NONE = (
    "美ICP备12345678号",
    "ICP备12345678号",
    "京ICP备1234567号",
    "京ICP备123456789号",
    "京ICP备号",
    "京公网安备110号",
    "",
)


@pytest.mark.parametrize(("text", "number"), FOUND.items())
def test_a_number_is_read_in_one_spelling(text: str, number: str) -> None:
    assert [one.number for one in registrations_in(text)] == [number]


@pytest.mark.parametrize("text", NONE)
def test_a_number_without_its_province_or_digits_is_none(text: str) -> None:
    assert registrations_in(text) == []


def test_the_forms_are_told_apart_and_the_filing_is_first() -> None:
    found = registrations_in("京公网安备11010102000001号 京ICP证030173号 京ICP备12345678号-1 京ICP备12345678号-1")

    assert [one.form for one in found] == [RegistrationForm.FILING, RegistrationForm.LICENCE, RegistrationForm.POLICE]


@given(st.text(alphabet="京粤ICP备证公网安 0123456789号-—第\ud800\0", max_size=200))
def test_any_footer_is_read(text: str) -> None:
    assert all(one.number for one in registrations_in(text))
