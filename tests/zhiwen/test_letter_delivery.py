"""Letters reach a mail server once or not at all, and what nobody knows is said."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from ipaddress import ip_network
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from admin.alerts.channel_registry import read_address
from admin.alerts.letter_mail import mail_recipient
from storage.alerts import channels
from storage.engine import transaction
from storage.letters import letterhead, listing, outbox
from storage.records.correspondence.letters import LetterRecord, LetterState
from tests.support.alert_receivers import Mailbox, mail_server
from tests.support.case_actions import a_reviewer
from tests.support.correspondence.letters import NOW, a_letter, confirmed
from zhiwen.alerts.letter_delivery import LettersDone, deliver_letters
from zhiwen.alerts.sender_client import Sender
from zhiwen.config.settings import Settings

LOOPBACK = (ip_network("127.0.0.0/8"),)
PDF = b"%PDF-1.7\n" + bytes(range(256)) * 40
BODY = "侵权通知书\n\n致：抄写公司\n.单独一行以点开头\n.\n正文 ﬁ 𠮷 “引号”\nFrom here\n" + "长" * 3_000


@pytest.fixture(scope="module")
def sender(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sender]:
    with Sender(Settings(tmp_path_factory.mktemp("home"), allowed_networks=LOOPBACK)) as found:
        yield found


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as found:
        yield found


def letter_to_send(engine: Engine, address: str, **fields: object) -> int:
    """A letter in the outbox, due at `NOW`."""
    with transaction(engine) as session:
        channel = channels.add_channel(session, "法务", read_address(address), language="zh")
        letterhead.set_letterhead(
            session, {"mail": "legal@ours.example"}, mail_channel_id=channel.id, outbox_minutes=10, changed_by=""
        )
        lin = a_reviewer(session)
        return a_letter(
            session, confirmed(session, lin, 2), lin, mail_channel_id=channel.id, body=BODY, pdf=PDF, **fields
        )


def letter(engine: Engine, letter_id: int) -> LetterRecord:
    with transaction(engine) as session:
        return listing.get_letter(session, letter_id)


def test_the_mail_is_the_stored_letter_with_its_pdf(engine: Engine, sender: Sender, mailbox: Mailbox) -> None:
    letter_id = letter_to_send(engine, mailbox.address)

    assert deliver_letters(engine, sender, now=NOW - timedelta(seconds=1)) == LettersDone()
    assert deliver_letters(engine, sender, now=NOW) == LettersDone(sent=1)
    assert deliver_letters(engine, sender, now=NOW + timedelta(days=9)) == LettersDone()

    assert mailbox.recipients == [["legal@copier.example"]]
    mail = message_from_bytes(mailbox.sources[0], policy=default)
    assert (mail["To"], mail["From"], mail["Subject"]) == ("legal@copier.example", "alerts@ours.example", "侵权通知书")
    assert (mail["Reply-To"], mail["Cc"], mail["Bcc"]) == ("legal@ours.example", None, None)
    assert mail["Auto-Submitted"] is None
    words, file = mail.iter_parts()
    with transaction(engine) as session:
        stored = listing.document(session, letter_id)
    assert words.get_content().replace("\r\n", "\n").rstrip("\n") == stored.body == BODY
    assert (file.get_content(), file.get_content_type()) == (stored.pdf, "application/pdf")
    assert file.get_filename() == f"letter-{letter_id}.pdf"
    assert letter(engine, letter_id).state is LetterState.SENT


def test_a_server_that_hangs_up_while_it_takes_the_mail_leaves_an_unknown_letter(
    engine: Engine, sender: Sender, mailbox: Mailbox
) -> None:
    letter_id = letter_to_send(engine, mailbox.address)
    mailbox.hangs_up = True

    assert deliver_letters(engine, sender, now=NOW) == LettersDone(unknown=1)
    assert deliver_letters(engine, sender, now=NOW + timedelta(days=9)) == LettersDone()

    assert len(mailbox.mails) == 1
    assert letter(engine, letter_id).state is LetterState.UNKNOWN
    with transaction(engine) as session:
        told = session.execute(text("SELECT details FROM alert_event WHERE kind = 'job-set-aside'")).scalars().all()
    assert [one["task"] for one in told] == ["letter"]


@pytest.mark.parametrize(
    ("answer", "done", "state"),
    [
        ("550 nobody here", LettersDone(failed=1), LetterState.FAILED),
        ("451 later", LettersDone(failed=1), LetterState.WAITING),
    ],
)
def test_a_refusal_is_certain(
    engine: Engine, sender: Sender, mailbox: Mailbox, answer: str, done: LettersDone, state: LetterState
) -> None:
    letter_id = letter_to_send(engine, mailbox.address)
    mailbox.answers = [answer, "250 OK"]

    assert deliver_letters(engine, sender, now=NOW) == done
    assert letter(engine, letter_id).state is state
    assert answer[4:] in letter(engine, letter_id).problem
    deliver_letters(engine, sender, now=NOW + outbox.WAITS[0])
    assert len(mailbox.mails) == (state is LetterState.WAITING)


def test_no_server_is_no_mail_and_a_secret_is_told_to_nobody(engine: Engine, sender: Sender) -> None:
    address = "mailtos://user:s3cr3t-word@127.0.0.1:9?from=a@ours.example&to=c@ours.example&mode=starttls"
    letter_id = letter_to_send(engine, address)

    assert deliver_letters(engine, sender, now=NOW) == LettersDone(failed=1)
    found = letter(engine, letter_id)
    assert found.state is LetterState.WAITING
    assert "s3cr3t-word" not in found.problem


def test_a_server_without_starttls_gets_neither_password_nor_letter(
    engine: Engine, sender: Sender, mailbox: Mailbox
) -> None:
    where = f"127.0.0.1:{mailbox.port}"
    address = f"mailtos://user:s3cr3t-word@{where}?from=a@ours.example&to=c@ours.example&mode=starttls"
    letter_to_send(engine, address)

    assert deliver_letters(engine, sender, now=NOW) == LettersDone(failed=1)
    assert mailbox.mails == []


def test_a_letter_that_would_break_into_the_headers_is_refused_for_good(
    engine: Engine, sender: Sender, mailbox: Mailbox
) -> None:
    letter_id = letter_to_send(engine, mailbox.address, subject="a\r\nBcc: all@evil.example")

    assert deliver_letters(engine, sender, now=NOW) == LettersDone(failed=1)
    assert letter(engine, letter_id).state is LetterState.FAILED
    assert mailbox.mails == []


_DELIVERS = """
import sys
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path
from storage.engine import make_engine
from zhiwen.alerts.letter_delivery import work_off_letters
from zhiwen.config.settings import Settings
settings = Settings(Path(sys.argv[2]), allowed_networks=(ip_network("127.0.0.0/8"),))
work_off_letters(make_engine(sys.argv[1]), settings)
"""


def test_killed_while_the_server_takes_the_mail_it_is_never_sent_twice(
    clean_database_url: str, engine: Engine, sender: Sender, mailbox: Mailbox, tmp_path: Path
) -> None:
    letter_id = letter_to_send(engine, mailbox.address)
    mailbox.answers_after_s = 2.0
    order = [sys.executable, "-c", _DELIVERS, clean_database_url, str(tmp_path)]
    with subprocess.Popen(order, start_new_session=True) as child:
        assert mailbox.is_taking.wait(60)
        os.kill(child.pid, signal.SIGKILL)

    found = letter(engine, letter_id)
    assert found.state is LetterState.SENDING
    with transaction(engine) as session:
        until = session.execute(text("SELECT claimed_until FROM letter")).scalar_one()
    assert deliver_letters(engine, sender, now=until - timedelta(seconds=1)) == LettersDone()
    assert deliver_letters(engine, sender, now=until) == LettersDone(unknown=1)
    assert deliver_letters(engine, sender, now=until + timedelta(days=9)) == LettersDone()
    assert len(mailbox.mails) == 1
    assert letter(engine, letter_id).state is LetterState.UNKNOWN


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (" legal@copier.example ", "legal@copier.example"),
        ("a.b+c@copier.example", "a.b+c@copier.example"),
        ("法务@copier.example", None),
        ("legal@抄写.example", "legal@xn--g7q452b.example"),
        ("legal@copier.example\r\nBcc: all@evil.example", None),
        ("legal@copier.example, other@copier.example", None),
        ("Legal <legal@copier.example>", None),
        ('"a b"@copier.example', None),
        ("a@b", None),
        ("a@[127.0.0.1]", None),
        ("@copier.example", None),
        ("a..b@copier.example", None),
        ("a@copier..example", None),
        ("a@-copier.example", None),
        ("https://copier.example/complaints", None),
        ("a@\ud800.example", None),
        ("\x00@copier.example", None),
        ("a" * 65 + "@copier.example", None),
        ("a@" + "b." * 200 + "example", None),
        ("a" * 1_000_000 + "@" + "a." * 1_000_000, None),
        ("", None),
    ],
)
def test_a_recipient_is_one_plain_address(written: str, read: str | None) -> None:
    assert mail_recipient(written) == read
