"""The key that signs the admin's cookies and the backups' manifests."""

import contextlib
import os
import secrets

from zhiwen.config.parsers import SECRET_KEY_MIN_CHARS
from zhiwen.config.settings import Settings, SettingsError

SECRET_KEY_FILE_NAME = "secret-key"  # noqa: S105  (a file's name)


def secret_key(settings: Settings) -> str:
    """The key of the settings, else of the home, where the first call creates it, readable for this user only."""
    if settings.secret_key is not None:
        return settings.secret_key
    path = settings.home / SECRET_KEY_FILE_NAME
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        if not path.exists():
            # The same mode as the built-in database uses: under root, the server's user must pass through.
            settings.home.mkdir(mode=0o700 if os.geteuid() else 0o711, parents=True, exist_ok=True)
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(SECRET_KEY_MIN_CHARS))
            # Of two processes that create it at the same time, both use the key of the first.
            with contextlib.suppress(FileExistsError):
                os.link(aside, path)
            aside.unlink()
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The secret key {path} cannot be read or made ({error}). "
            f"Give this user the right to write in {settings.home}, or set ZHIWEN_SECRET_KEY."
        ) from error
    if len(key) < SECRET_KEY_MIN_CHARS:
        raise SettingsError(
            f"The secret key in {path} is too short. Delete the file: a new key is made, and all users log in again."
        )
    return key
