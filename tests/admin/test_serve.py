"""The desk as a process: where it listens, and how it stops."""

import os
import signal
import socket
import urllib.request

import pytest
from flask import Flask

from admin.serve import CannotListen, serve
from tests.browser.desk_process import STOP_TIMEOUT_S, desk_process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_until_it_is_asked_to_stop(clean_database_url: str, number: signal.Signals) -> None:
    with desk_process(clean_database_url) as (address, process):
        with urllib.request.urlopen(f"{address}healthz") as answer:  # noqa: S310  # our own address on loopback
            assert answer.read() == b"ok\n"
            assert "Server" not in answer.headers

        assert process.pid is not None
        os.kill(process.pid, number)

        process.join(STOP_TIMEOUT_S)
        assert process.exitcode == 0


def test_a_taken_port_is_named_with_the_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        with pytest.raises(CannotListen, match=f"Port {port} on 127.0.0.1 is in use .* choose another port"):
            serve(Flask("none"), "127.0.0.1", port)


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid", "not an address", "a" * 300])
def test_an_address_of_another_machine_is_named_with_the_way_out(host: str) -> None:
    with pytest.raises(CannotListen, match="Give an address of this machine"):
        serve(Flask("none"), host, 0)


@pytest.mark.parametrize("port", [-1, 65_536, 70_000])
def test_a_port_that_cannot_be_is_refused_and_not_wrapped_around(port: int) -> None:
    with pytest.raises(CannotListen, match=f"There is no port {port}"):
        serve(Flask("none"), "127.0.0.1", port)
