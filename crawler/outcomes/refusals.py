"""Reasons why the crawler refuses an address or page. Each refusal is counted; nothing is dropped silently."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from enum import StrEnum

SAMPLES_PER_REASON = 20
"""URLs kept per reason: enough to see the pattern, little enough to store with every run."""


class Refusal(StrEnum):
    """Why an address was not fetched, or a page not stored."""

    UNUSABLE_URL = "unusable-url"
    OUT_OF_SCOPE = "out-of-scope"
    DENIED = "denied-by-pattern"
    SLOW_PATTERN = "slow-pattern"
    URL_TOO_LONG = "url-too-long"
    URL_TOO_DEEP = "url-too-deep"
    REPEATED_PATH = "repeated-path"
    LINK_TOO_DEEP = "link-too-deep"
    ENDLESS_PARAMETERS = "endless-parameters"
    BEYOND_BOUND = "beyond-bound"
    BUDGET = "budget"
    ROBOTS = "robots"
    NOT_TO_BE_KEPT = "not-to-be-kept"
    BLOCKED_ADDRESS = "blocked-address"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    BAD_STATUS = "bad-status"
    HOST_HELD = "host-held"
    BARRED = "barred"
    GONE = "gone"
    TOO_MANY_REDIRECTS = "too-many-redirects"
    TOO_LARGE = "too-large"
    BROKEN_RESPONSE = "broken-response"
    WRONG_TYPE = "wrong-type"
    NOT_A_FILE = "not-a-file"
    UNDECODABLE = "undecodable"
    BROKEN_MARKUP = "broken-markup"
    NESTED_TOO_DEEP = "nested-too-deep"
    TOO_MANY_ATTRIBUTES = "too-many-attributes"
    PARSE_DEADLINE = "parse-deadline"
    PARSER_DIED = "parser-died"
    SCAN = "scan"
    ENCRYPTED = "encrypted"
    BROKEN_DOCUMENT = "broken-document"
    NOT_AN_ARTICLE = "not-an-article"
    LIST_PAGE = "list-page"
    SITE_PAGE = "site-page"
    TOO_SHORT = "too-short"
    PAYWALL = "paywall"
    FOLLOWING_PART = "following-part"
    RULE_FOUND_NOTHING = "rule-found-nothing"
    DUPLICATE = "duplicate"
    NO_EVIDENCE = "no-evidence"


class RefusalLog:
    """Counts refusals by reason and keeps the first URLs of each as samples."""

    def __init__(self, *, samples_per_reason: int = SAMPLES_PER_REASON) -> None:
        self._samples_per_reason = samples_per_reason
        self._counts: Counter[Refusal] = Counter()
        self._samples: defaultdict[Refusal, list[str]] = defaultdict(list)

    def add(self, refusal: Refusal, url: str) -> None:
        self._counts[refusal] += 1
        samples = self._samples[refusal]
        if len(samples) < self._samples_per_reason:
            samples.append(url[:2_000])

    @property
    def counters(self) -> Mapping[str, int]:
        """`refused/<reason>` → how often."""
        return {f"refused/{refusal}": count for refusal, count in self._counts.items()}

    @property
    def samples(self) -> Mapping[str, tuple[str, ...]]:
        return {str(refusal): tuple(urls) for refusal, urls in self._samples.items()}
