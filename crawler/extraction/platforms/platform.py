"""What is known of a platform: where its pages name the account, and its notices. Pure values."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Account:
    """An account on a platform. `id`: as the platform writes it; `name`: as its page shows it, maybe empty."""

    platform: str
    id: str
    name: str = ""

    @property
    def key(self) -> str:
        return f"{self.platform}:{self.id}"


@dataclass(frozen=True, slots=True)
class Platform:
    """Rules of one platform. Each pattern has a group `id` or `name`.

    `hosts`: hosts of articles, with all below them. `only`: addresses of articles; other pages have no account.
    `address`: addresses that hold the account. `link`: links to the account's page. `script`: data in scripts. `names`:
    XPath of the elements that show the account's name. `scripts_named`: its name in scripts. `removed`: the platform's
    own words for an article that its author or the platform has deleted. `barred`: for a captcha, a log-in or a limit.
    """

    name: str
    hosts: Sequence[str]
    only: re.Pattern[str]
    address: re.Pattern[str] | None = None
    link: re.Pattern[str] | None = None
    script: Sequence[re.Pattern[str]] = ()
    names: Sequence[str] = ()
    removed: re.Pattern[str] | None = None
    barred: re.Pattern[str] | None = None
    scripts_named: Sequence[re.Pattern[str]] = field(default=())
