"""The bootstrap `run`, on a small project of its own: nothing is fetched, and this clone's .venv is never touched."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[2] / "run"

BACKEND = '''
"""A build backend that needs nothing: an editable wheel with one command."""
import zipfile
from pathlib import Path

INFO = "zhiwen-1.dist-info"

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "zhiwen-1-py3-none-any.whl"
    files = {
        "zhiwen_of_the_test.pth": str(Path.cwd()),
        f"{INFO}/METADATA": "Metadata-Version: 2.1\\nName: zhiwen\\nVersion: 1\\n",
        f"{INFO}/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        f"{INFO}/entry_points.txt": "[console_scripts]\\nzhiwen = program:main\\n",
    }
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
        wheel.writestr(f"{INFO}/RECORD", "".join(f"{path},,\\n" for path in [*files, f"{INFO}/RECORD"]))
    return name
'''

PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "zhiwen"
version = "1"
"""

PROGRAM = """
import os, sys

def main():
    print(os.getcwd(), *sys.argv[1:], sep="|")
    return int(os.environ.get("EXIT", "0"))
"""

COMPILING = """
import pathlib

MODULES = (
    "loops.first",
    "loops.second",
)

def compile_all():
    pathlib.Path("compiled").touch()
"""


def _make_project(root: Path) -> Path:
    root.mkdir(parents=True)
    shutil.copy(RUN, root / "run")
    (root / "backend.py").write_text(BACKEND)
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "program.py").write_text(PROGRAM)
    (root / "requirements.lock").write_text("# nothing\n")
    (root / "fingerprint").mkdir()
    (root / "fingerprint" / "compiling.py").write_text(COMPILING)
    (root / "loops").mkdir()
    for name in ("first", "second"):
        (root / "loops" / f"{name}.py").touch()
    return root


def _run(root: Path, *arguments: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(root / "run"), *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull} | variables,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installed project; a path like people have them."""
    root = _make_project(tmp_path_factory.mktemp("run") / "我的 project")
    run = _run(root, "setup")
    assert run.returncode == 0, run.stderr
    return root


def test_an_old_python_can_read_it_and_so_give_its_message() -> None:
    ast.parse(RUN.read_text(encoding="utf-8"), feature_version=(3, 6))


def test_it_uses_the_standard_library_only() -> None:
    tree = ast.parse(RUN.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= set(sys.stdlib_module_names)


def test_without_a_word_it_tells_the_words(tmp_path: Path) -> None:
    run = _run(_make_project(tmp_path / "project"))
    assert run.returncode == 2
    assert run.stdout.startswith("usage: ./run WORD")
    assert not (tmp_path / "project" / ".venv").exists()


def test_other_words_are_the_programs_with_their_arguments_and_where_one_stands(
    installed: Path, tmp_path: Path
) -> None:
    run = _run(installed, "check", "一 file.txt", "--json", cwd=tmp_path, EXIT="3")
    assert run.stdout == f"{tmp_path}|check|一 file.txt|--json\n"
    assert run.stderr == ""
    assert run.returncode == 3


def test_the_installation_compiles_the_inner_loops(installed: Path) -> None:
    assert (installed / "compiled").exists()


def test_a_second_start_installs_nothing(installed: Path) -> None:
    log = installed / ".venv" / "zhiwen-install.log"
    before = log.read_bytes()
    assert _run(installed, "setup").stderr == f"Installed in {installed}/.venv\n"
    assert log.read_bytes() == before


@pytest.mark.parametrize("changed", ["loops/second.py", "fingerprint/compiling.py"])
def test_changed_inner_loops_are_compiled_and_nothing_is_installed(changed: str, installed: Path) -> None:
    (installed / "compiled").unlink()
    with (installed / changed).open("a") as file:
        file.write("# changed\n")

    run = _run(installed, "setup")

    assert run.stderr == f"Compiling the inner loops ...\nInstalled in {installed}/.venv\n"
    assert (installed / "compiled").exists()
    assert _run(installed, "setup").stderr == f"Installed in {installed}/.venv\n"


def test_a_changed_lock_is_installed_into_the_environment_that_is_there(installed: Path) -> None:
    witness = installed / ".venv" / "witness"
    witness.touch()
    with (installed / "requirements.lock").open("a") as lock:
        lock.write("# changed\n")
    run = _run(installed, "setup")
    assert run.returncode == 0
    assert "Installing the packages" in run.stderr
    assert witness.exists()


def test_packages_are_compiled_but_not_their_tests_and_what_is_no_python_is_left(installed: Path) -> None:
    (packages,) = (installed / ".venv").glob("lib/python*/site-packages")
    package = packages / "package"
    (package / "tests").mkdir(parents=True)
    for name in ("__init__.py", "tests/test_it.py"):
        (package / name).touch()
    (package / "template.py").write_text("class {{ name }}:\n")
    with (installed / "requirements.lock").open("a") as lock:
        lock.write("# changed again\n")

    assert _run(installed, "setup").returncode == 0

    assert [path.name.partition(".")[0] for path in package.rglob("*.pyc")] == ["__init__"]


def test_a_package_that_cannot_be_fetched_is_told_with_the_way_out(installed: Path) -> None:
    lock = installed / "requirements.lock"
    good = lock.read_text()
    lock.write_text(f"no-such-package-of-zhiwen==1 --hash=sha256:{'0' * 64}\n")
    run = _run(installed, "anything")
    assert run.returncode == 1
    assert "run: pip install failed:" in run.stderr
    assert "could not be fetched. Is there a network?" in run.stderr
    assert "Traceback" not in run.stderr
    lock.write_text(good)
    # What was left half-done is not built upon.
    run = _run(installed, "setup")
    assert run.returncode == 0
    assert "Making a virtual environment" in run.stderr


def test_a_clone_in_another_place_is_installed_again(installed: Path) -> None:
    other = installed.with_name("copied project")
    shutil.copytree(installed, other, symlinks=True)
    run = _run(other, "where", cwd=other)
    assert run.stdout == f"{other}|where\n"
    assert "Making a virtual environment" in run.stderr


def test_of_two_starts_at_once_one_installs_and_the_other_waits(tmp_path: Path) -> None:
    root = _make_project(tmp_path / "project")
    command = [sys.executable, str(root / "run"), "hello"]
    starts = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root) for _ in range(2)
    ]
    outputs = [start.communicate() for start in starts]
    assert [output for output, _ in outputs] == [f"{root}|hello\n"] * 2
    assert sorted("Making" in errors for _, errors in outputs) == [False, True]


def test_the_stub_that_a_debian_without_ensurepip_leaves_is_replaced(tmp_path: Path) -> None:
    root = _make_project(tmp_path / "project")
    stub = root / ".venv"
    (stub / "bin").mkdir(parents=True)
    (stub / "lib" / "python3.11" / "site-packages").mkdir(parents=True)
    (stub / "bin" / "python").symlink_to(sys.executable)
    (stub / "pyvenv.cfg").write_text("home = /usr/bin\n")
    assert _run(root, "setup").returncode == 0
    assert _run(root, "hello", cwd=root).stdout == f"{root}|hello\n"


@pytest.mark.parametrize("kind", ["environment", "file", "link"])
def test_what_it_did_not_make_is_never_deleted(tmp_path: Path, kind: str) -> None:
    root = _make_project(tmp_path / "project")
    theirs = root / ".venv"
    treasure = tmp_path / "elsewhere" / "lib" / "python3.11" / "site-packages" / "treasure"
    if kind == "environment":
        treasure = theirs / "lib" / "python3.11" / "site-packages" / "treasure"
    elif kind == "file":
        treasure = theirs
    treasure.parent.mkdir(parents=True, exist_ok=True)
    treasure.write_text("mine")
    if kind == "link":
        theirs.symlink_to(tmp_path / "elsewhere")
    run = _run(root, "setup")
    assert run.returncode == 1
    assert run.stderr == f"run: {theirs} was not made by ./run. Move it away or delete it, and start again.\n"
    assert treasure.read_text() == "mine"


ADDRESSES = (
    "a @ https://example.org/a.whl",
    "a @ file:/tmp/a.whl",
    "--index-url x",
    "--extra-index-url x",
    "--find-links wheels",
)


def test_verify_refuses_a_lock_with_addresses_and_names_each(installed: Path) -> None:
    lock = installed / "requirements.lock"
    good = lock.read_text()
    lock.write_text(good + "".join(f"# {line}\n" for line in ADDRESSES))
    try:
        run = _run(installed, "verify", "--no-tests")
    finally:
        lock.write_text(good)
    assert run.returncode == 1
    lines = [line for line in run.stderr.splitlines() if "an address or an index option" in line]
    assert [line.partition(": # ")[2] for line in lines] == list(ADDRESSES)
    assert "verify: failed: lock" in run.stderr


def test_verify_refuses_what_it_does_not_know(installed: Path) -> None:
    run = _run(installed, "verify", "--fast")
    assert run.returncode == 2
    assert run.stderr.endswith("run: verify takes --no-tests and nothing else.\n")


def test_tests_without_arguments_keep_all_cores_busy_and_with_arguments_one_process(installed: Path) -> None:
    (installed / "pytest.py").write_text("import sys; print(*sys.argv[1:])")
    cores = len(os.sched_getaffinity(0))
    expected = f"-n {min(cores * 2, 6)} --dist loadfile --no-loadscope-reorder\n" if cores > 1 else "\n"
    assert _run(installed, "test").stdout == expected
    assert _run(installed, "test", "tests/test_x.py", "-x").stdout == "tests/test_x.py -x\n"


def test_the_lock_of_this_project_names_no_address() -> None:
    lock = RUN.with_name("requirements.lock").read_text(encoding="utf-8")
    for mark in ("://", "file:", "--index", "--extra-index", "--find-links"):
        assert mark not in lock
