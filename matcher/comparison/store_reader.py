"""What comparisons read of the store: texts, their pages, verdicts. A batch of pages reads each once.

Most of what a page needs is known before its comparison begins: the pages and texts of its first candidates, and the
verdicts on its seeds. `read_ahead` reads it for many pages with one statement each.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from matcher.boilerplate.holder_samples import HolderSamples
from matcher.comparison.kept_texts import KeptTexts
from storage.fingerprints import boilerplate
from storage.fingerprints import candidates as stored_candidates
from storage.matches import story_pages
from storage.matches.families import Families
from storage.pages import pages, text_pages
from storage.records.candidates import StoredText
from storage.types import SiteRole

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.records.candidates import BoilerplateRun, KnownRun
    from storage.records.pages import PageRecord

T = TypeVar("T")

PAGES_PER_TEXT: Final = 12
"""Pages of one text that are read, first seen first: enough for its origin and the nearest others."""
MOST_CHARS: Final = 20_000_000
"""Characters of texts that are kept: some 40 MB. 64 pages read some 5 million, and long texts count."""


class StoreReader:
    """Reads the store for one comparison or for a batch of them, and keeps what it has read.

    `families`: of the texts read, and as the batch joins them. `new_verdicts`: those of `learn`, for whoever writes
    them. `kept`: bodies of texts that are read for several batches.
    """

    def __init__(self, session: "Session", kept: KeptTexts | None = None) -> None:
        self.session = session
        self._kept = KeptTexts() if kept is None else kept
        self.families = Families()
        self.samples = HolderSamples()
        self.new_verdicts: list[BoilerplateRun] = []
        self._texts: dict[int, StoredText] = {}
        self._chars = 0
        self._present: dict[int, list[PageRecord]] = {}
        self._former: dict[int, list[PageRecord]] = {}
        self._runs: dict[int, dict[tuple[int | None, int | None], KnownRun | BoilerplateRun]] = {}
        self._seeds_read: set[int] = set()
        self._sites_judged: set[int] = set()
        self._set_aside: np.ndarray[tuple[int], np.dtype[np.int32]] | None = None
        self._our_stories: dict[frozenset[int], int] = {}
        self._of_site: dict[tuple[int, int], int] = {}
        self._on_host: dict[tuple[str, int], list[int]] = {}

    def texts(self, text_ids: Iterable[int]) -> "dict[int, StoredText]":
        """Return those of these texts that have a current fingerprint, by id. Their families are in `families`."""
        wanted = list(dict.fromkeys(text_ids))
        if missing := [text_id for text_id in wanted if text_id not in self._texts]:
            if self._chars > MOST_CHARS:
                missing, self._texts, self._chars = wanted, {}, 0
            for text_id, text in self._read(missing).items():
                self._texts[text_id] = text
                self._chars += len(text.body)
                self.families.learn(text_id, text.family_id)
        return {text_id: self._texts[text_id] for text_id in wanted if text_id in self._texts}

    def _read(self, text_ids: Sequence[int]) -> "dict[int, StoredText]":
        """Read texts, but not the bodies that are kept."""
        bodies = self._kept.of(text_ids)
        missing = [text_id for text_id in text_ids if text_id not in bodies]
        found = stored_candidates.texts_by_id(self.session, missing) if missing else {}
        self._kept.keep({text.id: text.body for text in found.values()})
        families = stored_candidates.families_by_id(self.session, bodies) if bodies else {}
        return found | {
            text_id: StoredText(text_id, bodies[text_id], family_id) for text_id, family_id in families.items()
        }

    def pages_of(
        self, text_ids: Iterable[int]
    ) -> "tuple[Mapping[int, list[PageRecord]], Mapping[int, list[PageRecord]]]":
        """Return by text the first PAGES_PER_TEXT pages that hold it now, and as many that held it before, first seen
        first. Other texts may be there, too.
        """
        missing = [text_id for text_id in dict.fromkeys(text_ids) if text_id not in self._present]
        if missing:
            present, former = text_pages.present_and_former_pages(self.session, missing, per_text=PAGES_PER_TEXT)
            for text_id in missing:
                self._present[text_id], self._former[text_id] = present.get(text_id, []), former.get(text_id, [])
        return self._present, self._former

    def present_pages(self, text_ids: Collection[int], *, per_text: int) -> "dict[int, list[PageRecord]]":
        """Return by text the first `per_text` pages that hold it now, first seen first."""
        found = {text_id: self.pages_of(text_ids)[0][text_id] for text_id in text_ids}
        more = [text_id for text_id, held in found.items() if PAGES_PER_TEXT <= len(held) < per_text]
        if more:
            found |= text_pages.pages_of_texts(self.session, more, per_text=per_text)
        return {text_id: held[:per_text] for text_id, held in found.items() if held}

    def originals(self, text_ids: Collection[int]) -> "dict[int, list[PageRecord]]":
        """Return by text, for each owner, the page on an original site that has held the text longest."""
        found: dict[int, list[PageRecord]] = {}
        present = self.pages_of(text_ids)[0]
        for text_id in text_ids:
            for page in present[text_id]:
                if page.role is SiteRole.ORIGINAL and len(present[text_id]) < PAGES_PER_TEXT:
                    held = found.setdefault(text_id, [])
                    held += [] if any(page.owner_id == other.owner_id for other in held) else [page]
        many = [text_id for text_id in text_ids if len(present[text_id]) >= PAGES_PER_TEXT]
        return found | (story_pages.originals_of_texts(self.session, many) if many else {})

    def pages_of_site(self, site_id: int, *, bound: int) -> int:
        """Return the number of pages of a site, counted up to `bound`."""
        key = site_id, bound
        if key not in self._of_site:
            self._of_site[key] = pages.pages_of_site(self.session, site_id, bound=bound)
        return self._of_site[key]

    def texts_on_host(self, host: str, *, most: int) -> list[int]:
        """Return the present texts of some pages of the host (see `storage.pages.text_pages.texts_on_host`)."""
        key = host, most
        if key not in self._on_host:
            self._on_host[key] = text_pages.texts_on_host(self.session, host, most=most)
        return self._on_host[key]

    def runs(self, seeds: Iterable[int], *, site_ids: Iterable[int] = ()) -> "list[KnownRun | BoilerplateRun]":
        """Return the verdicts on these seeds, with those of `learn`: all that hold everywhere or on these sites, and
        those by which a run proves nothing on another site.
        """
        wanted = set(seeds)
        if new := set(site_ids) - self._sites_judged:
            self._sites_judged |= new
            self._seeds_read.clear()
        if missing := wanted - self._seeds_read:
            self._seeds_read |= missing
            for run in boilerplate.known_runs(self.session, sorted(missing), site_ids=sorted(self._sites_judged)):
                self._runs.setdefault(run.seed, {}).setdefault((run.site_id, run.set_aside_id), run)
        # Few seeds have a verdict.
        return [run for seed in sorted(self._runs.keys() & wanted) for run in self._runs[seed].values()]

    def set_aside_seeds(self) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
        """Return the seeds of all texts that people have set aside, ascending."""
        if self._set_aside is None:
            self._set_aside = np.array(boilerplate.set_aside_seeds(self.session), dtype=np.int32)
        return self._set_aside

    def our_stories(self, seeds: Collection[int]) -> int:
        """Return in how many stories of ours one of these seeds stands, of the seed that is in most."""
        key = frozenset(seeds)
        if key not in self._our_stories:
            self._our_stories[key] = boilerplate.our_stories(self.session, sorted(key))
        return self._our_stories[key]

    def learn(self, runs: "Collection[BoilerplateRun]") -> None:
        """Let later comparisons know these verdicts, which are not written here."""
        self.new_verdicts += runs
        for run in runs:
            self._runs.setdefault(run.seed, {})[run.site_id, run.set_aside_id] = run
