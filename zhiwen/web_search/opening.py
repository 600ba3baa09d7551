"""Opens what a search for copies needs, from the settings of an installation."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from crawler.extraction.page_reader import page_reader
from matcher.retellings.opening import MeaningOfStore
from zhiwen.web_search.fetching import FindFetcher
from zhiwen.web_search.turns import HostTurns
from zhiwen.wiring import capturer_of, case_rule, encoder_of

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from crawler.extraction.article import PageReader
    from zhiwen.config.settings import Settings


@contextmanager
def opened_fetcher(settings: "Settings", engine: "Engine") -> Iterator[FindFetcher]:
    """What fetches and judges finds, with a process that reads pages; it ends with the block."""
    with page_reader(settings.time_zone, asks_presence=True) as read_page:
        yield fetcher_of(settings, engine, read_page)


def fetcher_of(settings: "Settings", engine: "Engine", read_page: "PageReader") -> FindFetcher:
    """What fetches finds and judges them. The pages are public, so an encoder on another machine may read them."""
    encoder = encoder_of(settings)
    return FindFetcher(
        engine,
        capturer_of(settings, engine, read_page),
        settings.time_zone,
        HostTurns(engine),
        rule=case_rule(settings),
        open_search=None if encoder is None else MeaningOfStore(encoder),
    )
