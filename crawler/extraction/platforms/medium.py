"""Medium: medium.com/@account, account.medium.com."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

MEDIUM: Final = Platform(
    name="medium",
    hosts=("medium.com",),
    only=re.compile(r"^https?://[^/]+/.+"),
    address=re.compile(
        r"^https?://(?:(?:www\.)?medium\.com/@(?P<id>[\w.-]{1,60})(?:/|$)|(?P<sub>(?!www\.)[\w-]{1,60})\.medium\.com/)"
    ),
    link=re.compile(r"^https?://(?:www\.)?medium\.com/@(?P<id>[\w.-]{1,60})/?(?:$|[?#])"),
    names=("//meta[@name='author']/@content", "//a[@data-testid='authorName']"),
    removed=re.compile(
        r"""(?:user|author)\ deleted\ this\ (?:medium\ )?(?:story|post)
          | this\ (?:story|post)\ (?:has\ been|was)\ (?:deleted|removed)
          | account\ (?:is\ )?(?:suspended|under\ investigation) | error\ 410""",
        re.VERBOSE | re.IGNORECASE,
    ),
    barred=re.compile(r"just a moment|performing security verification|too many requests", re.IGNORECASE),
)
