"""The walk over a page: its elements, and the blocks of text below each."""

from hypothesis import given
from hypothesis import strategies as st

from crawler.extraction.html.page_tree import PageTree, blocks, page_tree, text_of
from crawler.extraction.html.parsing import parse


def tree_of(markup: str, *, has_scripts: bool = True) -> PageTree:
    root = parse(markup)
    assert root is not None
    return page_tree(root, has_scripts=has_scripts)


def below(tree: PageTree, tag: str) -> list[str]:
    place = next(number for number, element in enumerate(tree.elements) if element.tag == tag)
    return [block.text for block in tree.blocks[tree.firsts[place] : tree.lasts[place]]]


def test_blocks_are_paragraphs_and_what_is_between_them() -> None:
    tree = tree_of("<body>before<div><p>one <b>bold</b></p>between<p>two<br>lines</p></div>after")
    assert [block.text for block in tree.blocks] == ["before", "one bold", "between", "two", "lines", "after"]
    assert below(tree, "div") == ["one bold", "between", "two", "lines"]


def test_links_are_counted_in_each_block_that_they_go_on_in() -> None:
    first, second = tree_of("<body><a href='/a'><p>one</p><p>two</p></a>").blocks
    assert (first.linked, first.links) == (3, ("/a",))
    assert (second.linked, second.links) == (3, ("/a",))


def test_lines_of_listings_stay_and_all_other_white_space_is_one_space() -> None:
    assert [block.text for block in tree_of("<pre>a\n  b</pre><p>a\n \u3000 b</p>").blocks] == ["a\nb", "a b"]


def test_readings_above_characters_and_scripts_are_not_seen() -> None:
    tree = tree_of("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字<script>x</script><!-- no -->。</p>")
    assert [block.text for block in tree.blocks] == ["漢字。"]


def test_what_is_for_browsers_without_scripts_is_seen_only_if_asked_for() -> None:
    markup = "<body><noscript><p>all of it</p></noscript>"
    assert tree_of(markup).blocks == []
    assert [block.text for block in tree_of(markup, has_scripts=False).blocks] == ["all of it"]


@given(
    st.lists(st.sampled_from(["<div>", "</div>", "<p>", "<a href=x>", "</a>", "x", "<br>", "<pre>", "</pre>", "<td>"]))
)
def test_ranges_nest_and_cover_all_blocks(pieces: list[str]) -> None:
    root = parse("<body>" + "".join(pieces))
    if root is None:
        return
    tree = page_tree(root)
    assert len(tree.owners) == len(tree.blocks)
    assert (tree.firsts[0], tree.lasts[0], tree.ends[0]) == (0, len(tree.blocks), len(tree.elements))
    for place, parent in enumerate(tree.parents):
        assert tree.firsts[place] <= tree.lasts[place]
        assert parent < place < tree.ends[place]
    assert text_of(root) == "\n".join(block.text for block in blocks(root))


def test_soft_hyphens_are_left_out() -> None:
    root = parse("<p>Do\u00adnau\u00addampf\u00adschiff</p>")
    assert root is not None
    assert text_of(root) == "Donaudampfschiff"
