"""The index of a page's named elements, and the words and names that are recognised in two steps."""

import pytest

from crawler.extraction.html.attribute_limit import MOST_ATTRIBUTES, has_crowded_tag
from crawler.extraction.html.element_removal import removed
from crawler.extraction.html.page_index import page_index
from crawler.extraction.html.parsing import valid_text
from crawler.extraction.main_content.block_phrases import ASKING, is_asking
from tests.support.html import root_of


def test_elements_with_attributes_are_gathered_in_order() -> None:
    root = root_of("<div class='a b' id='n'><p>x</p><p itemtype='T' itemscope>y</p><!-- c --></div>")

    index = page_index(root)

    assert [(tag, names) for _, tag, names in index.named] == [("div", "a b n"), ("p", " ")]
    assert [element.tag for element in index.numbered] == ["div"]
    assert [element.get("itemtype") for element in index.typed] == ["T"]


def test_removed_elements_are_no_longer_in_the_index() -> None:
    root = root_of("<div id='a'>x</div><div id='b'>y</div>")
    first, _ = page_index(root).numbered

    assert removed([first])

    assert [element.get("id") for element in page_index(root).numbered] == ["b"]


@pytest.mark.parametrize("quoted", ['a{0}=">"', "a{0}='<p>'", "a{0}"])
@pytest.mark.parametrize("before", ["", "<p>x</p>" * 50, "<!-- <a -->", "<script>'<b c>'</script>", "<3 "])
def test_a_crowded_tag_is_seen_behind_tags_of_few_attributes(before: str, quoted: str) -> None:
    attributes = " ".join(quoted.format(number) for number in range(MOST_ATTRIBUTES + 1))
    assert has_crowded_tag(f"{before}<a {attributes}>x</a>")
    assert not has_crowded_tag(f"{before}<!-- <a {attributes}> -->")
    assert not has_crowded_tag(f"{before}<a {' '.join(attributes.split(' ')[:400])}>x</a>")


@pytest.mark.parametrize(
    "text",
    [
        "sign up now",
        "follow us",
        "folge uns auf",
        "\u00fanete a nosotros",
        "download the app",
        "our newsletter",
        "\u5173\u6ce8",
    ],
)
def test_a_request_is_seen_as_by_its_whole_pattern(text: str) -> None:
    assert is_asking(text)
    assert ASKING.search(text) is not None


def test_text_that_holds_what_no_store_can_hold_is_cleaned() -> None:
    assert valid_text("a\x00b\x0bc\ud800d\ufffee\tf\ng") == "abcde\tf\ng"
    assert valid_text("\u6e21\u53e3 plain") == "\u6e21\u53e3 plain"
