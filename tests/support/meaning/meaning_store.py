"""A store of the demo's articles whose texts are encoded by meaning."""

from sqlalchemy import Engine

from matcher.meaning.encoders.encoder import Encoder
from matcher.worker.encoding import encode_store
from storage.records.pages import NewArticle
from tests.support.factories import an_article, commit
from zhiwen.demo.articles import articles


def demo_articles() -> list[NewArticle]:
    """Forty articles of as many hosts, none of which retells another."""
    found = {**articles("original"), **{f"innocent-{slug}": item for slug, item in articles("innocent").items()}}
    return [an_article(f"https://{slug}.example/a", item.text, title=item.title) for slug, item in found.items()]


def store_of(engine: Engine, encoder: Encoder, *more: NewArticle) -> None:
    commit(engine, [*demo_articles(), *more])
    encode_all(engine, encoder)


def encode_all(engine: Engine, encoder: Encoder) -> None:
    encode_store(engine, encoder, should_stop=lambda: False)
