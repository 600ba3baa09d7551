"""A browser by the name that its user calls it (pure): a list of sessions is read to find the strange one."""

from typing import Final

_UNKNOWN: Final = "?"

# The first that is found counts: each pretends to be those below it.
_BROWSERS: Final = (
    ("MicroMessenger/", "WeChat"),
    ("DingTalk/", "DingTalk"),
    ("QQBrowser/", "QQ Browser"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("HuaweiBrowser/", "Huawei Browser"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
_SYSTEMS: Final = (
    ("HarmonyOS", "HarmonyOS"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_name(user_agent: str) -> str:
    """Such as “Firefox · Windows”; what is not known is shown as it calls itself."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    return " · ".join(filter(None, (browser, system))) or user_agent or _UNKNOWN
