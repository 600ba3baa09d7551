"""Clutter inside an article's element, recognised by tag, names or content."""

import lxml.html
import pytest

from crawler.extraction.main_content.clutter import looks_like_clutter


@pytest.mark.parametrize(
    ("markup", "answer"),
    [
        ("<div class='article-share'></div>", True),
        ("<div id='relatedPosts'></div>", True),
        ("<td class='gutter'></td>", True),
        ("<nav></nav>", True),
        ("<p hidden></p>", True),
        ("<pre>1\n2\n3</pre>", True),
        ("<div class='line-numbers'>7 8 9</div>", True),
        ("<div class='language-c line-numbers-mode'><pre>return 1;</pre></div>", False),
        ("<h2 id='login'>Login</h2>", False),
        ("<h2 class='share-title'>Share</h2>", True),
        ("<div class='shareholder-news'></div>", False),
        ("<div class='download'></div>", False),
        ("<div class='loader'></div>", False),
        ("<pre>1\n3</pre>", False),
        ("<p>1</p>", False),
    ],
)
def test_clutter_is_known_by_whole_words_in_its_names(markup: str, *, answer: bool) -> None:
    assert looks_like_clutter(lxml.html.fragment_fromstring(markup)) is answer
