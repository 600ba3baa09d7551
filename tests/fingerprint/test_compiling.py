"""Compiled code is kept and found wherever the installation lies, and nothing else is run in its place."""

import ast
import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from fingerprint.compiling import MODULES

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("fingerprint", "storage", "matcher", "crawler", "admin", "zhiwen", "benchmarks")
PATIENCE_S: Final = 300
NUMBERS: Final = '''
from fingerprint.compiling import compiled

TWO = 2


@compiled()
def times(number):
    """A part of its callers."""
    return TWO * number
'''
KERNEL: Final = '''
from fingerprint.compiling import compiled
from numbers_of import times


@compiled("int64(int64)")
def doubled(number):
    return times(number)


@compiled("int64(int64[::1])", "int64(uint8[::1])")
def total(numbers):
    """Return twice the sum."""
    found = 0
    for number in numbers:
        found += doubled(number)
    return found
'''
PROGRAM: Final = """
import ctypes, json, os, sys
if os.geteuid() == 0:
    # From here on permissions hold for root, too.
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert ctypes.CDLL(None, use_errno=True).capset(header, none) == 0
sys.path.insert(0, sys.argv[1])
import kernel
import numpy as np
assert kernel.total(np.arange(5)) == 20
assert kernel.total(np.arange(5, dtype=np.uint8)) == 20
counts = [one.stats for one in (kernel.total, kernel.doubled)]
hits, misses = (sum(sum(getattr(one, name).values()) for one in counts) for name in ("cache_hits", "cache_misses"))
print(json.dumps([hits, misses]))
"""
LOADED: Final = [2, 0]
"""What only compiled functions call is a part of their code."""
COMPILED: Final = [0, 3]


@dataclass(frozen=True)
class Installation:
    """A module with compiled functions, and the home of a user."""

    package: Path
    home: Path

    @property
    def cache(self) -> Path:
        return self.package / "__pycache__"

    @property
    def of_user(self) -> Path:
        return self.home / ".cache"

    def start(self, working_folder: Path | None = None, **more: str) -> "subprocess.Popen[str]":
        """Start a program that uses the functions and prints how many were loaded, and how many compiled."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "XDG_"))}
        return subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM, str(self.package)],
            env={**inherited, "HOME": str(self.home), "PYTHONDONTWRITEBYTECODE": "1", **more},
            cwd=working_folder or self.home,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, working_folder: Path | None = None, **more: str) -> list[int]:
        return counts(self.start(working_folder, **more))


def counts(started: "subprocess.Popen[str]") -> list[int]:
    output, errors = started.communicate(timeout=PATIENCE_S)
    assert (started.returncode, errors) == (0, "")
    found: list[int] = json.loads(output)
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An installation whose functions are compiled."""
    place = _new(tmp_path_factory.mktemp("whole"))
    assert place.run() == COMPILED
    assert not place.of_user.exists()
    return place


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Installation]:
    yield _new(tmp_path)
    _make_deletable(tmp_path)


@pytest.fixture
def installed(whole: Installation, tmp_path: Path) -> Iterator[Installation]:
    """A copy, in another place."""
    place = Installation(tmp_path / "copied", tmp_path / "home")
    shutil.copytree(whole.package, place.package)
    place.home.mkdir()
    yield place
    _make_deletable(tmp_path)


def _new(folder: Path) -> Installation:
    place = Installation(folder / "installed", folder / "home")
    place.package.mkdir()
    place.home.mkdir()
    (place.package / "kernel.py").write_text(KERNEL)
    (place.package / "numbers_of.py").write_text(NUMBERS)
    return place


def _make_deletable(folder: Path) -> None:
    for path in (folder, *folder.rglob("*/")):
        if path.is_dir():
            path.chmod(0o755)


def test_the_second_process_compiles_nothing(installed: Installation) -> None:
    assert installed.run() == LOADED


FIRST_CALLS: Final = """
import sys
from threading import Barrier, Thread
sys.path.insert(0, sys.argv[1])
import kernel
import numpy as np
assert not kernel.total.signatures
try:
    kernel.total(np.arange(5, dtype=np.float64))
except TypeError:
    print("refused")
together, found = Barrier(8), []
def first_call(kind):
    together.wait()
    found.append(int(kernel.total(np.arange(5, dtype=kind))))
threads = [Thread(target=first_call, args=(kind,)) for kind in (np.int64, np.uint8) * 4]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(found, len(kernel.total.signatures))
"""


@pytest.mark.parametrize("is_refused_first", [True, False])
def test_at_first_call_a_function_is_loaded_once_and_for_its_signatures_alone(
    installed: Installation, is_refused_first: bool
) -> None:
    program = FIRST_CALLS if is_refused_first else FIRST_CALLS.replace("try:", "try:\n    raise TypeError")

    output = subprocess.run(
        [sys.executable, "-P", "-c", program, str(installed.package)],
        env={**os.environ, "HOME": str(installed.home)},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    ).stdout

    assert output == f"refused\n{[20] * 8} 2\n"


FAILING: Final = """
from fingerprint.compiling import compiled

@compiled("int64(int64)")
def undefined(number):
    return number.nowhere

for _ in range(2):
    try:
        undefined(1)
    except Exception as error:
        print(type(error).__name__)
"""


def test_a_function_that_could_not_be_loaded_is_tried_again_at_the_next_call(tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(FAILING)

    done = subprocess.run(
        [sys.executable, str(tmp_path / "failing.py")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )

    assert (done.returncode, done.stdout) == (0, "TypingError\nTypingError\n"), done.stderr


def test_a_changed_module_is_compiled_again_and_leaves_no_files_behind(installed: Installation) -> None:
    files = sorted(path.name for path in installed.cache.iterdir())
    (installed.package / "kernel.py").write_text(f"# A line more.\n{KERNEL}")

    assert installed.run() == COMPILED
    assert sorted(path.name for path in installed.cache.iterdir()) == files


def test_a_change_in_a_file_of_which_a_function_is_used_is_noticed(installed: Installation) -> None:
    (installed.package / "numbers_of.py").write_text(f"# A line more.\n{NUMBERS}")

    assert installed.run() == COMPILED
    assert installed.run() == LOADED


def test_so_is_a_constant_of_another_file(installed: Installation) -> None:
    using = KERNEL.replace("from numbers_of", "from constants import MINUTES\nfrom numbers_of")
    (installed.package / "kernel.py").write_text(using.replace("found = 0", "found = 0 * MINUTES"))
    (installed.package / "constants.py").write_text("MINUTES = 60\n")
    assert installed.run() == COMPILED
    (installed.package / "constants.py").write_text("MINUTES = 61\n")

    assert installed.run() == [1, 2]


def test_a_read_only_installation_loads_the_code_that_came_with_it(installed: Installation) -> None:
    for folder in (installed.cache, installed.package, installed.home):
        folder.chmod(0o555)

    assert installed.run() == LOADED


def test_without_such_code_it_is_kept_in_the_cache_folder_of_the_user(fresh: Installation) -> None:
    fresh.package.chmod(0o555)

    assert fresh.run() == COMPILED
    assert fresh.run() == LOADED

    (folder,) = {path.parent for path in fresh.of_user.rglob("*.nbi")}
    folder.chmod(0o777)  # another user could have put code there
    assert fresh.run() == COMPILED


def test_where_nothing_can_be_written_each_process_compiles_for_itself(fresh: Installation, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    fresh.package.chmod(0o555)
    fresh.home.chmod(0o555)

    assert fresh.run(TMPDIR=str(temporary)) == COMPILED
    assert list(temporary.iterdir()) == []


def test_the_code_is_for_no_certain_processor(fresh: Installation) -> None:
    assert fresh.run(NUMBA_CPU_NAME="skylake-avx512", NUMBA_CPU_FEATURES="+avx512f") == COMPILED
    for path in fresh.cache.glob("*.nbi"):
        with path.open("rb") as file:
            pickle.load(file)  # noqa: S301  # our own: the version of numba
            _, entries = pickle.load(file)  # noqa: S301
        assert {key[1][1:] for key in entries} == {("generic", "")}


BROKEN: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "empty": lambda whole: b"",
    "truncated": lambda whole: whole[: len(whole) // 2],
    "zeros": lambda whole: bytes(len(whole)),
    "text": lambda whole: b"<html>no such file</html>",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_compiled_again(kind: str, installed: Installation) -> None:
    for path in (*installed.cache.glob("kernel.total*.nbi"), *installed.cache.glob("kernel.doubled*.nbc")):
        path.write_bytes(BROKEN[kind](path.read_bytes()))

    assert installed.run() == COMPILED
    assert installed.run() == LOADED


def test_in_a_read_only_installation_too(installed: Installation) -> None:
    for path in installed.cache.glob("*.nbc"):
        path.write_bytes(path.read_bytes()[:100])
    for folder in (installed.cache, installed.package):
        folder.chmod(0o555)

    assert installed.run() == COMPILED
    assert installed.run() == LOADED


def test_processes_that_start_at_once_do_not_disturb_each_other(fresh: Installation) -> None:
    started = [fresh.start() for _ in range(4)]

    assert {sum(counts(child)) for child in started} <= {sum(LOADED), sum(COMPILED)}
    assert fresh.run() == LOADED


MARK: Final = "import os\nos.close(os.open({!r}, os.O_CREAT))\n"


@pytest.mark.parametrize(
    "settings",
    [
        "cache_dir: {sent}\ncache_locator_classes: evil.Locator\ncpu_name: nocona\ndump_bytecode: 1\n",
        "cache_dir: [broken\n",
    ],
)
def test_a_working_folder_with_settings_of_numba_changes_nothing(
    settings: str, installed: Installation, tmp_path: Path
) -> None:
    sent, mark = tmp_path / "sent", tmp_path / "was-run"
    sent.mkdir()
    (sent / "evil.py").write_text(MARK.format(str(mark)))
    (sent / ".numba_config.yaml").write_text(settings.format(sent=sent))

    assert installed.run(sent) == LOADED
    assert sorted(path.name for path in sent.iterdir()) == [".numba_config.yaml", "evil.py"]
    assert not mark.exists()


def test_no_code_is_loaded_from_a_cache_that_the_environment_names(installed: Installation, tmp_path: Path) -> None:
    sent = tmp_path / "sent"

    assert installed.run(NUMBA_CACHE_DIR=str(sent), NUMBA_CACHE_LOCATOR_CLASSES="evil.Locator") == LOADED
    assert not sent.exists()


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def _compiled_functions(tree: ast.Module) -> set[str]:
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(
            "compiled" in {one.id for one in ast.walk(by) if isinstance(one, ast.Name)} for by in node.decorator_list
        )
    }


def test_all_modules_with_compiled_functions_are_compiled_at_setup() -> None:
    assert sorted(MODULES) == sorted(name for name, tree in _modules() if _compiled_functions(tree))


def test_only_one_module_imports_numba() -> None:
    imports = {
        name
        for name, tree in _modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and "numba" in ast.unparse(node)
    }
    assert imports == {"fingerprint.compiling"}
