"""A store of the demo's articles whose texts are encoded by meaning."""

from sqlalchemy import Engine

from matcher.meaning.background import Background
from matcher.meaning.encoder import Encoder
from matcher.meaning.passages import encode_passages
from matcher.meaning.sentences import sentences_of
from storage.engine import transaction
from storage.meaning import background as stored
from storage.meaning import encodings, vector_index
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
    label = f"{encoder.name} {encoder.version}"
    with transaction(engine) as session:
        if stored.serving_id(session, label) is None:
            texts = stored.sample_texts(session)
            made = Background.of(encoder.encode([text[a:b] for text in texts for a, b in sentences_of(text)[:12]]))
            stored.keep_background(
                session, label, mean=made.mean, sample=made.sample, texts=len(texts), is_serving=True
            )
    with transaction(engine) as session:
        found = stored.stored_background(session, label)
        assert found is not None
        background = Background(found.mean, found.sample, found.id)
        while waiting := encodings.claim(session, found.id, limit=20):
            bits = {text_id: encode_passages(body, encoder, background) for text_id, body in waiting.items()}
            encodings.keep(session, found.id, label, {text_id: one.strings() for text_id, one in bits.items()})
    vector_index.build_index(engine, found.id, encoder.size)
