"""The errors of storage. Every message names the value and the remedy.

StorageError
├── DatabaseUnreachable         no server answers at the database's address, or it refuses us
├── DatabaseVersionUnsupported  the server is a Postgres older than required
├── StoreFailed                 a unit of work could not be written
├── SchemaNotCurrent            the tables are older or newer than this program
├── NameTaken                   the name is in use
├── NotKnown                    no such object
├── MoveNotAllowed              a case cannot go from its state to the one requested
├── NothingToUndo               another action came after the one to undo
├── TooLate                     a letter left, and cannot be taken back
├── NotSigned                   a notice lacks the statements of its signer
├── NotConsented                a notice lacks the consent of a second person
├── ChangedMeanwhile            somebody else has changed what a person was about to change
├── NobodyKnown                 no owner is known to whom a licence could be given
├── LicenceKnown                an identical licence exists
├── LastAdministrator           no administrator would be left
├── BadSchedule                 a schedule rule is not valid
├── HeldByCase                  the object to remove is part of a case, and stays
├── BackupFailed                a back-up could not be made, read or restored; the store is unchanged
│   └── BackupInterrupted       a person stopped it
└── EmbeddedPostgresError       the embedded database cannot be used
    ├── HomeUnusable            its directory cannot be written, or belongs to another user
    ├── WrongPostgresMajor      its data were written by another major version of Postgres
    └── PostgresDidNotStart     it did not start
"""

from pathlib import Path


class StorageError(Exception):
    """Base of all errors of this package."""


class DatabaseUnreachable(StorageError):
    def __init__(self, url: str, cause: str) -> None:
        super().__init__(
            f"No database answers at {url}: {cause}. "
            f"Check DATABASE_URL, or leave it unset to use the database that Zhiwen brings along."
        )


class DatabaseVersionUnsupported(StorageError):
    def __init__(self, url: str, major: int, oldest_major: int) -> None:
        super().__init__(
            f"The database at {url} is Postgres {major}; Zhiwen needs {oldest_major} or newer. "
            f"Point DATABASE_URL at a newer server, or leave it unset to use the database that Zhiwen brings along."
        )


class StoreFailed(StorageError):
    def __init__(self, cause: str) -> None:
        super().__init__(f"The database could not write: {cause}. What was written before stays; run it again.")


class SchemaNotCurrent(StorageError):
    def __init__(self, found: str, wanted: str) -> None:
        super().__init__(
            f"The database's tables are at revision {found}; this program needs {wanted}. "
            f"Run `zhiwen db upgrade`; if the tables are newer than the program, update the program."
        )


class NameTaken(StorageError):
    def __init__(self, what: str, name: str) -> None:
        super().__init__(f"There is already a {what} named {name!r}. Choose another name, or edit that one.")


class NotKnown(StorageError):
    def __init__(self, what: str, name: str, hint: str = "") -> None:
        super().__init__(f"There is no {what} {name!r}." + (f" {hint}" if hint else ""))


class MoveNotAllowed(StorageError):
    def __init__(self, case_id: int, before: str, after: str) -> None:
        super().__init__(
            f"Case {case_id} is {before} now and cannot become {after} from there. Reload it: somebody else may "
            f"have moved it."
        )


class NothingToUndo(StorageError):
    def __init__(self, case_id: int) -> None:
        super().__init__(f"The last decision on case {case_id} is another one by now. Reload the case.")


class TooLate(StorageError):
    def __init__(self, letter_id: int) -> None:
        super().__init__(f"Letter {letter_id} left, or another one follows it. Record that it is withdrawn.")


class NotSigned(StorageError):
    def __init__(self, form: str, wanted: int, given: int) -> None:
        super().__init__(
            f"A notice of the form {form!r} needs {wanted} signed statements and has {given}. Tick each one and sign."
        )


class NotConsented(StorageError):
    def __init__(self, reasons: str) -> None:
        super().__init__(f"Nobody else has consented to this text ({reasons}). Request consent at the draft.")


class ChangedMeanwhile(StorageError):
    def __init__(self, case_id: int) -> None:
        super().__init__(f"Somebody else has changed case {case_id} meanwhile. Reload the case.")


class NobodyKnown(StorageError):
    def __init__(self, host: str) -> None:
        super().__init__(f"Nobody is known to be behind {host}: register it as a site of an owner first.")


class LicenceKnown(StorageError):
    def __init__(self, licence_id: int) -> None:
        super().__init__(f"There is the very same licence already: number {licence_id}.")
        self.licence_id = licence_id


class LastAdministrator(StorageError):
    def __init__(self) -> None:
        super().__init__(
            "This is the last administrator: somebody has to be able to let others in. "
            "Make somebody else an administrator first."
        )


class BadSchedule(StorageError):
    def __init__(self, cause: str) -> None:
        super().__init__(f"{cause[:1].upper()}{cause[1:]}.")


class HeldByCase(StorageError):
    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is part of a case: what a case refers to is evidence and is not removed.")


class BackupFailed(StorageError):
    """A back-up could not be made, read or restored. The store is unchanged."""


class BackupInterrupted(BackupFailed):
    def __init__(self) -> None:
        super().__init__("It was interrupted; what was begun is gone again.")


class EmbeddedPostgresError(StorageError):
    """The embedded database cannot be used."""


class HomeUnusable(EmbeddedPostgresError):
    """The directory of the embedded database cannot be written, or belongs to another user."""


class WrongPostgresMajor(EmbeddedPostgresError):
    def __init__(self, data: Path, found: str, ours: int) -> None:
        super().__init__(
            f"The database in {data} was written by Postgres {found}; this Zhiwen brings Postgres {ours}, "
            f"which cannot read it. Save it with the Zhiwen that wrote it (`zhiwen db backup FILE`), set ZHIWEN_HOME "
            f"to a new directory, and bring it back with this one (`zhiwen db restore FILE`)."
        )


class StoreNotHandedOver(EmbeddedPostgresError):
    def __init__(self) -> None:
        super().__init__(
            "The database belongs to a superuser, as earlier versions of Zhiwen made it, and could not be given to the "
            "program's own role: another program of Zhiwen uses it. Stop worker and admin, then start again."
        )


class PostgresDidNotStart(EmbeddedPostgresError):
    """The embedded server did not start; the message includes the end of its log."""
