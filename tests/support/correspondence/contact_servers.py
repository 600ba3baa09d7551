"""A WHOIS server (RFC 3912) and a name server on loopback: real protocol, scripted answers."""

import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import dns.flags
import dns.message
import dns.rcode
import dns.rrset


@dataclass(slots=True)
class Scripted:
    """`address`: host and port. `asked`: what it was asked, in order."""

    address: str = ""
    answers: dict[str, bytes] = field(default_factory=dict)
    asked: list[bytes] = field(default_factory=list)
    hangs: threading.Event | None = None
    """After an answer, the connection stays open until it is set."""

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])


@contextmanager
def whois_server() -> Iterator[Scripted]:
    found = Scripted()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            line = self.rfile.readline(1_000)
            found.asked.append(line)
            try:
                self.wfile.write(found.answers.get(line.decode("latin-1").strip(), b"No match\r\n"))
            except OSError:
                return  # the client has gone
            if found.hangs is not None:
                found.hangs.wait(30)

    with _serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler), found):
        yield found


@contextmanager
def name_server(exchangers: Mapping[str, list[str]]) -> Iterator[Scripted]:
    """Knows the mail exchangers of some domains (`10 mx.a.com.`), and no other name."""
    found = Scripted()

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            content, connection = self.request
            found.asked.append(content)
            query = dns.message.from_wire(content)
            name = query.question[0].name
            answer = dns.message.make_response(query)
            answer.flags |= dns.flags.RA
            known = exchangers.get(name.to_text(omit_final_dot=True))
            if known is None:
                answer.set_rcode(dns.rcode.NXDOMAIN)
            elif known:
                answer.answer.append(dns.rrset.from_text_list(name, 60, "IN", "MX", known))
            connection.sendto(answer.to_wire(), self.client_address)

    with _serving(socketserver.ThreadingUDPServer(("127.0.0.1", 0), Handler), found):
        yield found


@contextmanager
def _serving(
    server: socketserver.ThreadingTCPServer | socketserver.ThreadingUDPServer, found: Scripted
) -> Iterator[None]:
    host, port = server.socket.getsockname()
    found.address = f"{host}:{port}"
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
