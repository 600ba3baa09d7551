"""What a crawl learns of its site: repeated blocks, shapes of lists, and that neither fills the memory."""

from crawler.extraction.site_knowledge import differs_in_repeats_alone
from crawler.spider import site_learning
from crawler.spider.site_learning import FEWEST_LISTS, FEWEST_PAGES, LEARN_EVERY, MARKS_KNOWN, Lessons, Repeats, Shapes
from storage.records.crawl import Learned


def test_a_block_of_many_articles_is_the_site_s_own() -> None:
    repeats = Repeats()
    for number in range(LEARN_EVERY):
        repeats.saw([7, 1_000 + number, *([8] if number < FEWEST_PAGES - 1 else [])])
    assert repeats.elsewhere == {7}


def test_what_few_of_many_articles_quote_is_theirs() -> None:
    repeats = Repeats()
    for number in range(100):
        repeats.saw([1_000 + number, *([7] if number < FEWEST_PAGES else [])])
    repeats.learn()
    assert repeats.elsewhere == frozenset()


def test_what_is_counted_and_what_is_known_have_bounds() -> None:
    repeats = Repeats(range(-MARKS_KNOWN, 0))
    for number in range(40):
        repeats.saw([7, *range(number * 2_000 + 10, number * 2_000 + 2_010)])
    assert len(repeats._counts) <= site_learning.MARKS_COUNTED
    repeats.learn()
    assert len(repeats.elsewhere) == MARKS_KNOWN
    assert 7 in repeats.elsewhere


def test_a_shape_of_addresses_that_were_lists_says_list() -> None:
    shapes = Shapes()
    for number in range(FEWEST_LISTS):
        assert not shapes.says_list("http://a.example/tag/9")
        shapes.saw(f"http://a.example/tag/{number}", is_list=True)
    assert shapes.says_list("http://a.example/tag/9")
    assert not shapes.says_list("http://a.example/post/9")
    shapes.saw("http://a.example/tag/10", is_list=False)
    assert not shapes.says_list("http://a.example/tag/9")


def test_what_was_learned_is_where_the_next_crawl_begins() -> None:
    lessons = Lessons()
    for number in range(LEARN_EVERY):
        lessons.repeats.saw([7])
        lessons.shapes.saw(f"http://a.example/page/{number}", is_list=True)
    learned = lessons.learned()
    assert learned == Learned(frozenset({7}), frozenset({"a.example/page/0"}))
    again = Lessons(learned)
    assert again.repeats.elsewhere == {7}
    assert again.shapes.says_list("http://a.example/page/77")
    assert again.learned() == learned


def test_a_text_between_the_whole_and_what_is_left_of_it_is_no_change() -> None:
    whole, left = "一\n声明\n二\n广告", "一\n二"
    for stored in (whole, left, "一\n声明\n二", "一\n二\n广告"):
        assert differs_in_repeats_alone(stored, left, whole)
    for stored in ("一", "一\n二\n三", "二\n一", "一\n二\n声明", ""):
        assert not differs_in_repeats_alone(stored, left, whole)
