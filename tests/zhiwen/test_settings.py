"""Settings: read once, from the environment and a file; every error names the setting and the remedy."""

import ipaddress
import stat
import string
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiwen.config.loading import load_settings
from zhiwen.config.secret_key import secret_key
from zhiwen.config.settings import DECLARATIONS, FILE_SETTINGS, Settings, SettingsError, variable
from zhiwen.logs import secrets_of

KEY = "0123456789abcdef0123456789abcdef"


def _load(home: Path, **variables: str) -> Settings:
    return load_settings({"ZHIWEN_HOME": str(home), **variables})


def _refusal(home: Path, **variables: str) -> str:
    with pytest.raises(SettingsError) as caught:
        _load(home, **variables)
    return str(caught.value)


def test_nothing_needs_to_be_set() -> None:
    settings = load_settings({})
    assert settings.home.is_absolute()
    assert settings.home.name == "zhiwen"
    assert settings == Settings(settings.home)
    assert settings.database_url is None
    assert settings.allowed_networks == ()
    assert settings.user_agent.startswith("Zhiwen/")
    assert (settings.host, settings.port) == ("127.0.0.1", 8770)
    assert (settings.language, settings.time_zone) == ("zh", "Asia/Shanghai")
    assert settings.postgres_fsync


def test_every_variable_is_read(tmp_path: Path) -> None:
    settings = _load(
        tmp_path,
        DATABASE_URL="postgres://user:p%40ss@db.example:5433/watch",
        ZHIWEN_ALLOWED_NETWORKS="127.0.0.0/8, ::1/128 10.1.2.3",
        ZHIWEN_USER_AGENT="Watcher/1 (mailto:desk@example.org)",
        ZHIWEN_SECRET_KEY=KEY,
        ZHIWEN_HOST="192.168.7.1",
        ZHIWEN_PORT="80",
        ZHIWEN_LANGUAGE="en",
        ZHIWEN_TIME_ZONE="Europe/Berlin",
        ZHIWEN_POSTGRES_GRACE_S="1.5",
        ZHIWEN_POSTGRES_FSYNC="off",
    )
    assert settings == Settings(
        home=tmp_path,
        database_url="postgresql+psycopg2://user:p%40ss@db.example:5433/watch",
        allowed_networks=tuple(map(ipaddress.ip_network, ("127.0.0.0/8", "::1/128", "10.1.2.3/32"))),
        user_agent="Watcher/1 (mailto:desk@example.org)",
        secret_key=KEY,
        host="192.168.7.1",
        port=80,
        language="en",
        time_zone="Europe/Berlin",
        postgres_grace_s=1.5,
        postgres_fsync=False,
    )


def test_every_field_can_be_set() -> None:
    assert {field.name for field in fields(Settings)} - {"given"} | {"config"} == set(DECLARATIONS)


def test_the_file_in_the_home_is_read_and_the_environment_wins(tmp_path: Path) -> None:
    (tmp_path / "zhiwen.toml").write_text(
        'port = 9000\nlanguage = "en"\nallowed_networks = ["10.0.0.0/8", "fd00::/8"]\npostgres_fsync = false\n',
        encoding="utf-8",
    )
    settings = _load(tmp_path, ZHIWEN_PORT="9001")
    assert (settings.port, settings.language, settings.postgres_fsync) == (9001, "en", False)
    assert settings.allowed_networks == (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("fd00::/8"))


def test_a_named_file_replaces_the_one_in_the_home(tmp_path: Path) -> None:
    (tmp_path / "zhiwen.toml").write_text("port = 1\n")
    named = tmp_path / "设置 file.toml"
    named.write_text('user_agent = "Named/1"\n')
    settings = _load(tmp_path, ZHIWEN_CONFIG=str(named))
    assert (settings.user_agent, settings.port) == ("Named/1", 8770)


def test_an_empty_variable_is_one_that_is_not_set(tmp_path: Path) -> None:
    assert _load(tmp_path, DATABASE_URL="", ZHIWEN_PORT=" ", ZHIWEN_CONFIG="", ZHIWEN_SECRET_KEY="") == _load(tmp_path)


def test_a_home_is_expanded_and_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert load_settings({"ZHIWEN_HOME": "~/指纹 home"}).home == tmp_path / "指纹 home"
    assert load_settings({"ZHIWEN_HOME": "here"}).home == tmp_path / "here"


@pytest.mark.parametrize(
    ("variable", "value", "way_out"),
    [
        ("ZHIWEN_PORT", "65536", "a number from 0"),
        ("ZHIWEN_PORT", "-1", "a number from 0"),
        ("ZHIWEN_PORT", "８７７０", "a number from 0"),
        ("ZHIWEN_HOST", "http://localhost", "without a scheme"),
        ("ZHIWEN_LANGUAGE", "zh-CN", "one of zh, en"),
        ("ZHIWEN_TIME_ZONE", "Asia/Shangai", "like Asia/Shanghai"),
        ("ZHIWEN_TIME_ZONE", "Asia", "like Asia/Shanghai"),
        ("ZHIWEN_TIME_ZONE", "../../etc/passwd", "like Asia/Shanghai"),
        ("ZHIWEN_ALLOWED_NETWORKS", "10.0.0.1/8", "networks like 127.0.0.0/8"),
        ("ZHIWEN_ALLOWED_NETWORKS", "localhost", "networks like 127.0.0.0/8"),
        ("ZHIWEN_USER_AGENT", "Spider\nX-Evil: 1", "ASCII characters on one line"),
        ("ZHIWEN_USER_AGENT", "指纹", "ASCII characters on one line"),
        ("ZHIWEN_USER_AGENT", "x" * 257, "at most 256"),
        ("ZHIWEN_POSTGRES_GRACE_S", "soon", "seconds"),
        ("ZHIWEN_POSTGRES_GRACE_S", "nan", "seconds"),
        ("ZHIWEN_POSTGRES_GRACE_S", "inf", "seconds"),
        ("ZHIWEN_POSTGRES_FSYNC", "maybe", "on or off"),
    ],
)
def test_a_wrong_value_names_its_variable_itself_and_the_way_out(
    tmp_path: Path, variable: str, value: str, way_out: str
) -> None:
    message = _refusal(tmp_path, **{variable: value})
    assert message.startswith(f"{variable} is “{value}”: ")
    assert way_out in message


@pytest.mark.parametrize(
    "url",
    [
        "mysql://u:hunter2@h/d",
        "postgresql+asyncpg://u:hunter2@h/d",
        "hunter2",
        "postgresql://u:hunter2@h",
        "postgresql://u:hunter2@h:port/d",
        "postgresql://u:hunter2@[::1/d",
    ],
)
def test_a_wrong_database_address_is_refused_without_telling_the_password(tmp_path: Path, url: str) -> None:
    message = _refusal(tmp_path, DATABASE_URL=url)
    assert message.startswith("DATABASE_URL is (not shown): it")
    assert "hunter2" not in message


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgresql://u@h/d?sslmode=require", "postgresql+psycopg2://u@h/d?sslmode=require"),
        ("postgresql+psycopg2://u@h/d", "postgresql+psycopg2://u@h/d"),
        ("postgresql:///d?host=/run/postgresql", "postgresql+psycopg2:///d?host=/run/postgresql"),
    ],
)
def test_a_database_address_names_the_driver_that_we_have(tmp_path: Path, given: str, used: str) -> None:
    assert _load(tmp_path, DATABASE_URL=given).database_url == used


def test_a_short_secret_key_is_refused_and_not_shown(tmp_path: Path) -> None:
    message = _refusal(tmp_path, ZHIWEN_SECRET_KEY="hunter2")
    assert message.startswith("ZHIWEN_SECRET_KEY is (not shown): it must have 32 characters")


def test_secrets_are_not_in_the_repr(tmp_path: Path) -> None:
    settings = _load(tmp_path, ZHIWEN_SECRET_KEY=KEY, DATABASE_URL="postgresql://u:hunter2@h/d")
    assert KEY not in repr(settings)
    assert "hunter2" not in repr(settings)


def test_settings_do_not_change(tmp_path: Path) -> None:
    with pytest.raises(FrozenInstanceError):
        _load(tmp_path).port = 1  # type: ignore[misc]


def test_a_variable_with_a_typing_error_is_reported_with_the_nearest_name(tmp_path: Path) -> None:
    told: list[str] = []
    environ = {"ZHIWEN_HOME": str(tmp_path), "ZHIWEN_USERAGENT": "x", "ZHIWEN_TEST_DATABASE_URL": "y", "OTHER": "z"}
    load_settings(environ, warn=told.append)
    assert told == ["ZHIWEN_USERAGENT is not a setting of Zhiwen and is ignored. Did you mean ZHIWEN_USER_AGENT?"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("prot = 1\n", "prot in {file} is not a setting of Zhiwen. Did you mean port?"),
        ("qqqq = 1\n", "qqqq in {file} is not a setting of Zhiwen. There are: database_url, "),
        ("port = [1]\n", "port in {file} is [1]: it must be a text, a number, or a list of texts."),
        ("port = 99999\n", "port in {file} is “99999”: it must be a number"),
        ("home = '/x'\n", "home in {file} has no effect there. Set ZHIWEN_HOME in the environment."),
        ("port 1\n", "The settings file {file} is not TOML: "),
    ],
)
def test_a_wrong_line_of_the_file_is_named(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "zhiwen.toml"
    file.write_text(content)
    assert _refusal(tmp_path).startswith(message.format(file=file))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "zhiwen.toml").write_bytes(b'user_agent = "\xb0\xa1"\n')
    assert _refusal(tmp_path).startswith(f"The settings file {tmp_path}/zhiwen.toml is not TOML: ")
    (tmp_path / "zhiwen.toml").unlink()
    (tmp_path / "zhiwen.toml").mkdir()
    assert _refusal(tmp_path).startswith(f"The settings file {tmp_path}/zhiwen.toml cannot be read")


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    message = _refusal(tmp_path, ZHIWEN_CONFIG=str(tmp_path / "missing.toml"))
    assert message.startswith(f"ZHIWEN_CONFIG names {tmp_path}/missing.toml, which does not exist.")


@pytest.mark.parametrize("home", ["a\nb", "a\x00b", "~no-such-user-here/x"])
def test_a_home_that_is_no_path_is_refused(home: str) -> None:
    with pytest.raises(SettingsError, match=r"^ZHIWEN_HOME is "):
        load_settings({"ZHIWEN_HOME": home})


def test_a_secret_key_is_made_once_for_this_users_eyes_only(tmp_path: Path) -> None:
    settings = _load(tmp_path / "home")
    key = secret_key(settings)
    file = tmp_path / "home" / "secret-key"
    assert len(key) >= 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert secret_key(settings) == key
    assert [path.name for path in file.parent.iterdir()] == ["secret-key"]


def test_all_who_ask_first_at_once_get_the_same_key(tmp_path: Path) -> None:
    settings = _load(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: secret_key(settings), range(32)))) == 1


def test_a_given_secret_key_is_used_and_not_written(tmp_path: Path) -> None:
    assert secret_key(_load(tmp_path, ZHIWEN_SECRET_KEY=KEY)) == KEY
    assert list(tmp_path.iterdir()) == []


def test_a_secret_key_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("short")
    with pytest.raises(SettingsError, match=r"secret-key is too short\. Delete the file"):
        secret_key(_load(tmp_path))
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match=r"cannot be read or made .* set ZHIWEN_SECRET_KEY"):
        secret_key(Settings(home=tmp_path / "file"))


@given(
    name=st.sampled_from(list(FILE_SETTINGS)),
    value=st.text(alphabet=string.printable + "指纹\ufeff\u202e１", max_size=40),
)
def test_any_text_is_taken_or_refused_by_name(name: str, value: str) -> None:
    try:
        load_settings({"ZHIWEN_HOME": "/nonexistent/zhiwen", variable(name): value})
    except SettingsError as error:
        assert str(error).startswith(f"{variable(name)} is ")  # noqa: PT017  (most texts are refused, some are taken)


def test_a_replica_needs_a_server_of_its_own_and_takes_the_same_password(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("geheim\n")
    addresses = {
        "DATABASE_URL": "postgresql://zhiwen@db.example/zhiwen",
        "ZHIWEN_REPLICA_URL": "postgresql://zhiwen@standby.example/zhiwen",
    }

    settings = _load(tmp_path, **addresses, ZHIWEN_DATABASE_PASSWORD_FILE=str(tmp_path / "password"))

    assert settings.replica_url == "postgresql+psycopg2://zhiwen:geheim@standby.example/zhiwen"
    assert "geheim" not in repr(settings)
    assert secrets_of(settings) == {"geheim"}
    del addresses["DATABASE_URL"]
    assert "ZHIWEN_REPLICA_URL needs DATABASE_URL" in _refusal(tmp_path, **addresses)


def test_a_witness_needs_a_token_and_a_key_and_a_token_is_sent_over_https_only(tmp_path: Path) -> None:
    key = "AB" * 32
    given = {"ZHIWEN_HOME": str(tmp_path), "ZHIWEN_WITNESS_URL": "https://zhiwen.partner.example/"}
    with pytest.raises(SettingsError, match="also needs ZHIWEN_WITNESS_TOKEN"):
        load_settings(given)
    whole = given | {"ZHIWEN_WITNESS_TOKEN": "zwt_geheim", "ZHIWEN_WITNESS_KEY": key, "ZHIWEN_WITNESS_ACCEPTS": key}
    settings = load_settings(whole)
    assert (settings.witness_url, settings.witness_key) == ("https://zhiwen.partner.example", key.lower())
    assert settings.witness_accepts == (key.lower(),)
    assert "geheim" not in repr(settings)
    for bad in ("http://zhiwen.partner.example", "https://a:b@partner.example", "https://partner.example/?x=1", "ftp:"):
        with pytest.raises(SettingsError, match="WITNESS_URL"):
            load_settings(whole | {"ZHIWEN_WITNESS_URL": bad})
    for name in ("ZHIWEN_WITNESS_KEY", "ZHIWEN_WITNESS_ACCEPTS"):
        with pytest.raises(SettingsError, match="64 hexadecimal digits"):
            load_settings(whole | {name: key[:-1]})


def test_calendars_are_addresses_with_commas_between_them(tmp_path: Path) -> None:
    given = {"ZHIWEN_HOME": str(tmp_path)}
    found = load_settings(given | {"ZHIWEN_OTS_CALENDARS": "https://a.example/, https://b.example https://a.example"})
    assert found.ots_calendars == ("https://a.example", "https://b.example")
    many = ",".join(f"https://{number}.example" for number in range(5))
    for bad, said in ((many, "at most 4"), ("https://a.example?x", "a query"), ("a.example", "web address")):
        with pytest.raises(SettingsError, match=said):
            load_settings(given | {"ZHIWEN_OTS_CALENDARS": bad})
