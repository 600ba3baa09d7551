"""A thousand mutations of a package, one at a time: each is caught, and the member named where it lies in one."""

import io
import random
import struct
import zipfile
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from itertools import pairwise
from pathlib import Path

import pytest

from crawler.package.check import check_package
from crawler.package.detached import read_detached
from crawler.package.layout_check import Checked
from crawler.package.problems import Problem
from crawler.package.signatures import BadSignature
from tests.support.evidence.packages import a_package

MUTATIONS = 1_000


@dataclass(frozen=True)
class Original:
    """A package. `places`: where each member begins, by its name, in order; `entries`: the same in the directory."""

    data: bytes
    signature: bytes
    places: dict[str, int]
    entries: dict[str, int]
    end: int

    def member_at(self, place: int) -> str | None:
        """The member that a byte belongs to: its header, its content, or its entry in the directory."""
        if place >= self.end:
            return None
        known = self.places | {f"{name} ": start for name, start in self.entries.items()}
        names, starts = list(known), list(known.values())
        return names[bisect_right(starts, place) - 1].strip()


@dataclass(frozen=True)
class Mutation:
    """`members`: any of them may be named; empty: it lies in none."""

    data: bytes
    members: tuple[str | None, ...]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    data, signature, _ = a_package(tmp_path_factory.mktemp("package"))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        places = {one.filename: one.header_offset for one in package.infolist()}
        place, entries = package.start_dir, {}
        for name in places:
            entries[name] = place
            place += 46 + len(name)
    return Original(data, signature, places, entries, place)


def flip(dice: random.Random, whole: Original) -> Mutation:
    place = dice.randrange(len(whole.data))
    changed = whole.data[place] ^ 1 << dice.randrange(8)
    return Mutation(whole.data[:place] + bytes([changed]) + whole.data[place + 1 :], (whole.member_at(place),))


def flip_in_a_header(dice: random.Random, whole: Original) -> Mutation:
    """Times, versions, flags, sizes, lengths, attributes, offsets: fields that tools for zips often overlook."""
    starts = dice.choice((whole.places, whole.entries))
    place = starts[dice.choice(list(starts))] + dice.randrange(30)
    return Mutation(
        whole.data[:place] + bytes([whole.data[place] ^ 1 << dice.randrange(8)]) + whole.data[place + 1 :],
        (whole.member_at(place),),
    )


def delete(dice: random.Random, whole: Original) -> Mutation:
    place, count = dice.randrange(len(whole.data)), dice.choice((1, 1, 2, 40))
    return Mutation(whole.data[:place] + whole.data[place + count :], touched(whole, place, count))


def insert(dice: random.Random, whole: Original) -> Mutation:
    place, more = dice.randrange(len(whole.data) + 1), dice.randbytes(dice.choice((1, 1, 3, 500)))
    # What is inserted between two members may be counted to the one or the other.
    return Mutation(whole.data[:place] + more + whole.data[place:], touched(whole, max(place - 1, 0), 2))


def zero(dice: random.Random, whole: Original) -> Mutation:
    place, count = dice.randrange(len(whole.data) - 64), dice.randrange(16, 64)
    return Mutation(whole.data[:place] + bytes(count) + whole.data[place + count :], touched(whole, place, count))


def truncate(dice: random.Random, whole: Original) -> Mutation:
    place = dice.randrange(len(whole.data))
    return Mutation(whole.data[:place], (whole.member_at(place),))


def swap(dice: random.Random, whole: Original) -> Mutation:
    """Two members with their headers change places, and the directory stays."""
    first, second = sorted(dice.sample(range(len(whole.places)), 2))
    names, starts = list(whole.places), [*whole.places.values(), whole.entries["datapackage.json"]]
    spans = [whole.data[start:end] for start, end in pairwise(starts)]
    spans[first], spans[second] = spans[second], spans[first]
    return Mutation(b"".join(spans) + whole.data[starts[-1] :], (names[first], names[second]))


def rezipped(
    change: Callable[[random.Random, list[tuple[zipfile.ZipInfo, bytes]]], tuple[str | None, ...]],
) -> Callable[[random.Random, Original], Mutation]:
    """A mutation by a tool for zips: whole again, with checksums and offsets that fit."""

    @wraps(change)
    def mutate(dice: random.Random, whole: Original) -> Mutation:
        with zipfile.ZipFile(io.BytesIO(whole.data)) as package:
            found = [(one, package.read(one)) for one in package.infolist()]
        members = change(dice, found)
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as package:
            for one, content in found:
                package.writestr(one, content)
        return Mutation(out.getvalue(), members)

    return mutate


Found = list[tuple[zipfile.ZipInfo, bytes]]


@rezipped
def rename(dice: random.Random, found: Found) -> tuple[str | None, ...]:
    one, _ = dice.choice(found)
    old = one.filename
    one.filename = dice.choice((f"{old[:-1]}x", f"../{old}", f"/{old}", old.upper(), f"{old}/x", f"a{old}"))
    return (old, one.filename)


@rezipped
def duplicate(dice: random.Random, found: Found) -> tuple[str | None, ...]:
    one, content = dice.choice(found)
    twin = zipfile.ZipInfo(one.filename, one.date_time)
    place = dice.randrange(len(found) + 1)
    found.insert(place, (twin, dice.choice((content, b"another"))))
    behind = found[place + 1][0].filename if place + 1 < len(found) else None
    return (one.filename, behind)


@rezipped
def drop(dice: random.Random, found: Found) -> tuple[str | None, ...]:
    one, _ = found.pop(dice.randrange(len(found)))
    return (one.filename,)


@rezipped
def rewrite(dice: random.Random, found: Found) -> tuple[str | None, ...]:
    """Another content, with the checksum that fits."""
    index = dice.randrange(len(found))
    one, content = found[index]
    place = dice.randrange(len(content) + 1)
    found[index] = (one, content[:place] + dice.randbytes(1) + content[place + dice.randrange(2) :] + b"\n")
    return (one.filename,)


@rezipped
def reorder(dice: random.Random, found: Found) -> tuple[str | None, ...]:
    first, second = dice.sample(range(len(found)), 2)
    found[first], found[second] = found[second], found[first]
    return (found[first][0].filename, found[second][0].filename)


@rezipped
def compress(dice: random.Random, found: Found) -> tuple[str | None, ...]:
    one, _ = dice.choice(found)
    one.compress_type = zipfile.ZIP_DEFLATED
    return (one.filename,)


@rezipped
def describe(dice: random.Random, found: Found) -> tuple[str | None, ...]:
    """Another time, comment, extra field or mode of one member, and the same content."""
    one, _ = dice.choice(found)
    kind = dice.randrange(4)
    if kind == 0:
        one.date_time = (2031, 1, 2, 3, 4, 6)
    elif kind == 1:
        one.comment = b"seen"
    elif kind == 2:
        one.extra = struct.pack("<HH4s", 0x7075, 4, b"more")
    else:
        one.external_attr ^= 0o111 << 16
    return (one.filename,)


def comment_of_the_zip(dice: random.Random, whole: Original) -> Mutation:
    words = dice.randbytes(5)
    return Mutation(whole.data[:-2] + struct.pack("<H", len(words)) + words, ())


MUTATORS = (
    *(flip, flip, flip, flip_in_a_header, flip_in_a_header, delete, insert, zero, truncate, swap),
    *(rename, duplicate, drop, rewrite, reorder, compress, describe, comment_of_the_zip),
)


def touched(whole: Original, place: int, count: int) -> tuple[str | None, ...]:
    return tuple(dict.fromkeys(whole.member_at(one) for one in range(place, min(place + count, len(whole.data)))))


def is_named(checked: Checked, members: tuple[str | None, ...]) -> bool:
    wanted = {name for name in members if name is not None}
    return not wanted or bool(wanted & {problem.member for problem in checked.problems[:2]})


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_each_mutation_is_caught_and_its_member_named(original: Original, tmp_path: Path) -> None:
    file = tmp_path / "mutated.wacz"
    file.write_bytes(original.data)
    assert check_package(file, signature=original.signature).problems == []
    missed, unnamed, done = [], [], 0
    for seed in range(2 * MUTATIONS):
        dice = random.Random(seed)  # noqa: S311  # repeatable, nothing secret
        mutate = MUTATORS[seed % len(MUTATORS)]
        mutation = mutate(dice, original)
        if mutation.data == original.data:
            continue
        done += 1
        file.write_bytes(mutation.data)
        # Without the detached signature, which would catch each of them by the hash of the file alone.
        checked = check_package(file)
        if not checked.problems:
            missed.append((seed, mutate.__name__))
        elif not is_named(checked, mutation.members):
            unnamed.append((seed, mutate.__name__, mutation.members, list(map(str, checked.problems[:3]))))
        if done == MUTATIONS:
            break

    assert (done, missed, unnamed) == (MUTATIONS, [], [])
    assert any("not the file that was signed" in str(one) for one in signed_problems(file, original.signature))


def signed_problems(file: Path, signature: bytes) -> list[Problem]:
    return check_package(file, signature=signature).problems


def test_each_byte_of_the_detached_signature_counts(original: Original, tmp_path: Path) -> None:
    file = tmp_path / "whole.wacz"
    file.write_bytes(original.data)
    for place in range(len(original.signature)):
        for changed in (b"", b"?", original.signature[place : place + 1] * 2):
            mutated = original.signature[:place] + changed + original.signature[place + 1 :]
            if mutated != original.signature:
                assert is_refused(mutated, file), (place, changed)


def is_refused(signature: bytes, file: Path) -> bool:
    try:
        read_detached(signature)
    except BadSignature:
        return True
    # Name and size of the file are not signed: they are compared.
    return signed_problems(file, signature) != []
