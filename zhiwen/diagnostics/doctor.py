"""Whether all is there that it takes: one finding after the other, each with how to mend it. Changes nothing."""

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

from zhiwen.config.secret_key import SECRET_KEY_FILE_NAME
from zhiwen.worker.self_monitoring import nearest_folder

if TYPE_CHECKING:
    from zhiwen.config.parsers import Network
    from zhiwen.config.settings import Settings

MEGABYTE: Final = 1_000_000
LOW_SHARE: Final = 0.05
FONTS_WITHIN_S: Final = 20

NEVER_OURS: Final = (
    *("127.0.0.1", "10.0.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0"),  # noqa: S104  # asked about, not listened on
    *("::1", "fd00::1", "::ffff:10.0.0.1"),
)
"""Addresses on which no page stands that somebody could have copied: this machine, private networks, clouds' own."""

METADATA: Final = ip_network("169.254.0.0/16")
"""Where clouds tell their machines passwords."""

_REQUIREMENT: Final = re.compile(r"""^(?P<name>[A-Za-z0-9._-]+).*;.*\bextra\s*==\s*['"](?P<extra>[a-z]+)['"]""")
EXTRAS: Final = {
    "browser": "pages that show their articles by script, and screenshots",
    "semantic": "`compare --semantic`",
    "server": "the admin behind gunicorn",
    "bench": "`bench` beside other methods",
}


class State(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """`mend`: what to do where it is not ok."""

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
    """What can be told without the database."""
    yield ok("version", f"Zhiwen {version('zhiwen')}")
    yield from examine_home(settings.home)
    yield examine_disk(settings.home, *_usage(settings.home), floor=settings.disk_floor_mb * MEGABYTE)
    yield examine_guard(settings.allowed_networks)
    yield examine_fonts(installed_chinese_fonts())
    yield examine_browser()
    yield from examine_extras(requires("zhiwen") or ())
    if settings.time_stamp_url is not None:
        yield examine_certificates(settings.time_stamp_certificates)


def examine_home(home: Path) -> Iterator[Finding]:
    folder = nearest_folder(home)
    if not is_writable(folder):
        yield fail("home", f"{folder} cannot be written.", "Give this user the right to, or set ZHIWEN_HOME.")
    elif folder == home:
        yield ok("home", f"{home} can be written.")
    else:
        yield ok("home", f"{home} is not there yet; it is made when it is first needed.")
    key = home / SECRET_KEY_FILE_NAME
    if key.is_file():
        mode = stat.S_IMODE(key.stat().st_mode)
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            says = f"Others may read {key} (mode {mode:o}), and forge log-ins by it."
            yield fail("secret key", says, f"chmod 600 {key}")
        else:
            yield ok("secret key", "Only this user may read it.")


def is_writable(folder: Path) -> bool:
    """Tried, and not asked: rights are not all there is to it."""
    probe = folder / ".zhiwen-doctor"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def examine_disk(home: Path, total: int, free: int, *, floor: int) -> Finding:
    """`floor`: what has to be left for crawls to go on."""
    says = f"{free / MEGABYTE:,.0f} of {total / MEGABYTE:,.0f} MB are free under {home}."
    mend = "Make room, or keep less: zhiwen evidence keep, zhiwen evidence prune. zhiwen status says how fast it fills."
    if free < floor:
        return fail("disk", f"{says} Crawls wait for room from {floor / MEGABYTE:,.0f} MB on.", mend)
    return warn("disk", says, mend) if free < LOW_SHARE * total else ok("disk", says)


def examine_guard(allowed: Sequence["Network"]) -> Finding:
    """Whether crawls keep out of networks that are nobody's web."""
    from crawler.network.ssrf_guard import is_allowed  # noqa: PLC0415  # Twisted is loaded only by those who look

    opened = [address for address in NEVER_OURS if is_allowed(address, ())]
    if opened:
        return fail(
            "network guard", f"Crawls could reach {', '.join(opened)}.", "This program is broken: install it anew."
        )
    if any(
        network.prefixlen == 0 or network.overlaps(METADATA)
        for network in allowed
        if network.version == METADATA.version
    ):
        says = "ZHIWEN_ALLOWED_NETWORKS lets crawled pages lead to where clouds tell passwords."
        return fail("network guard", says, "Name only the networks whose sites you watch.")
    if any(network.prefixlen == 0 for network in allowed):
        return fail(
            "network guard", "ZHIWEN_ALLOWED_NETWORKS allows everything.", "Name only the networks that you watch."
        )
    if allowed:
        says = f"Crawls may also enter {', '.join(map(str, allowed))}."
        return warn("network guard", says, "Right if you watch sites there; else unset ZHIWEN_ALLOWED_NETWORKS.")
    return ok("network guard", "Crawls reach public addresses alone.")


def installed_chinese_fonts() -> int | None:
    """How many; None where this system does not tell."""
    program = shutil.which("fc-list")
    if program is None:
        return None
    try:
        told = subprocess.run(  # noqa: S603  # a program of the system, without anything from elsewhere
            [program, ":lang=zh", "family"], capture_output=True, check=True, timeout=FONTS_WITHIN_S
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return len(set(told.stdout.splitlines()))


def examine_fonts(count: int | None) -> Finding:
    mend = "Install one, such as the package fonts-noto-cjk, or pictures of pages show boxes instead of characters."
    if count is None:
        return warn("fonts", "Whether Chinese fonts are installed cannot be told (no fc-list).", mend)
    if not count:
        return warn("fonts", "No Chinese font is installed.", mend)
    return ok("fonts", f"{count} Chinese fonts are installed.")


def examine_browser() -> Finding:
    from crawler.browser.availability import installed_browser, what_is_missing  # noqa: PLC0415  # as above

    missing = what_is_missing()
    if missing is None:
        return ok("browser", f"Pages can be opened in {installed_browser()}.")
    says = "Sites that show their articles by script cannot be crawled, and evidence has no pictures."
    return warn("browser", says, f"{missing[0].upper()}{missing[1:]}.")


def examine_extras(requirements: Iterable[str]) -> Iterator[Finding]:
    """Of each optional part, whether what it needs is installed; none of it has to be."""
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
                f"extra {name}", f"{words}not installed ({', '.join(missing)}). pip install 'zhiwen[{name}]' adds it."
            )
        else:
            yield ok(f"extra {name}", f"{words}installed.")


def examine_certificates(path: Path | None) -> Finding:
    mend = "Set ZHIWEN_TIME_STAMP_CERTIFICATES to a file with the authority's certificates, as PEM."
    if path is None:
        return fail("time stamps", "An authority is set, and no certificates by which it is believed.", mend)
    try:
        is_pem = b"BEGIN CERTIFICATE" in path.read_bytes()
    except OSError as error:
        return fail("time stamps", f"{path} cannot be read ({error.strerror}).", mend)
    return (
        ok("time stamps", f"The certificates are in {path}.")
        if is_pem
        else fail("time stamps", f"{path} holds none.", mend)
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
