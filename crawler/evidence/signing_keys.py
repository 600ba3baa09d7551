"""The key that signs evidence: Ed25519, in a file of the home that only this user can read.

Its id is the SHA-256 of its 32 public bytes. `key_announcements` says in the chain which key signs from which entry on.
"""

import contextlib
import hashlib
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

KEY_FILE: Final = "evidence-key"
"""PKCS 8 in PEM, which `openssl pkey` reads."""
NEXT_FILE: Final = "evidence-key.next"
"""A key that is being announced as the successor: it moves to KEY_FILE when the chain names it."""
NOTED_FILE: Final = "evidence-key.pub"
"""The public key that was announced last from this home, in hex. If KEY_FILE is gone, it says which key was lost."""
PUBLIC_BYTES: Final = 32
_MOST_FILE_BYTES: Final = 10_000


class KeyUnusable(Exception):
    """There is no usable key in the home; the message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key that signs. `public`: 32 bytes."""

    public: bytes
    _secret: Ed25519PrivateKey = field(repr=False)

    @property
    def id(self) -> str:
        return key_id(self.public)

    def sign(self, message: bytes) -> bytes:
        """The signature of these bytes: 64 bytes, the same for the same message."""
        return self._secret.sign(message)

    @property
    def secret_pem(self) -> bytes:
        return self._secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def new_key() -> SigningKey:
    return _key(Ed25519PrivateKey.generate())


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether `signature` is that of `message` by the key with these public bytes; False for bytes that are no key."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(public: bytes) -> str:
    """The id of a public key: its SHA-256 in hex."""
    return hashlib.sha256(public).hexdigest()


def public_pem(public: bytes) -> str:
    """The public key as `openssl pkeyutl -verify -pubin` reads it. Raises ValueError for bytes that are no key."""
    pem = Ed25519PublicKey.from_public_bytes(public).public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return pem.decode("ascii")


@dataclass(frozen=True, slots=True)
class KeyFiles:
    """The files of the key in a home. Methods raise OSError where the disk does."""

    home: Path

    @property
    def path(self) -> Path:
        return self.home / KEY_FILE

    def load(self) -> SigningKey | None:
        """The key; None if there is no file. Raises KeyUnusable."""
        return _loaded(self.path)

    def load_next(self) -> SigningKey | None:
        """The successor that is not in use yet; None if there is none or it is unreadable."""
        try:
            return _loaded(self.home / NEXT_FILE)
        except KeyUnusable:
            return None

    def make(self) -> SigningKey:
        """Makes the key, readable for this user only. If another process made one meanwhile, returns that."""
        self._write(KEY_FILE, new_key().secret_pem, replaces=False)
        made = self.load()
        if made is None:
            raise KeyUnusable(f"The signing key {self.path} was removed while it was made. Repeat the command.")
        return made

    def make_next(self) -> SigningKey:
        made = new_key()
        self._write(NEXT_FILE, made.secret_pem, replaces=True)
        return made

    def use_next(self) -> None:
        (self.home / NEXT_FILE).replace(self.path)
        _sync_folder(self.home)

    def noted(self) -> bytes | None:
        """The public key that was announced last; None if none is noted legibly."""
        try:
            noted = bytes.fromhex((self.home / NOTED_FILE).read_text("ascii").strip())
        except (FileNotFoundError, ValueError):
            return None
        return noted if len(noted) == PUBLIC_BYTES else None

    def note(self, public: bytes) -> None:
        if self.noted() != public:
            self._write(NOTED_FILE, f"{public.hex()}\n".encode(), replaces=True)

    def _write(self, name: str, data: bytes, *, replaces: bool) -> None:
        """Writes the file under another name first, so that it is whole or absent. Without `replaces`, the first of
        several processes wins.
        """
        # The same mode as the built-in database uses: under root, the server's user must pass through.
        self.home.mkdir(mode=0o700 if os.geteuid() else 0o711, parents=True, exist_ok=True)
        number, aside = tempfile.mkstemp(dir=self.home, prefix=f".{name}.")  # mode 600
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if replaces:
                Path(aside).rename(self.home / name)
            else:
                with contextlib.suppress(FileExistsError):
                    (self.home / name).hardlink_to(aside)
        finally:
            Path(aside).unlink(missing_ok=True)
        _sync_folder(self.home)


def _loaded(path: Path) -> SigningKey | None:
    remedy = (
        "Restore the file from a copy, or delete it: the next use makes a new key, and the chain of evidence says that "
        "the old one is lost."
    )
    try:
        with path.open("rb") as file:
            written = file.read(_MOST_FILE_BYTES)
        secret = load_pem_private_key(written, password=None)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:  # TypeError: the key has a password
        raise KeyUnusable(f"The signing key {path} cannot be read ({error}). {remedy}") from error
    if not isinstance(secret, Ed25519PrivateKey):
        raise KeyUnusable(f"The signing key {path} is not an Ed25519 key. {remedy}")
    return _key(secret)


def _key(secret: Ed25519PrivateKey) -> SigningKey:
    return SigningKey(secret.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw), secret)


def _sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
