"""Pages of the desk that the search box offers by name (pure but for the words)."""

from dataclasses import dataclass
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.types import AccountRole


@dataclass(frozen=True, slots=True)
class Command:
    """`also`: further words by which it is found, in either language."""

    words: object
    endpoint: str
    values: tuple[tuple[str, str], ...] = ()
    role: AccountRole = AccountRole.VIEWER
    also: str = ""


COMMANDS: Final = (
    Command(_l("Overview"), "home.index", also="home morning 首页 今日"),
    Command(_l("Cases to review"), "cases.index", also="waiting 待处理"),
    Command(_l("Cases to review, most severe first"), "cases.index", (("sort", "gravest"),), also="严重"),
    Command(_l("My cases"), "cases.index", (("assignee", "@me"),), also="mine 我的"),
    Command(_l("Confirmed cases"), "cases.index", (("tab", "confirmed"),)),
    Command(_l("Cases in which we may be the copier"), "cases.index", (("tab", "copier"),)),
    Command(_l("Agency stories"), "cases.index", (("tab", "agency"),), also="wire 通讯社"),
    Command(_l("Snoozed cases"), "cases.index", (("tab", "snoozed"),), also="snooze later 稍后"),
    Command(_l("Cases by page"), "case_pages.index"),
    Command(_l("Boilerplate"), "set_aside.index", also="boilerplate 套话"),
    Command(_l("Letters"), "sent_letters.index"),
    Command(_l("Matches"), "hits.index"),
    Command(_l("Retellings"), "retellings.index"),
    Command(_l("Discovery"), "discovery.index", also="search web 网络检索"),
    Command(_l("Pages"), "pages.index"),
    Command(_l("Sites"), "sites.index"),
    Command(_l("Add site"), "sites.add_form", role=AccountRole.MANAGER),
    Command(_l("Owners"), "owners.index"),
    Command(_l("Licences"), "licences.index"),
    Command(_l("Imports"), "imports.index", role=AccountRole.MANAGER, also="upload 上传"),
    Command(_l("Crawls"), "runs.index", also="crawls 抓取"),
    Command(_l("Health"), "watching.index"),
    Command(_l("Work"), "analysis_work.index"),
    Command(_l("Who copies whom"), "analysis.index", also="network 网络"),
    Command(_l("Precision"), "quality.index", also="precision 准确率"),
    Command(_l("Thresholds"), "analysis_quality.thresholds"),
    Command(_l("Check a text"), "check.form", role=AccountRole.REVIEWER, also="查重"),
    Command(_l("Alerts"), "alerts.index"),
    Command(_l("People"), "people.index", role=AccountRole.ADMINISTRATOR, also="accounts 账号"),
    Command(_l("Audit log"), "audit.index", role=AccountRole.ADMINISTRATOR),
    Command(_l("Settings"), "settings.index", role=AccountRole.ADMINISTRATOR, also="backup 备份 阈值"),
    Command(
        _l("Letter settings"), "letterhead.index", role=AccountRole.ADMINISTRATOR, also="letterhead seal 信头 印章"
    ),
    Command(_l("Getting started"), "setup.index", role=AccountRole.MANAGER),
    Command(_l("My account"), "account.index", also="password 密码"),
)


def fitting(commands: list[tuple[str, Command]], asked: str) -> list[Command]:
    """The commands whose words, as shown, or further words contain all words of `asked`, the best first."""
    parts = asked.casefold().split()
    found = []
    for place, (shown, command) in enumerate(commands):
        text = f"{shown} {command.also}".casefold()
        if all(part in text for part in parts):
            found.append((not shown.casefold().startswith(asked.casefold().strip()), place, command))
    return [command for _is_later, _place, command in sorted(found, key=lambda item: item[:2])]
