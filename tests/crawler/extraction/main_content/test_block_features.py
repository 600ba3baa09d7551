"""What in a block and around it speaks for and against its being part of the article: written pages, one per case."""

import json

from crawler.extraction.article import Article
from crawler.extraction.html.page_tree import page_tree
from crawler.extraction.main_content.article_region import region_of
from crawler.extraction.main_content.block_features import features_of
from crawler.extraction.main_content.page_words import words_of_page
from tests.crawler.extraction.main_content.test_own_reader import tree_of
from tests.support.import_lines import ENGLISH, marked_up, read

TITLE = "The last ferry leaves the northern pier"
HEADLINE = f"<h1>{TITLE}</h1>"
STEP = "Stir the flour into the milk until no lump is left and let it rest for half an hour."


def text_of_page(body: str, *, title: str = TITLE, head: str = "") -> str:
    found = read(f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>")
    assert isinstance(found, Article), found
    return found.text


def body_of(inside: str) -> str:
    return f"{HEADLINE}<div class='article-body'>{marked_up(ENGLISH * 2)}{inside}</div>"


def test_a_caption_with_its_credit_is_left_out() -> None:
    picture = "<figure><img src=a.jpg><figcaption>The pier at dawn. (Photo: Jane Doe / Agency)</figcaption></figure>"
    assert "Jane Doe" not in text_of_page(body_of(picture + marked_up(ENGLISH)))


def test_requests_to_follow_and_subscribe_at_the_end_are_left_out() -> None:
    asking = "<p><em>Follow The Ferry Post on Twitter and Facebook. Subscribe to our newsletter.</em></p>"
    assert "Subscribe" not in text_of_page(body_of(asking), head="<meta property='og:site_name' content='Ferry Post'>")


def test_a_paragraph_about_subscriptions_stays_in_the_article() -> None:
    line = (
        "Whoever wants to subscribe to the paper has to take the ferry to the other bank, where the only office that"
        " still sells subscriptions is open on two mornings of the week, and only if the captain has had his coffee."
    )
    text = text_of_page(
        f"{HEADLINE}<div class='article-body'>{marked_up(ENGLISH)}<p>{line}</p>{marked_up(ENGLISH)}</div>"
    )
    assert line in text


def test_a_lead_below_a_headline_that_the_title_cuts_is_read() -> None:
    lead = "Nobody had expected that the captain would turn the boat around before it had reached the middle."
    top = f"<div class='top'>{HEADLINE}<p>{lead}</p><span>By Jane Doe</span></div>"
    assert lead in text_of_page(f"{top}<div class='body'>{marked_up(ENGLISH * 2)}</div>", title="Ferry | Post")


def test_ingredients_and_steps_that_the_data_hold_are_read_wherever_they_are() -> None:
    ingredients = ["250 g of flour from the mill", "three eggs of the day before", "half a litre of cold milk"]
    steps = [STEP, "Bake the pancakes one by one in a little butter until both sides are golden brown."]
    data = {
        "@type": "Recipe",
        "recipeIngredient": ingredients,
        "recipeInstructions": [{"@type": "HowToStep", "text": step} for step in steps],
    }
    rows = "".join(f"<tr><td>{one}</td></tr>" for one in ingredients)
    body = (
        f"<main>{HEADLINE}<div><table>{rows}</table></div><div class='ad-slot'>Buy a new pan today.</div>"
        f"<section><div>{''.join(f'<p>{step}</p>' for step in steps)}{marked_up(ENGLISH)}</div></section></main>"
    )
    text = text_of_page(body, head=f"<script type='application/ld+json'>{json.dumps(data)}</script>")
    assert all(one in text for one in (*ingredients, *steps))
    assert "new pan" not in text


def test_sections_that_are_shown_one_at_a_time_are_all_read() -> None:
    slides = "".join(f"<div class='slide hidden'><p>{line}</p><p>{line[::-1]}.</p></div>" for line in ENGLISH * 2)
    text = text_of_page(f"<article>{HEADLINE}<div class='slide'><p>{ENGLISH[0]}</p></div>{slides}</article>")
    assert all(line in text for line in ENGLISH)


def test_a_label_that_is_hidden_hides_no_text() -> None:
    text = text_of_page(f"{HEADLINE}<div class='field field--label-hidden field__items'>{marked_up(ENGLISH * 2)}</div>")
    assert all(line in text for line in ENGLISH)


def test_an_article_within_a_menu_that_was_never_closed_is_read() -> None:
    body = (
        f"<div class='navbar'><ul><li><a href='/'>Home</a></li></ul>{HEADLINE}<div>{marked_up(ENGLISH * 2)}</div></div>"
    )
    assert ENGLISH[0] in text_of_page(body)


def test_text_in_the_data_that_is_another_text_proves_nothing() -> None:
    tree = tree_of(body_of(""))
    region = region_of(tree, title=TITLE)
    assert region is not None
    data = {"articleBody": "Something else altogether, about a mountain and no river at all, and rather short."}
    root = tree_of(f"<script type='application/ld+json'>{json.dumps(data)}</script>").elements[0]
    said = words_of_page(root, title=TITLE, description="", url="https://news.example/a")
    assert said.stated
    found = features_of(tree, region, said)
    assert not found["stated"].any()
    assert not found["unstated"].any()


def test_hostile_data_are_read_in_bounds() -> None:
    values: list[object] = [
        ["x"] * 10_000,
        {"a": {"b": "c"}},
        None,
        7,
        "\ud800".encode("utf-8", "replace").decode(),
        "<" * 50_000,
    ]
    for value in values:
        data = json.dumps({"@type": "Recipe", "articleBody": value, "recipeIngredient": value, "text": value})
        tree = page_tree(tree_of(f"<script type='application/ld+json'>{data}</script>").elements[0])
        assert isinstance(words_of_page(tree.elements[0], title="", description="", url="not an address").stated, str)


def test_names_dates_and_buttons_between_headline_and_text_are_left_out() -> None:
    names = "<li class='author'>Jane Doe</li><li class='date'>19.10.2026, 11:29</li><li class='social_share'>email</li>"
    again = "<h2>The last ferry leaves from the northern pier</h2>"
    text = text_of_page(
        f"{HEADLINE}<div>{again}<ul>{names}</ul></div><div class='article-body'>{marked_up(ENGLISH * 2)}</div>"
    )
    assert text.splitlines()[0] == ENGLISH[0]


def test_a_list_of_ingredients_above_the_steps_is_kept() -> None:
    rows = "".join(f"<li>{one}</li>" for one in ("250 g of flour", "three eggs", "a cup of milk", "butter"))
    text = text_of_page(f"<article>{HEADLINE}<ul>{rows}</ul><p>{STEP}</p>{marked_up(ENGLISH * 2)}</article>")
    assert "three eggs" in text


def test_a_story_in_pictures_keeps_its_captions() -> None:
    slides = "".join(
        f"<figure><img src='{n}.jpg'><figcaption>{line}</figcaption></figure>" for n, line in enumerate(ENGLISH * 3)
    )
    assert ENGLISH[1] in text_of_page(f"<article>{HEADLINE}{slides}</article>")


def test_a_pointer_below_the_last_sentence_is_left_out() -> None:
    pointer = "<p>Read more about it <a href='/b.html'>here</a></p>"
    assert "Read more" not in text_of_page(body_of(pointer))
