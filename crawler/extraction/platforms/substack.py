"""Substack: account.substack.com."""

import re
from typing import Final

from crawler.extraction.platforms.platform import Platform

SUBSTACK: Final = Platform(
    name="substack",
    hosts=("substack.com",),
    only=re.compile(r"/p/"),
    address=re.compile(r"^https?://(?P<id>(?!www\.|open\.)[\w-]{1,60})\.substack\.com/"),
    names=("//meta[@property='og:site_name']/@content", "//meta[@name='author']/@content"),
    removed=re.compile(r"this post (?:has been|was) (?:deleted|removed)|page not found", re.IGNORECASE),
    barred=re.compile(r"too many requests|just a moment", re.IGNORECASE),
)
