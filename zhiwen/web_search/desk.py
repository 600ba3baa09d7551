"""The search services of an installation, as the desk sets them up and tries them."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from admin.web.search_desk import TriedOut
from crawler.web_search.declared import Declared, DeclaredRule, DeclaredService
from zhiwen.config.settings import Settings, SettingsError
from zhiwen.web_search import plan_edits
from zhiwen.web_search.plan_file import plan_path, read_plan
from zhiwen.web_search.trying import try_out

if TYPE_CHECKING:
    from sqlalchemy import Engine


@dataclass(frozen=True, slots=True)
class SearchServicesOf:
    """Those of one file; `is_named`: a setting names it. See `admin.web.search_desk.SearchDesk`."""

    engine: "Engine"
    path: Path
    zone: ZoneInfo
    is_named: bool = False

    def declared(self) -> Declared:
        return plan_edits.declared_in(self.path, is_named=self.is_named)

    def save_service(self, service: DeclaredService, *, key: str | None, replaces: str | None = None) -> None:
        plan_edits.save_service(self.path, service, key=key, replaces=replaces)

    def remove_service(self, name: str) -> None:
        plan_edits.remove_service(self.path, name)

    def put_first(self, name: str) -> None:
        plan_edits.put_first(self.path, name)

    def set_asks_all(self, *, asks_all: bool) -> None:
        plan_edits.set_asks_all(self.path, asks_all=asks_all)

    def save_rule(self, rule: DeclaredRule) -> None:
        plan_edits.save_rule(self.path, rule)

    def remove_rule(self, site: str) -> None:
        plan_edits.remove_rule(self.path, site)

    def rename_rule(self, site: str, new_name: str) -> None:
        plan_edits.rename_rule(self.path, site, new_name)

    def try_out(self, name: str, phrase: str) -> TriedOut | None:
        try:
            services = read_plan(self.path).services
        except SettingsError as error:
            return TriedOut(problem=str(error))
        planned = next((one for one in services if one.name == name), None)
        return None if planned is None else try_out(self.engine, planned, phrase, zone=self.zone)


def search_services_of(settings: Settings, engine: "Engine") -> SearchServicesOf:
    is_named = settings.search_services is not None
    return SearchServicesOf(engine, plan_path(settings), ZoneInfo(settings.time_zone), is_named)
