"""Which browser runs, as the machine reports it, and that its profile is empty."""

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession


class BrowserState:
    """`facts`: version, program file and command line. `profile`: what was found in it before the page was opened.

    `installed`: the program that was launched. `folder`: where the browser's driver makes the profile, and whether it
    `was_empty` before the driver started.
    """

    def __init__(self, browser: "Browser", installed: str, folder: Path, *, was_empty: bool) -> None:
        self._browser = browser
        self._folder = folder
        self._was_empty = was_empty
        self._session: CDPSession | None = None
        self.facts: dict[str, Any] = {"version": browser.version, "launched": installed, "executable": None}
        self.profile: dict[str, Any] = {"folder_was_empty": None, "cookies": None, "extensions": None}

    async def identify(self) -> None:
        """Asks the browser for its version and process, and the system for the file and the command line of that."""
        session = await self._browser.new_browser_cdp_session()
        self._session = session
        version = await session.send("Browser.getVersion")
        self.facts |= {"product": version["product"], "user_agent": version["userAgent"], "engine": version["revision"]}
        processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        number = next((one["id"] for one in processes if one["type"] == "browser"), None)
        self.facts |= _of_process(number)

    async def examine(self, context: "BrowserContext") -> None:
        """Counts what a profile would bring along."""
        arguments = self.facts.get("command_line") or []
        folders = [one.partition("=")[2] for one in arguments if one.startswith("--user-data-dir=")]
        self.profile |= {
            "folder_was_empty": self._was_empty and _are_in(self._folder, folders),
            "cookies": len(await context.cookies()),
            "extensions_disabled": "--disable-extensions" in arguments,
            "service_workers": "blocked",
            "downloads": "refused",
            "context": "a new one without storage of its own, ended with the recording",
        }
        if self._session is not None:
            targets = (await self._session.send("Target.getTargets"))["targetInfos"]
            foreign = [one for one in targets if one["url"].startswith("chrome-extension:")]
            self.profile["extensions"] = len(foreign)


def _are_in(folder: Path, profiles: list[str]) -> bool:
    return bool(profiles) and all(Path(one).is_relative_to(folder) for one in profiles)


def _of_process(number: int | None) -> dict[str, Any]:
    """The file that the process runs, and its arguments; without them where the system does not say (no /proc)."""
    if number is None:
        return {}
    found: dict[str, Any] = {}
    with contextlib.suppress(OSError):
        place = Path(f"/proc/{number}")
        about = (place / "exe").stat()
        found["executable"] = {
            **{"path": str((place / "exe").readlink()), "bytes": about.st_size},
            **{"changed_ns": about.st_mtime_ns, "inode": about.st_ino},
        }
        found["command_line"] = [os.fsdecode(one) for one in (place / "cmdline").read_bytes().split(b"\0") if one]
    return found
