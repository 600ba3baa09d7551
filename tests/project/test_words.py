"""Documentation and help texts use the terms of docs/glossary.md, not the words that these replace."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from zhiwen import cli

ROOT = Path(__file__).resolve().parents[2]

REPLACED = {
    r"kin": "candidate (retrieval) or near-duplicate (texts)",
    r"told": "reported, logged, notified, alert sent, distinguished",
    r"brought (?:in|along|by)": "imported (files), submitted (people), built in (parts)",
    r"manners": "politeness",
    r"hot (?:key|seed|slice)s?": "frequent term",
    r"texts? asked (?:about|for)": "query text",
    r"pages? asked about": "query page",
    r"sureness|how sure|surest": "confidence",
    r"look(?:s|ed)?(?: \w+)?(?: at)? again": "recheck",
    r"take-downs?": "takedown",
    r"in vain": "without result",
    r"at hand": "in progress, available, current",
    r"laid|worn": "a plain verb: stored, aligned, used",
    r"to be had|could not be had": "available, could not be fetched",
    r"not yet compared": "in the backlog",
    r"anew": "again",
    r"likewise": "also",
    r"(?:an?|each|every|the|per|of|newest) find|(?:the|of|long|newest|slowest) finds": "hit",
    r"without leave": "without permission",
}
"""Words that are out, as patterns, and what to write instead."""

WORDS_OUT = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(f"(?P<w{number}>{pattern})" for number, pattern in enumerate(REPLACED)).replace(" ", r"\s+")
    + r")(?![\w-])",
    re.IGNORECASE,
)
INSTEAD = tuple(REPLACED.values())

CODE_BLOCK = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`[^`\n]+`")
LINK_TARGET = re.compile(r"\]\([^)\s]+\)")

ALLOWED: dict[str, dict[str, str]] = {}
"""By page, command or module: the words (in small letters) that it may hold all the same, each with the reason."""

CLEAN_COMMANDS = tuple(f"zhiwen {group}" for group in sorted(cli.COMMANDS))
"""Groups of commands whose help texts are checked, as `zhiwen site`."""

CLEAN_FOLDERS = (*("fingerprint", "storage", "matcher", "crawler", "admin", "zhiwen", "benchmarks", "deploy", "tests"),)
"""Folders whose docstrings and comments are checked, as `matcher/alignment`."""

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def words_out(text: str, *, where: str) -> list[str]:
    """Each word of the text that is out, with its line and its replacement."""
    found = []
    for match in WORDS_OUT.finditer(text):
        word = " ".join(match.group().split())
        if word.lower() not in ALLOWED.get(where, {}):
            line = text.count("\n", 0, match.start()) + 1
            instead = next(INSTEAD[int(name[1:])] for name, value in match.groupdict().items() if value is not None)
            found.append(f"{where}:{line}: “{word}”, write: {instead}")
    return found


def _prose(page: str) -> str:
    """A page without its code and the targets of its links; lines stay where they are."""
    for pattern in (CODE_BLOCK, CODE_SPAN, LINK_TARGET):
        page = pattern.sub(lambda match: "\n" * match.group().count("\n"), page)
    return page


def _comments_and_docstrings(source: str) -> str:
    """The words of a module that are for its readers, each in its own line."""
    lines = [""] * (source.count("\n") + 2)
    is_statement_start = True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_docstring = token.type == tokenize.STRING and is_statement_start
        if token.type == tokenize.COMMENT or is_docstring:
            for number, line in enumerate(token.string.splitlines(), token.start[0]):
                lines[number] += line
        is_statement_start = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT) or (
            is_statement_start and token.type in (tokenize.COMMENT, tokenize.NL)
        )
    return "\n".join(lines[1:])


def _help_texts(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    """Each command by the words one types, with its help text and those of its options."""
    options = (parameter.help or "" for parameter in command.params if isinstance(parameter, click.Option))
    yield name, "\n".join((command.help or "", *options))
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            child = command.get_command(context, word)
            assert child is not None
            yield from _help_texts(child, f"{name} {word}")


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_a_page_uses_the_terms_of_the_glossary(page: Path) -> None:
    assert words_out(_prose(page.read_text(encoding="utf-8")), where=_name(page)) == []


@pytest.mark.parametrize("group", CLEAN_COMMANDS)
def test_help_texts_use_the_terms_of_the_glossary(group: str) -> None:
    texts = [
        (name, text)
        for name, text in _help_texts(cli.zhiwen, "zhiwen")
        if name == group or name.startswith(f"{group} ")
    ]

    assert texts, f"there is no command {group}"
    assert [found for name, text in texts for found in words_out(text, where=name)] == []


@pytest.mark.parametrize("folder", CLEAN_FOLDERS)
def test_code_uses_the_terms_of_the_glossary(folder: str) -> None:
    modules = sorted((ROOT / folder).rglob("*.py"))

    assert modules, f"there is no folder {folder}"
    assert [
        found
        for module in modules
        for found in words_out(_comments_and_docstrings(module.read_text(encoding="utf-8")), where=_name(module))
    ] == []


def test_a_word_that_is_out_is_found_with_its_replacement() -> None:
    assert words_out("Candidates\nand their kin", where="a page") == [
        "a page:2: “kin”, write: candidate (retrieval) or near-duplicate (texts)"
    ]


def test_code_in_a_page_is_not_checked() -> None:
    assert words_out(_prose("`site_manners` `kin`\n```\nkin\n```\n[a](kin.md)"), where="a page") == []


def test_only_comments_and_docstrings_of_a_module_are_checked() -> None:
    source = '"""Kin."""\n\nkin = "kin"  # in vain\n\n\ndef told() -> str:\n    """Anew."""\n    return "kin"\n'

    found = words_out(_comments_and_docstrings(source), where="m")

    assert [line.split(":")[1] for line in found] == ["1", "3", "7"]
