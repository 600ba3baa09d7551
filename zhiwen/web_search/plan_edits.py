"""Changes of the file of search services: read, changed, checked and replaced as a whole, or left as it is.

The file holds keys, so only its owner may read it (mode 0600). Others who change it at the same time wait.
"""

import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from admin.web.search_desk import NotSaved
from crawler.web_search.declared import Declared, DeclaredRule, DeclaredService
from zhiwen.config.settings import SettingsError
from zhiwen.web_search.plan_file import DEFAULT, read_plan
from zhiwen.web_search.plan_text import rule_in, rule_table, service_in, service_table, tables_in, text_of

_OWNER_ONLY: Final = 0o600

Tables = dict[str, Any]


def declared_in(path: Path, *, is_named: bool) -> Declared:
    """Return what a file declares. A file that is not there declares nothing."""
    writable = _is_writable(path)
    try:
        if not path.exists():
            return Declared(path, is_writable=writable, is_named=is_named)
        read_plan(path)
        content = path.read_text(encoding="utf-8")
    except (SettingsError, OSError, ValueError) as error:
        return Declared(path, problem=str(error), is_writable=writable, is_named=is_named)
    tables = tables_in(content)
    return Declared(
        path,
        services=tuple(service_in(name, table) for name, table in tables.get("services", {}).items()),
        asks_all=bool(tables.get("asks_all", False)),
        rules=tuple(rule_in(site, table) for site, table in tables.get("sites", {}).items()),
        is_writable=writable,
        is_named=is_named,
        has_more=text_of(tables).strip() != content.strip(),
    )


def save_service(path: Path, service: DeclaredService, *, key: str | None, replaces: str | None = None) -> None:
    """Add a service, or put it in the place of the one called `replaces`. `key` None: the one it had.

    Raises NotSaved, also if another service has its name.
    """

    def change(tables: Tables) -> None:
        before = tables.get("services", {})
        if replaces is not None and replaces not in before:
            raise NotSaved(f"There is no service “{replaces}” any more.")
        if service.name != replaces and service.name in before:
            raise NotSaved(f"There is a service “{service.name}” already.")
        present = {} if replaces is None else before[replaces]
        table = service_table(service, present.get("key") if key is None else key, present)
        if replaces is None:
            tables["services"] = {**before, service.name: table}
        else:
            tables["services"] = dict(
                (service.name, table) if name == replaces else (name, other) for name, other in before.items()
            )

    _edit(path, change)


def remove_service(path: Path, name: str) -> None:
    """Raises NotSaved."""
    _edit(path, lambda tables: tables.get("services", {}).pop(name, None))


def put_first(path: Path, name: str) -> None:
    """Raises NotSaved."""

    def change(tables: Tables) -> None:
        services = tables.get("services", {})
        if name in services:
            tables["services"] = {name: services[name]} | services

    _edit(path, change)


def set_asks_all(path: Path, *, asks_all: bool) -> None:
    """Raises NotSaved."""
    _edit(path, lambda tables: tables.update(asks_all=asks_all))


def save_rule(path: Path, rule: DeclaredRule) -> None:
    """Raises NotSaved."""

    def change(tables: Tables) -> None:
        rules = tables.setdefault("sites", {})
        rules[rule.site] = rule_table(rule, rules.get(rule.site, {}))

    _edit(path, change)


def remove_rule(path: Path, site: str) -> None:
    """Raises NotSaved."""
    _edit(path, lambda tables: tables.get("sites", {}).pop(site, None))


def rename_rule(path: Path, site: str, new_name: str) -> None:
    """Have the rule of a site follow its new name; without a rule of its own, nothing is written. Raises NotSaved.

    A rule that stayed behind would be lost, and with it the word that nothing is asked about this site.
    """

    def change(tables: Tables) -> None:
        rules = tables.get("sites", {})
        tables["sites"] = {
            (new_name if name == site else name): rule for name, rule in rules.items() if name != new_name
        }

    if site not in _sites_with_rules(path):
        return
    if new_name == DEFAULT:
        raise NotSaved(f"“{DEFAULT}” is the name of the rule for all other sites. Choose another name.")
    _edit(path, change)


def _sites_with_rules(path: Path) -> set[str]:
    """Raises NotSaved for a file that cannot be read: nobody knows which rules it holds."""
    if not path.exists():
        return set()
    try:
        read_plan(path)
        return set(tables_in(path.read_text(encoding="utf-8")).get("sites", {})) - {DEFAULT}
    except (SettingsError, OSError, ValueError) as error:
        raise NotSaved(str(error)) from error


def _edit(path: Path, change: Callable[[Tables], object]) -> None:
    # What a link names is changed, not the link.
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _alone(target):
            tables: Tables = {}
            if target.exists():
                read_plan(target)
                tables = tables_in(target.read_text(encoding="utf-8"))
            change(tables)
            _replace(target, text_of(tables))
    except SettingsError as error:
        raise NotSaved(str(error)) from error
    except (OSError, UnicodeError) as error:
        raise NotSaved(f"The file {path} cannot be written: {error}") from error


def _replace(target: Path, content: str) -> None:
    """Raises SettingsError if the content is not accepted, which names the target."""
    written = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        opened = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            read_plan(written)
        except SettingsError as error:
            raise SettingsError(str(error).replace(str(written), str(target))) from error
        written.replace(target)
    finally:
        with suppress(FileNotFoundError):
            written.unlink()


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Hold the lock of a file: a file of its own, since the other one is replaced."""
    lock = os.open(target.with_name(f".{target.name}.lock"), os.O_WRONLY | os.O_CREAT, _OWNER_ONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _is_writable(path: Path) -> bool:
    target = path.resolve()
    folder = next((one for one in target.parents if one.exists()), target.parent)
    return os.access(folder, os.W_OK) and (not target.exists() or os.access(target, os.W_OK))
