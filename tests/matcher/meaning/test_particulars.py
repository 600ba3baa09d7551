from hypothesis import given
from hypothesis import strategies as st

from matcher.meaning.particulars import Contrast, particulars_of, spelled_out


def test_script_case_and_width_do_not_matter() -> None:
    assert particulars_of("陳尚斌使用ＬＩＮＵＸ") == particulars_of("陈尚斌使用linux")


def test_figures_are_values_and_links_are_whole() -> None:
    found = particulars_of("花了三千万，见 https://example.org/a/b/ 。")
    assert {"30000000", "example.org/a/b"} <= found
    assert {"30000000"} <= particulars_of("cost 30 million")


def test_what_other_texts_have_is_common() -> None:
    contrast = Contrast.of(["阳台种菜的经验", "阳台与花", "阳台改造"])
    assert contrast.rarity("阳台") < contrast.rarity("经验") < contrast.rarity("柯文") == contrast.rarest
    assert Contrast.of([]).rarity("阳台") == Contrast.of([]).rarest


def test_neighbouring_pairs_read_as_one_string() -> None:
    sentence = "当天，陈尚斌与 Linus 说了30次。"
    assert spelled_out(["尚斌", "陈尚", "linus", "30"], sentence) == ["30", "linus", "陈尚斌"]


@given(st.text(max_size=200))
def test_any_text_has_particulars_that_can_be_spelled_out(text: str) -> None:
    spelled_out(particulars_of(text), text)
