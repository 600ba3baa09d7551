"""What is written agrees with what is there: commands, options, settings, links, versions, and both READMEs."""

import os
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pytest

from crawler.extraction.article import SHORTEST_ARTICLE
from crawler.plugin import FIELDS_SETTING, SITE_SETTING
from zhiwen import cli
from zhiwen.config.settings import DECLARATIONS, variable

ROOT = Path(__file__).resolve().parents[2]
COMMAND_LINE = ROOT / "docs/command-line.md"
SETTINGS = ROOT / "docs/settings.md"
ENGLISH, CHINESE = ROOT / "README.md", ROOT / "README.zh-CN.md"

# Read from the settings of other people's Scrapy projects, not from the environment.
IN_SCRAPY_PROJECTS = {SITE_SETTING, FIELDS_SETTING}

OWN_WORDS_OF_RUN = {"setup", "test", "verify", "--help"}
STARTS = ("./run", "zhiwen")

HEADING = re.compile(r"^(#+) +(.+)$", re.MULTILINE)
CODE_BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
OPTION_ROW = re.compile(r"^\| `(--[a-z0-9-]+)` \|", re.MULTILINE)
SETTING = re.compile(r"\b(?:ZHIWEN_[A-Z_]+|DATABASE_URL)\b")
VERSION_HEADING = re.compile(r"^## \[?(\d+\.\d+\.\d+)\b", re.MULTILINE)

# In pieces, so that this file does not hold what it looks for.
INDEX_ADDRESS = re.compile(
    "|".join(
        (
            "py" + r"pi\.(?:org|python|io|tuna|doubanio|mirrors)",
            "python" + "hosted",
            r"https?://[^\s\"'<>]+/" + r"simple\b",
            r"(?:index|extra-index|find-links)[-_]" + r"(?:url)?[\"']?\s*[= ]\s*[\"']?https?://",
        )
    )
)
ADDRESSES_IN_A_LOCK = ("://", "file:", "--index", "--extra-index", "--find-links")
BINARY = {".mo", ".npz", ".png", ".jpg", ".gz", ".ico", ".woff2", ".pyc"}


def _files() -> Iterator[Path]:
    """Everything that belongs to the project, less what tools leave behind."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name == ".ci" or not _is_left_behind(name))
        yield from (Path(folder, name) for name in sorted(names))


def _is_left_behind(folder: str) -> bool:
    return folder.startswith(".") or folder in ("__pycache__", "build", "dist") or folder.endswith(".egg-info")


FILES = tuple(_files())
MARKDOWN = tuple(path for path in FILES if path.suffix == ".md" and "content" not in path.parts)


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Each command that does something, by the words one types."""
    if not isinstance(command, click.Group):
        if not command.hidden:
            yield name, command
        return
    context = click.Context(command)
    for word in command.list_commands(context):
        child = command.get_command(context, word)
        assert child is not None, f"{name} {word} is listed and cannot be loaded"
        yield from _commands(child, f"{name} {word}")


COMMANDS = dict(_commands(cli.zhiwen, "zhiwen"))


def _options(command: click.Command) -> set[str]:
    return {
        option
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in (*parameter.opts, *parameter.secondary_opts)
    } - {"--help", "-h"}


def _sections(page: Path) -> dict[str, str]:
    """The text below each heading, up to the next."""
    parts = HEADING.split(page.read_text(encoding="utf-8"))
    return dict(zip(parts[2::3], parts[3::3], strict=True))


DOCUMENTED = {title: text for title, text in _sections(COMMAND_LINE).items() if title.startswith("zhiwen ")}


def test_every_command_has_a_section_and_every_section_a_command() -> None:
    assert sorted(DOCUMENTED) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does(name: str) -> None:
    assert (COMMANDS[name].help or "").strip()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_tells_of_all_options_and_of_no_other(name: str) -> None:
    section = DOCUMENTED.get(name, "")
    assert set(OPTION_ROW.findall(section)) == _options(COMMANDS[name])
    assert set(OPTION.findall(section)) <= _options(COMMANDS[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_shows_an_example(name: str) -> None:
    example = name.replace("zhiwen", "./run", 1)
    blocks = "".join(block for _, block in CODE_BLOCK.findall(DOCUMENTED.get(name, "")))
    assert any(line.startswith(example) for line in blocks.splitlines())


def _written_commands(page: Path) -> Iterator[list[str]]:
    """The words after `./run` or `zhiwen` in every code block and code span of the page."""
    text = page.read_text(encoding="utf-8")
    blocks = [block for language, block in CODE_BLOCK.findall(text) if language in ("sh", "")]
    spans = CODE_SPAN.findall(CODE_BLOCK.sub("", text))
    for line in [*(line for block in blocks for line in block.splitlines()), *spans]:
        for piece in re.split(r"&&|;|(?<=\s)[<>|](?=\s)", line):
            words = shlex.split(piece, comments=True) if piece.count("'") % 2 == 0 else piece.split()
            if words and words[0] in STARTS and len(words) > 1:
                yield words[1:]


@pytest.mark.parametrize("page", MARKDOWN, ids=_name)
def test_every_command_that_is_written_anywhere_exists_with_its_options(page: Path) -> None:
    for words in _written_commands(page):
        if words[0] in OWN_WORDS_OF_RUN or not re.fullmatch(r"[a-z][a-z-]*", words[0]):
            continue
        command: click.Command | None = cli.zhiwen
        rest = list(words)
        while rest and isinstance(command, click.Group):
            word = rest.pop(0)
            # `zhiwen db` alone, or alternatives as in `stop|upgrade`, speak of the group.
            command = command.get_command(click.Context(command), word)
            assert command is not None, f"there is no command {' '.join(words)}"
        assert command is not None
        if not isinstance(command, click.Group):
            unknown = {word for word in rest if OPTION.fullmatch(word)} - _options(command) - {"--help"}
            assert not unknown, f"{' '.join(words)}: no such option"


def test_the_table_of_settings_is_as_they_are_declared() -> None:
    rows = [line for line in SETTINGS.read_text("utf-8").splitlines() if line.startswith("| `")]
    declared = [f"| `{variable(name)}` | {one.default} | {one.meaning} " for name, one in DECLARATIONS.items()]
    assert [row[: len(begins)] for row, begins in zip(rows, declared, strict=True)] == declared


@pytest.mark.parametrize("page", MARKDOWN, ids=_name)
def test_only_settings_that_exist_are_mentioned(page: Path) -> None:
    known = {*map(variable, DECLARATIONS), *IN_SCRAPY_PROJECTS}
    mentioned = set(SETTING.findall(page.read_text(encoding="utf-8")))
    assert {name for name in mentioned - known if not name.startswith("ZHIWEN_TEST_")} == set()


@pytest.mark.parametrize("page", MARKDOWN, ids=_name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    broken = [link for link in _relative_links(page) if not _leads_somewhere(page, link)]
    assert not broken


def _relative_links(page: Path) -> list[str]:
    text = CODE_BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [link for link in LINK.findall(text) if not urlsplit(link).scheme]


def _leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = unquote(link).partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return False
    return not anchor or anchor in {_anchor(title) for title in _sections(target)}


def _anchor(title: str) -> str:
    """As the sites that show Markdown make them: small letters, hyphens for spaces, other marks dropped."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_the_newest_version_of_the_changelog_is_the_project_s() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = VERSION_HEADING.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert versions[0] == project["version"]


def test_both_readmes_have_the_same_headings_and_the_same_code() -> None:
    pages = [page.read_text(encoding="utf-8") for page in (ENGLISH, CHINESE)]
    levels = [[marks for marks, _ in HEADING.findall(CODE_BLOCK.sub("", page))] for page in pages]
    assert levels[0] == levels[1]
    assert CODE_BLOCK.findall(pages[0]) == CODE_BLOCK.findall(pages[1])
    targets = [{link for link in LINK.findall(page) if link not in (ENGLISH.name, CHINESE.name)} for page in pages]
    assert targets[0] == targets[1]


def test_no_file_holds_the_address_of_a_package_index() -> None:
    found = [
        f"{_name(path)}: {match.group()}"
        for path in FILES
        if path.suffix not in BINARY
        for match in [INDEX_ADDRESS.search(path.read_text(encoding="utf-8", errors="replace"))]
        if match
    ]
    assert not found


def test_the_lock_says_what_to_install_and_never_where_from() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert [mark for mark in ADDRESSES_IN_A_LOCK if mark in lock] == []


SHORTEST_TEXT = re.compile(
    r"(?:under|fewer than) (\d+)(?: word)? characters(?= (?:are|is) (?:not stored|refused)| *\|)|不足 (\d+) 字的网页"
)
TELL_THE_SHORTEST_TEXT = (
    *("README.md", "README.zh-CN.md", "docs/command-line.md", "docs/detection.md", "docs/extraction.md"),
)


@pytest.mark.parametrize("page", TELL_THE_SHORTEST_TEXT)
def test_the_shortest_text_that_is_stored_is_the_same_everywhere(page: str) -> None:
    """Code review 10: four pages said 60, the code 50."""
    said = [int(a or b) for a, b in SHORTEST_TEXT.findall((ROOT / page).read_text("utf-8"))]

    assert said
    assert set(said) == {SHORTEST_ARTICLE}


def test_no_other_page_tells_another_shortest_text() -> None:
    pages = (path for path in _files() if path.suffix in {".md", ".html", ".po"})
    telling = {str(path.relative_to(ROOT)) for path in pages if SHORTEST_TEXT.search(path.read_text("utf-8"))}

    assert telling == set(TELL_THE_SHORTEST_TEXT)
