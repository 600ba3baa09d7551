"""What English news sites put between the paragraphs of an article: pages made up in the builds of such sites."""

from typing import Final

import pytest

from crawler.extraction.article import Article
from tests.support.import_lines import read

TITLE: Final = "Harbour bridge to close to lorries"
TEXT: Final = (
    "The council voted on Tuesday to close the old harbour bridge to lorries from next spring, ending a long dispute.",
    "Engineers had warned in March that two of the seven piers were sinking by several millimetres a year.",
    "“We could not wait any longer,” said Marta Oakfield, who chairs the committee that commissioned the survey.",
    "Traders along the quay fear that the detour will cost them customers and have asked for compensation.",
    "A spokesman for the haulage association said its members would need forty minutes more for each trip.",
    "The bridge was built in 1931 and carried trams until the line was taken up after the war.",
    "Repairs would cost about 14 million pounds, the survey found, and take at least two years.",
    "A final decision on funding is expected before the end of the year.",
)
MENU: Final = "".join(f"<li><a href='/s{number}'>Section {number}</a></li>" for number in range(12))
LOCAL: Final = """<div class=byline>By Jo Penhallow</div><div class=story-body>
  <div class=img-wrap><img src=a.jpg><p class=cap>Lorries queue on the bridge. Photo: Sam Reed / Getty Images</p></div>
  {0}{1}<div class=ad-slot><p>Advertisement</p></div>{2}<div class=inline-nl><h4>Get our morning briefing</h4>
  <p>Sign up for the Harbour Daily, the stories you need in your inbox every day.</p><form><input></form></div>{3}
  <p><strong>Read more: <a href=/2020/04/piers>Why the piers are sinking</a></strong></p>{4}
  <div class=related-box><h3>Related</h3><ul><li><a href=/a1>Ferry company to raise its fares in June</a></li>
  <li><a href=/a2>Quay traders stage a protest at town hall</a></li></ul></div>
  {5}<p>Story continues below advertisement</p>{6}{7}
  <p>Copyright 2020 The Example Times. All rights reserved. This may not be published or rewritten.</p></div>
  <section class=most><h3>Most read</h3><ol><li><a href=/m1>Man rescued from the harbour after storm</a></li>
  <li><a href=/m2>School to open its new library</a></li></ol></section>"""
BOXES: Final = """<p class=metadata__byline>By Jo Penhallow, Example News</p>
  <p class=update-time>Updated 1419 GMT May 12</p>
  <div class=media__video><div class=el__gallery__caption>Drone video shows the sinking piers</div></div><div>
  <div class=zn-body>(EXN) {0}</div><div class=zn-body>{1}</div><div class=zn-body>{2}</div>
  <div class=zn-body__read-more><div class=el__title>READ: <a href=/x/ferry>Ferry fares to rise in June</a></div></div>
  <div class=zn-body>{3}</div><div class=el__embedded><img src=x.jpg><div class=media__caption>Seen from the eastern
  bank.</div></div><div class=zn-body>{4}</div><div class=zn-body>{5}</div><div class=zn-body>{6}</div>
  <div class=zn-body>{7}</div></div><div class=outbrain><h2>Paid Content</h2>
  <a href=https://ads.test/1>Doctors are stunned by this trick</a></div>"""
CALLS: Final = """<ul class=mol-bullets><li><strong>Council votes to close the bridge</strong></li>
  <li><strong>Engineers say piers sink</strong></li></ul>
  <p class=author-section>By <a href=/author/jo>JO PENHALLOW</a></p>
  <p class=byline-section><b>PUBLISHED:</b> 14:02, 12 May 2020 | <b>UPDATED:</b> 15:10, 12 May 2020</p>
  <div class=article-body>{0}{1}<p><a href=/a/1><strong>FERRY FARES TO RISE IN JUNE, COMPANY SAYS</strong></a></p>
  {2}{3}<div class=mol-img-group><div><img src=1.jpg></div><p class=imageCaption>Two of the piers are sinking</p></div>
  {4}{5}<p><a href=https://example.onelink.test/x><strong>CLICK HERE TO GET THE EXAMPLE NEWS APP</strong></a></p>{6}
  {7}</div><div class=shareArticles><h3>Share this article</h3></div>
  <div id=readers><h3>212 Comments</h3><p>I have used that bridge for forty years and it is a shame.</p></div>"""
WIRE: Final = """<div class=caas-body><ul class=photos><li><img src=z.jpg><p>Sam Reed, File - FILE - In this May 4, 2020
  file photo, lorries wait at the harbour bridge. The council voted to close it. (AP Photo/Sam Reed)</p></li></ul>
  {0}{1}<p>Scroll to continue with content</p><p>Ad</p>{2}{3}<p>Continue reading the main story</p>{4}{5}
  <h2>More from Example News</h2><ul><li><a href=/w1>Ferry fares to rise in June after fuel costs</a></li>
  <li><a href=/w2>Town hall protest ends peacefully</a></li></ul>{6}{7}<p>Download our app for breaking news alerts</p>
  </div>"""


def _page(body: str, lines: tuple[str, ...] = TEXT, *, is_plain: bool = False) -> Article:
    paragraphs = lines if is_plain else tuple(f"<p>{line}</p>" for line in lines)
    article = read(
        f"<html><head><title>{TITLE} - The Example Times</title></head><body><nav><ul>{MENU}</ul></nav>"
        f"<main><h1>{TITLE}</h1>{body.format(*paragraphs)}</main><footer>© 2020 Example Times</footer></body></html>"
    )
    assert isinstance(article, Article)
    return article


@pytest.mark.parametrize("body", [LOCAL, CALLS, WIRE])
def test_what_interrupts_the_paragraphs_is_left_out(body: str) -> None:
    assert _page(body).text.splitlines() == list(TEXT)


def test_text_in_boxes_of_its_own_is_read_without_the_boxes_between() -> None:
    assert _page(BOXES, is_plain=True).text.splitlines() == [f"(EXN) {TEXT[0]}", *TEXT[1:]]


@pytest.mark.parametrize("dateline", ["HARBOUR TOWN (AP) — ", "LONDON (Reuters) - ", "(CNN) — ", "PARIS (AFP) – "])
def test_an_agency_before_a_dash_is_no_credit_of_a_picture(dateline: str) -> None:
    lines = (f"{dateline}{TEXT[0]}", *TEXT[1:])
    assert _page("<article><img src=a.jpg>{0}{1}{2}{3}{4}{5}{6}{7}</article>", lines).text.splitlines() == list(lines)


def test_a_label_within_a_sentence_is_text() -> None:
    said = "The story continues below the bridge, where the advertisement for the ferry still hangs on the wall."
    assert said in _page("<article>{0}{1}{2}{3}{4}{5}{6}{7}</article>", (*TEXT[:7], said)).text


def test_a_heading_over_a_list_of_the_article_stays() -> None:
    rows = (
        "<div><h3>What the survey found</h3><ul><li>Two piers are sinking.</li><li>The deck is sound.</li></ul></div>"
    )
    body = "<article>{0}{1}{2}{3}" + rows + "{4}{5}{6}{7}</article>"
    assert "What the survey found\nTwo piers are sinking.\nThe deck is sound." in _page(body).text


def test_a_number_of_comments_above_the_text_ends_nothing() -> None:
    body = "<p class=meta>12 comments</p><article>{0}{1}<h3>3 responses to the flood</h3>{2}{3}{4}{5}{6}{7}</article>"
    assert _page(body).text.splitlines()[-1] == TEXT[-1]


@pytest.mark.parametrize(
    "line", ["(" * 5_000, "ad " * 5_000, "(ap " + "-" * 5_000, "1 comments " + "x" * 5_000, "\0photo/"]
)
def test_hostile_lines_take_no_long_time_and_raise_nothing(line: str) -> None:
    assert TEXT[0] in _page("<article>{0}{1}{2}{3}{4}{5}{6}{7}<p>" + line + "</p></article>").text
