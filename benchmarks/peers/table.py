"""All peers, in the order in which they are shown, and the packages that are left out."""

from collections.abc import Sequence
from typing import Final

from benchmarks.peers.minhash import DATASKETCH, RENSA
from benchmarks.peers.peer import LeftOut, Peer
from benchmarks.peers.simhash_index import SIMHASH
from benchmarks.peers.suffix_array import SUFFIX_ARRAY

PEERS: Final[tuple[Peer, ...]] = (*DATASKETCH, *RENSA, SIMHASH, SUFFIX_ARRAY)

LEFT_OUT: Final = (
    LeftOut(
        "infini-gram", "a suffix array on disk for thousands of millions of texts; the suffix array here is as exact"
    ),
    LeftOut("text-dedup", "its release 0.0.3 requires pandas 1.5.3, which does not load beside numpy 2"),
    LeftOut("datatrove", "jobs over files without an index to query; its Chinese words need spaCy"),
)


def missing(peers: Sequence[Peer] = PEERS) -> tuple[LeftOut, ...]:
    """Peers whose package is not installed, and the packages that are never measured."""
    absent = dict.fromkeys(peer.module for peer in peers if not peer.is_installed)
    return (*(LeftOut(name, "not installed: pip install 'zhiwen[bench]'") for name in absent), *LEFT_OUT)
