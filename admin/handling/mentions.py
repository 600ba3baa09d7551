"""The people whom a comment mentions as @name (pure)."""

from collections.abc import Sequence

from storage.records.cases import Actor

_SIGNS = "@＠"


def mentioned(words: str, people: Sequence[Actor]) -> list[Actor]:
    """The people named after an @, in the order of their first mention, each once.

    Names may hold any characters: at each @ the longest name that stands there counts. An @ inside a word is that of a
    mail address, and a name in Latin letters has to end where its word does.
    """
    longest_first = sorted(people, key=lambda person: -len(person.name))
    found: dict[int, Actor] = {}
    for place, sign in enumerate(words):
        if sign not in _SIGNS or (place and _is_latin(words[place - 1])):
            continue
        person = next((one for one in longest_first if _stands_at(words, place + 1, one.name)), None)
        if person is not None:
            found.setdefault(person.account_id, person)
    return list(found.values())


def _stands_at(words: str, place: int, name: str) -> bool:
    end = place + len(name)
    if not name or words[place:end].casefold() != name.casefold():
        return False
    return not (_is_latin(name[-1]) and _is_latin(words[end : end + 1]))


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()
