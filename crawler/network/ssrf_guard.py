"""Guard against server-side request forgery: no request leaves for a private address.

Every connection asks the reactor's name resolver for an address, literal addresses in any spelling included. The
guard is that resolver: it drops addresses that are not public from each answer, and the connection is made to an
address of that very answer. So a name that resolves to another address a moment later (rebinding) gains nothing, and a
redirect is a new connection like any other.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]

from crawler.network.public_addresses import Network, allowed_networks, is_allowed

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.internet.base import ReactorBase

HOSTS_REMEMBERED: Final = 1_000


class Receiver(Protocol):
    """Twisted's IResolutionReceiver, for the type checker."""

    def resolutionBegan(self, resolution: Any) -> None: ...
    def addressResolved(self, address: Any) -> None: ...
    def resolutionComplete(self) -> None: ...


class Resolver(Protocol):
    """Twisted's IHostnameResolver, the same."""

    def resolveHostName(
        self,
        resolutionReceiver: Receiver,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[Any]] | None = None,
        transportSemantics: str = "TCP",
    ) -> Any: ...


@implementer(IHostnameResolver)
class GuardedResolver:
    """Answers as `inner` does, less the addresses that may not be connected to."""

    def __init__(self, inner: Resolver, *, allowed: Sequence[Network]) -> None:
        self._inner = inner
        self._allowed = tuple(allowed)
        self._blocked: OrderedDict[str, None] = OrderedDict()
        self._reactor: ReactorBase | None = None

    @classmethod
    def from_crawler(cls, crawler: "Crawler", reactor: "ReactorBase") -> "GuardedResolver":
        guard = cls(cast("Resolver", reactor.nameResolver), allowed=allowed_networks(crawler.settings))
        guard._reactor = reactor
        return guard

    def install_on_reactor(self) -> None:
        """Called by Scrapy when it starts."""
        if self._reactor is not None:
            self._reactor.installNameResolver(self)  # type: ignore[arg-type]  # zope's interface

    def has_blocked(self, host: str) -> bool:
        """Whether `host` was lately refused an address: distinguishes a blocked name from one that does not exist."""
        return host.strip("[]") in self._blocked

    def resolveHostName(
        self,
        resolutionReceiver: Receiver,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[Any]] | None = None,
        transportSemantics: str = "TCP",
    ) -> Any:
        receiver = _GuardedReceiver(resolutionReceiver, hostName, self)
        return self._inner.resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)

    def passes(self, host: str, address: str) -> bool:
        if is_allowed(address, self._allowed):
            return True
        self._blocked[host] = None
        if len(self._blocked) > HOSTS_REMEMBERED:
            self._blocked.popitem(last=False)
        return False


@implementer(IResolutionReceiver)
class _GuardedReceiver:
    def __init__(self, receiver: Receiver, host: str, guard: GuardedResolver) -> None:
        self._receiver = receiver
        self._host = host
        self._guard = guard

    def resolutionBegan(self, resolution: Any) -> None:
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:
        if self._guard.passes(self._host, address.host):
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:
        self._receiver.resolutionComplete()
