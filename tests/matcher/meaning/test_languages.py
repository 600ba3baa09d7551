"""A translation differs from a retelling by the languages of the two texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.meaning.languages import are_of_different_languages, language_of

SAMPLES = {
    "han": "退休会计的阳台朝南，她在这里种菜，每一棵都记了账。",
    "kana": "彼女はベランダで野菜を育てて、毎日その記録をつけている。",
    "hangul": "그녀는 발코니에서 채소를 기르고 매일 기록을 남긴다.",
    "cyrillic": "Она выращивает овощи на балконе и каждый день ведёт записи.",
    "arabic": "تزرع الخضروات على الشرفة وتسجل كل شيء كل يوم.",
    "thai": "เธอปลูกผักที่ระเบียงและจดบันทึกทุกวัน",
    "en": "She grows vegetables on the balcony and keeps an account of every plant that is in it.",
    "fr": "Elle cultive des légumes sur le balcon et tient un compte de chaque plante qui est dans la caisse.",
    "de": "Sie zieht auf dem Balkon Gemüse und führt über jede Pflanze Buch, die in den Kisten ist.",
    "es": "Cultiva verduras en el balcón y lleva una cuenta de cada planta que hay en las cajas.",
    "pt": "Ela cultiva legumes na varanda e não deixa de fazer uma conta de cada planta que está com os outros.",
    "it": "Coltiva verdure sul balcone e tiene il conto di ogni pianta che è nella cassa con i fiori.",
    "nl": "Zij kweekt groenten op het balkon en houdt van iedere plant bij wat zij van de zon krijgt.",
    "pl": "Uprawia warzywa na balkonie i prowadzi zapiski o każdej roślinie, która jest w skrzynce.",
    "tr": "Balkonda sebze yetiştiriyor ve her bitki için bir defter tutuyor, bu çok daha iyi.",
}


@pytest.mark.parametrize("language", SAMPLES)
def test_each_language_is_known_and_differs_from_all_others(language: str) -> None:
    assert language_of([SAMPLES[language]]) == language
    for other, sample in SAMPLES.items():
        assert are_of_different_languages([SAMPLES[language]], [sample]) is (other != language)


def test_both_scripts_of_chinese_are_one_language() -> None:
    assert not are_of_different_languages(["她每天记录阳台上的蔬菜。"], ["她每天記錄陽台上的蔬菜。"])


def test_a_text_that_quotes_another_language_keeps_its_own() -> None:
    assert (
        language_of(["用 Python 的 asyncio 和 httpx 写爬虫，先装好 pip install httpx，再写 async def main。"]) == "han"
    )
    assert language_of(["店名叫「さくら」，老板在这里开了二十年，每天早上六点起来磨豆浆，卖到中午就收摊。"]) == "han"


@pytest.mark.parametrize("nothing", ["", "1234 5678", "\0", "\ud800", "xq zz"])
def test_without_a_known_language_two_texts_do_not_differ(nothing: str) -> None:
    assert not are_of_different_languages([nothing], [SAMPLES["han"]])


@given(st.lists(st.text(max_size=40), max_size=5))
def test_any_text_has_at_most_one_language(sentences: list[str]) -> None:
    assert not are_of_different_languages(sentences, sentences)
