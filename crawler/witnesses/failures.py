"""Why a witness does not confirm.

WitnessFailed          no confirmation now; ask again later
└── WitnessRefused     asking again is useless until somebody changes something
    └── Contradiction  two heads of one chain contradict each other: somebody has to look
"""


class WitnessFailed(Exception):
    """No witness now. The message names the witness and the reason, with the remedy if there is one."""


class WitnessRefused(WitnessFailed):
    """The same request would be refused again."""


class Contradiction(WitnessRefused):
    """A witness knows another head at that number, or a longer chain, signed with the same key."""
