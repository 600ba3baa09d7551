"""The doctor: checks of the installation, each with a result and a remedy. Changes nothing."""

import re
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crawler.evidence.signing_keys import KEY_FILE
from crawler.network.public_addresses import is_allowed
from zhiwen.config.secret_key import SECRET_KEY_FILE_NAME
from zhiwen.worker.self_monitoring import nearest_folder

if TYPE_CHECKING:
    from zhiwen.config.parsers import Network
    from zhiwen.config.settings import Settings

MEGABYTE: Final = 1_000_000
LOW_SHARE: Final = 0.05
FONTS_WITHIN_S: Final = 20

NEVER_OURS: Final = (
    *("127.0.0.1", "10.0.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0"),  # noqa: S104  # checked, not listened on
    *("::1", "fd00::1", "::ffff:10.0.0.1"),
)
"""Addresses that the guard must refuse: this machine, private networks, metadata services of clouds."""

METADATA: Final = ip_network("169.254.0.0/16")
"""Metadata services of clouds, which give credentials to machines."""

_REQUIREMENT: Final = re.compile(r"""^(?P<name>[A-Za-z0-9._-]+).*;.*\bextra\s*==\s*['"](?P<extra>[a-z]+)['"]""")
EXTRAS: Final = {
    "browser": "pages that need scripts, and screenshots",
    "meaning": "copies in other words",
    "semantic": "`compare --semantic`",
    "server": "the admin behind gunicorn",
    "bench": "`bench` with its baseline methods",
}


class State(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """`says`: the result. `mend`: the remedy if it is not ok."""

    name: str
    state: State
    says: str
    mend: str = ""


def ok(name: str, says: str) -> Finding:
    return Finding(name, State.OK, says)


def warn(name: str, says: str, mend: str) -> Finding:
    return Finding(name, State.WARN, says, mend)


def fail(name: str, says: str, mend: str) -> Finding:
    return Finding(name, State.FAIL, says, mend)


def examine_machine(settings: "Settings") -> Iterator[Finding]:
    """The checks that need no database."""
    yield ok("version", f"Zhiwen {version('zhiwen')}")
    yield from examine_home(settings.home)
    yield examine_disk(settings.home, *_usage(settings.home), floor=settings.disk_floor_mb * MEGABYTE)
    yield examine_guard(settings.allowed_networks)
    yield examine_fonts(installed_chinese_fonts())
    yield examine_browser()
    yield from examine_extras(requires("zhiwen") or ())
    if settings.time_stamp_url is not None:
        yield examine_certificates(settings.time_stamp_certificates)


_KEYS: Final = (
    (SECRET_KEY_FILE_NAME, "secret key", "forge logins with it"),
    (KEY_FILE, "signing key", "sign evidence with it"),
)
"""Files of the home with secrets: name, what it is, and what others could do with it."""


def examine_home(home: Path) -> Iterator[Finding]:
    folder = nearest_folder(home)
    if not is_writable(folder):
        yield fail("home", f"{folder} is not writable.", "Give this user write permission, or set ZHIWEN_HOME.")
    elif folder == home:
        yield ok("home", f"{home} is writable.")
    else:
        yield ok("home", f"{home} does not exist yet; it is created when it is first used.")
    for name, what, risk in _KEYS:
        key = home / name
        if not key.is_file():
            continue
        mode = stat.S_IMODE(key.stat().st_mode)
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            yield fail(what, f"Other users can read {key} (mode {mode:o}) and {risk}.", f"chmod 600 {key}")
        else:
            yield ok(what, "Only this user can read it.")


def is_writable(folder: Path) -> bool:
    """Tries it: permissions are not the only obstacle."""
    probe = folder / ".zhiwen-doctor"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def examine_disk(home: Path, total: int, free: int, *, floor: int) -> Finding:
    """Sizes in bytes. `floor`: crawls wait below it."""
    says = f"{free / MEGABYTE:,.0f} of {total / MEGABYTE:,.0f} MB are free in {home}."
    mend = "Free space, or keep less: zhiwen evidence keep, zhiwen evidence prune. For a forecast: zhiwen status."
    if free < floor:
        return fail("disk", f"{says} Crawls wait while less than {floor / MEGABYTE:,.0f} MB are free.", mend)
    return warn("disk", says, mend) if free < LOW_SHARE * total else ok("disk", says)


def examine_guard(allowed: Sequence["Network"]) -> Finding:
    """Checks that crawls cannot reach private addresses."""
    opened = [address for address in NEVER_OURS if is_allowed(address, ())]
    if opened:
        return fail(
            "network guard", f"Crawls could reach {', '.join(opened)}.", "This program is broken. Install it again."
        )
    if any(
        network.prefixlen == 0 or network.overlaps(METADATA)
        for network in allowed
        if network.version == METADATA.version
    ):
        says = "ZHIWEN_ALLOWED_NETWORKS opens the metadata service of clouds, which contains credentials, to crawls."
        return fail("network guard", says, "List only the networks of sites that you watch.")
    if any(network.prefixlen == 0 for network in allowed):
        return fail(
            "network guard",
            "ZHIWEN_ALLOWED_NETWORKS allows everything.",
            "List only the networks of sites that you watch.",
        )
    if allowed:
        says = f"Crawls may also enter {', '.join(map(str, allowed))}."
        return warn("network guard", says, "Unset ZHIWEN_ALLOWED_NETWORKS unless you watch sites there.")
    return ok("network guard", "Crawls can reach public addresses only.")


def installed_chinese_fonts() -> int | None:
    """Their number; None if it is unknown."""
    program = shutil.which("fc-list")
    if program is None:
        return None
    try:
        listed = subprocess.run(  # noqa: S603  # a program of the system, without anything from elsewhere
            [program, ":lang=zh", "family"], capture_output=True, check=True, timeout=FONTS_WITHIN_S
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return len(set(listed.stdout.splitlines()))


def examine_fonts(count: int | None) -> Finding:
    mend = "Install one, such as the package fonts-noto-cjk. Without it, screenshots show boxes instead of characters."
    if count is None:
        return warn("fonts", "Chinese fonts cannot be checked: fc-list is not installed.", mend)
    if not count:
        return warn("fonts", "No Chinese font is installed.", mend)
    return ok("fonts", f"{count} Chinese fonts are installed.")


def examine_browser() -> Finding:
    from crawler.browser.availability import installed_browser, what_is_missing  # noqa: PLC0415  # as above

    missing = what_is_missing()
    if missing is None:
        return ok("browser", f"{installed_browser()} is installed.")
    says = "Sites that need scripts cannot be crawled, and evidence has no screenshots."
    return warn("browser", says, f"{missing[0].upper()}{missing[1:]}.")


def examine_extras(requirements: Iterable[str]) -> Iterator[Finding]:
    """Reports for each extra whether its packages are installed; all are optional."""
    parts: dict[str, list[str]] = {name: [] for name in EXTRAS}
    for requirement in requirements:
        found = _REQUIREMENT.match(requirement)
        if found is not None and found["extra"] in parts and found["name"].lower() != "zhiwen":
            parts[found["extra"]].append(found["name"])
    for name, needed in parts.items():
        missing = [package for package in needed if not _is_installed(package)]
        words = f"{EXTRAS[name]}: "
        if missing:
            yield ok(
                f"extra {name}",
                f"{words}not installed ({', '.join(missing)}). Install it: pip install 'zhiwen[{name}]'.",
            )
        else:
            yield ok(f"extra {name}", f"{words}installed.")


def examine_certificates(path: Path | None) -> Finding:
    mend = "Set ZHIWEN_TIME_STAMP_CERTIFICATES to a file with the authority's certificates, as PEM."
    if path is None:
        return fail("time stamps", "An authority is set without certificates to verify it.", mend)
    try:
        is_pem = b"BEGIN CERTIFICATE" in path.read_bytes()
    except OSError as error:
        return fail("time stamps", f"{path} cannot be read ({error.strerror}).", mend)
    return (
        ok("time stamps", f"The certificates are in {path}.")
        if is_pem
        else fail("time stamps", f"{path} contains no certificate.", mend)
    )


def worst(findings: Iterable[Finding]) -> State:
    order = tuple(State)
    return max((finding.state for finding in findings), key=order.index, default=State.OK)


def counted(findings: Sequence[Finding]) -> Mapping[State, int]:
    return {state: sum(finding.state is state for finding in findings) for state in State}


def _usage(home: Path) -> tuple[int, int]:
    usage = shutil.disk_usage(nearest_folder(home))
    return usage.total, usage.free


def _is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True
