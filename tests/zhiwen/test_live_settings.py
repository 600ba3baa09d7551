"""Settings while the program runs: environment before file before desk before default."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine

from admin.settings.groups import GROUPS
from admin.settings.labels import HELP, NAMES, VALID
from admin.web.settings_desk import BadSetting, SettingSource
from storage.desk import setting_changes
from storage.engine import transaction
from zhiwen.config.desk import SettingsOf
from zhiwen.config.live import LiveSettings, overlaid
from zhiwen.config.loading import load_settings
from zhiwen.config.settings import CHANGEABLE, FILE_SETTINGS, Settings
from zhiwen.worker.jobs import Jobs


def loaded(home: Path, variables: Mapping[str, str] | None = None, file: str = "") -> Settings:
    (home / "zhiwen.toml").write_text(file)
    return load_settings({"ZHIWEN_HOME": str(home), **(variables or {})})


def change(engine: Engine, **texts: str | None) -> None:
    with transaction(engine) as session:
        setting_changes.change(session, texts, by="lin")


def test_environment_goes_before_file_before_desk_before_default(tmp_path: Path) -> None:
    stored = {"case_min_chars": "240", "crawl_hours": "7", "backup_keep_daily": "3"}

    settings = loaded(tmp_path, {"ZHIWEN_CASE_MIN_CHARS": "99"}, "crawl_hours = 5\n")
    found = overlaid(settings, stored)

    assert (found.case_min_chars, found.crawl_hours, found.backup_keep_daily, found.backup_keep_weekly) == (
        99,
        5.0,
        3,
        4,
    )
    sources = {one.name: (one.source, one.where) for one in SettingsOf(LiveSettings(settings, Any)).stated(stored)}  # type: ignore[arg-type]
    assert sources["case_min_chars"] == (SettingSource.ENVIRONMENT, "ZHIWEN_CASE_MIN_CHARS")
    assert sources["crawl_hours"] == (SettingSource.FILE, f"crawl_hours in {tmp_path / 'zhiwen.toml'}")
    assert sources["backup_keep_daily"] == (SettingSource.DESK, "")
    assert sources["backup_keep_weekly"] == (SettingSource.DEFAULT, "")


@pytest.mark.parametrize(
    "stored",
    [
        {"case_min_chars": "many"}, {"case_min_share": "2"}, {"language": "de"}, {"time_zone": "../etc/passwd"},
        {"port": "1"}, {"secret_key": "x" * 40}, {"no_such": "1"}, {"backup_rule": "\0"}, {"user_agent": "é" * 9},
    ],
)  # fmt: skip
def test_what_another_version_stored_and_this_one_cannot_use_is_left_out(
    tmp_path: Path, stored: dict[str, str]
) -> None:
    assert overlaid(Settings(tmp_path), stored) == Settings(tmp_path)


def test_every_process_sees_a_change_and_a_return_to_the_default(engine: Engine, tmp_path: Path) -> None:
    server, worker = (LiveSettings(Settings(tmp_path), engine, asked_every_s=0) for _ in range(2))
    jobs = Jobs(Settings(tmp_path), engine, "", live=worker)
    change(engine, case_min_chars="240", retelling_case_score="0.5")

    assert server.current().case_min_chars == jobs.as_set().settings.case_min_chars == 240
    assert jobs.as_set().stopping is jobs.stopping
    assert server.current() is server.current()

    change(engine, case_min_chars=None)
    assert (server.current().case_min_chars, server.current().retelling_case_score) == (150, 0.5)
    assert worker.current().case_min_chars == 150


def test_the_store_is_asked_at_most_every_two_seconds_unless_something_was_changed_here(
    engine: Engine, tmp_path: Path
) -> None:
    now = [100.0]
    live = LiveSettings(Settings(tmp_path), engine, clock=lambda: now[0])
    assert live.current().crawl_hours == 24
    change(engine, crawl_hours="3")

    now[0] += 1.9
    assert live.current().crawl_hours == 24
    now[0] += 0.2
    assert live.current().crawl_hours == 3

    change(engine, crawl_hours="4")
    live.ask_again()
    assert live.current().crawl_hours == 4


def test_without_a_database_the_last_known_settings_hold_and_it_is_not_asked_each_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    away = create_engine("postgresql+psycopg2://nobody@127.0.0.1:1/none")
    now = [0.0]
    live = LiveSettings(Settings(tmp_path, crawl_hours=9.0), away, clock=lambda: now[0])

    for second in range(0, 60, 3):
        now[0] = float(second)
        assert live.current().crawl_hours == 9

    assert sum("could not be read" in message for message in caplog.messages) == 2


def test_nothing_is_stored_twice_and_each_change_says_what_was_before(engine: Engine) -> None:
    with transaction(engine) as session:
        assert setting_changes.change(session, {"crawl_hours": "3"}, by="lin") == {"crawl_hours": (None, "3")}
        assert setting_changes.change(session, {"crawl_hours": "3"}, by="lin") == {}
        assert setting_changes.change(session, {"crawl_hours": None}, by="wang") == {"crawl_hours": ("3", None)}
        assert [(one.value, one.changed_by) for one in setting_changes.history(session)] == [
            (None, "wang"),
            ("3", "lin"),
        ]
        assert setting_changes.values(session) == {}
        with pytest.raises(ValueError, match="crawl_hours has 2001 characters"):
            setting_changes.change(session, {"crawl_hours": "3" * 2_001}, by="lin")


def test_no_secret_is_ever_stated(tmp_path: Path) -> None:
    secret = "s3cr3t-that-nobody-may-read-0123456789"
    settings = loaded(
        tmp_path,
        {
            "DATABASE_URL": f"postgresql://zhiwen:{secret}@db.example/zhiwen",
            "ZHIWEN_SECRET_KEY": secret,
            "ZHIWEN_METRICS_TOKEN": secret,
            "ZHIWEN_ENCODER_KEY": secret,
            "ZHIWEN_TIME_STAMP_URL": f"https://stamps.example/?key={secret}",
        },
    )

    found = SettingsOf(LiveSettings(settings, Any)).stated({})  # type: ignore[arg-type]

    assert secret not in repr(found)
    assert {one.name for one in found} == set(FILE_SETTINGS)


@pytest.mark.parametrize(("name", "text"), [("port", "80"), ("secret_key", "x" * 40), ("crawl_hours", "0"), ("x", "1")])
def test_only_what_is_safe_and_valid_can_be_changed(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(BadSetting):
        SettingsOf(LiveSettings(Settings(tmp_path), Any)).check(name, text)  # type: ignore[arg-type]


def test_a_setting_that_is_set_above_cannot_be_changed(tmp_path: Path) -> None:
    settings = loaded(tmp_path, {"ZHIWEN_CRAWL_HOURS": "5"})

    with pytest.raises(BadSetting, match="ZHIWEN_CRAWL_HOURS"):
        SettingsOf(LiveSettings(settings, Any)).check("crawl_hours", "6")  # type: ignore[arg-type]


def test_every_setting_of_the_desk_has_its_words_and_its_place() -> None:
    placed = [name for names in GROUPS.values() for name in names]

    assert sorted(placed) == sorted(CHANGEABLE)
    assert NAMES.keys() == HELP.keys() == VALID.keys() == CHANGEABLE.keys()
    assert not any(declared.is_secret or declared.is_local for declared in CHANGEABLE.values())
