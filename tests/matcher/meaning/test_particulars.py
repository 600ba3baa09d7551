from matcher.meaning.particulars import Contrast, particulars_of


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


def test_a_word_in_letters_ends_where_han_characters_begin() -> None:
    assert {"linux", "c++11", "内核"} <= particulars_of("用C++11改写Linux内核，再见")


def test_a_contrast_without_one_of_its_texts_is_that_of_the_others() -> None:
    texts = ["阳台种菜的经验", "阳台与花", "阳台改造"]
    without = Contrast.of(texts).without(particulars_of(texts[0]))
    others = Contrast.of(texts[1:])

    assert without.rarest == others.rarest
    for particular in particulars_of("阳台种菜与花的改造经验"):
        assert without.rarity(particular) == others.rarity(particular)
