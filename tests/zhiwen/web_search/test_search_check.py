"""Where the plan of an installation comes from, and what the doctor says of it."""

from pathlib import Path

from zhiwen.config.loading import load_settings
from zhiwen.config.settings import Settings
from zhiwen.diagnostics.doctor import Finding, State
from zhiwen.diagnostics.search_check import examine_search
from zhiwen.web_search.plan import SearchPlan
from zhiwen.web_search.plan_file import FILE_NAME, plan_of, plan_path

SERVICES = """
[services.own]
kind = "searxng"
url = "http://10.0.0.5:8888/"
[services.brave]
kind = "brave"
key = "geheim-0123456789"
"""


def settings_of(home: Path, **more: str) -> Settings:
    return load_settings({"ZHIWEN_HOME": str(home), **more})


def written(path: Path, content: str, *, mode: int = 0o600) -> Path:
    path.write_text(content, "utf-8")
    path.chmod(mode)
    return path


def said(home: Path, **more: str) -> tuple[State, str]:
    found: Finding = examine_search(settings_of(home, **more))
    assert "geheim" not in f"{found}"
    return found.state, found.says


def test_without_a_file_nothing_is_asked(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)

    assert plan_of(settings) == SearchPlan()
    assert plan_path(settings) == tmp_path / FILE_NAME
    assert said(tmp_path)[0] is State.OK
    assert said(tmp_path)[1].startswith("Off:")


def test_the_file_in_the_home_is_read_each_time(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    written(tmp_path / FILE_NAME, SERVICES)

    assert [one.name for one in plan_of(settings).services] == ["own", "brave"]
    assert said(tmp_path) == (State.OK, f"own, brave, by {tmp_path / FILE_NAME}.")

    written(tmp_path / FILE_NAME, "asks_all = true\n")
    assert plan_of(settings) == SearchPlan(asks_all=True)
    assert said(tmp_path)[1].startswith("Off:")


def test_the_setting_names_another_file(tmp_path: Path) -> None:
    written(tmp_path / FILE_NAME, SERVICES)
    other = written(tmp_path / "other.toml", SERVICES.partition("[services.brave]")[0])

    assert [one.name for one in plan_of(settings_of(tmp_path, ZHIWEN_SEARCH_SERVICES=str(other))).services] == ["own"]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    state, says = said(tmp_path, ZHIWEN_SEARCH_SERVICES=str(tmp_path / "none.toml"))

    assert (state, "does not exist" in says) == (State.WARN, True)


def test_a_file_that_cannot_be_read_fails(tmp_path: Path) -> None:
    for content in ("[services.x\n", '[services.own]\nkind = "nothing"\n'):
        written(tmp_path / FILE_NAME, content)
        assert said(tmp_path)[0] is State.FAIL
    assert said(tmp_path, ZHIWEN_SEARCH_SERVICES=str(tmp_path))[0] is State.FAIL  # a folder


def test_a_file_with_keys_that_others_can_read_fails(tmp_path: Path) -> None:
    path = written(tmp_path / FILE_NAME, SERVICES, mode=0o640)

    assert said(tmp_path) == (State.FAIL, f"Other users can read {path} (mode 640), which may hold keys.")
