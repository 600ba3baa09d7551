"""Settings of a process that crawls, with the same names in the environment and in Scrapy."""

import os
from typing import TYPE_CHECKING, Final

from crawler.browser import availability
from crawler.network.public_addresses import ALLOWED_NETWORKS_SETTING
from crawler.spider.crawl_store import DATABASE_URL_SETTING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

RUN_ID_SETTING: Final = "ZHIWEN_RUN_ID"
MAX_PAGES_SETTING: Final = "ZHIWEN_MAX_PAGES"
TRIGGER_SETTING: Final = "ZHIWEN_TRIGGER"
USER_AGENT_SETTING: Final = "ZHIWEN_USER_AGENT"
REVISIT_SETTING: Final = "ZHIWEN_REVISIT"
ANSWER_WITHIN_SETTING: Final = "ZHIWEN_ANSWER_WITHIN_S"
HOME_SETTING: Final = "ZHIWEN_HOME"

ROOM_IN_SETTING: Final = "ZHIWEN_ROOM_IN"
DISK_FLOOR_SETTING: Final = "ZHIWEN_DISK_FLOOR_BYTES"

_FROM_ENVIRONMENT: Final = (
    DATABASE_URL_SETTING,
    ALLOWED_NETWORKS_SETTING,
    RUN_ID_SETTING,
    MAX_PAGES_SETTING,
    TRIGGER_SETTING,
    REVISIT_SETTING,
    ROOM_IN_SETTING,
    DISK_FLOOR_SETTING,
)


def take_from_environment(settings: "BaseSettings") -> None:
    """Applies the settings that `zhiwen crawl` or `scrapy crawl` finds in the environment."""
    for name in _FROM_ENVIRONMENT:
        if os.environ.get(name):
            settings.set(name, os.environ[name], priority="spider")
    if os.environ.get(USER_AGENT_SETTING):
        settings.set("USER_AGENT", os.environ[USER_AGENT_SETTING], priority="spider")
    if os.environ.get(ANSWER_WITHIN_SETTING):
        settings.set("DOWNLOAD_TIMEOUT", os.environ[ANSWER_WITHIN_SETTING], priority="spider")
    if os.environ.get(availability.BROWSER_SETTING):
        settings.setdict(availability.scrapy_settings(), priority="spider")
