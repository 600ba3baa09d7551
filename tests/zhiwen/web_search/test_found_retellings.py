"""What only retells an article of ours is stored for the list of retellings, with the encoder that ships."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine

from matcher.retellings.opening import MeaningOfStore
from storage.engine import transaction
from storage.types import RetellingKind, Rights, SiteRole
from tests.matcher.meaning.texts import RETOLD, TRANSLATED
from tests.support.factories import a_site, an_article, commit, text_of
from tests.support.meaning.meaning_store import demo_articles
from zhiwen.config.loading import load_settings
from zhiwen.encoders.choice import encoder_for_texts
from zhiwen.web_search.judging import Verdict, judge
from zhiwen.worker.encoding import encode_as_set


@pytest.fixture
def opened(engine: Engine, clean_database_url: str, tmp_path: Path) -> MeaningOfStore:
    """The demo's articles, one of them ours, encoded."""
    with transaction(engine) as session:
        site = a_site(session, "balcony-garden", role=SiteRole.ORIGINAL, rights=Rights.OWN)
    found = [replace(one, site_id=site.id) if "balcony-garden" in one.url else one for one in demo_articles()]
    commit(engine, found)
    settings = load_settings({"ZHIWEN_HOME": str(tmp_path), "DATABASE_URL": clean_database_url})
    encode_as_set(settings, engine, should_stop=lambda: False, compares=False)
    return MeaningOfStore(encoder_for_texts(settings))


def test_a_retelling_and_a_translation_are_told_from_what_is_neither(engine: Engine, opened: MeaningOfStore) -> None:
    def judged(text: str) -> Verdict:
        with transaction(engine) as session:
            return judge(session, an_article("https://b.example/1", text), None, open_search=opened)

    assert judged(RETOLD) == Verdict(retelling=RetellingKind.RETOLD)
    assert judged(TRANSLATED) == Verdict(retelling=RetellingKind.TRANSLATED)
    assert not judged(text_of(5)).is_worth_storing
