"""Connections to endpoints that a stranger named: to public addresses alone, looked at when the connection is made.

A name may lead elsewhere at every look-up. So the addresses are looked up once, all of them must be public, and the
connection goes to one of these very addresses. Proxies of the environment are not used: they would look the name up
anew.

Loading this module loads the SDK's transport: only `openai_compatible` does, when a process first calls.
"""

import asyncio
import socket
from collections.abc import Iterable
from typing import Any

import httpcore2
import httpx2

from projects.public_addresses import is_allowed_host, is_public, written_address


class PrivateAddress(httpcore2.ConnectError):
    """The host is at an address that is not public: nothing was sent."""


async def public_addresses_of(host: str, port: int) -> list[str]:
    """Addresses of a host, in the order in which they are tried. Raises PrivateAddress where any of them is not public,
    httpcore2.ConnectError where there is none."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as problem:
        raise httpcore2.ConnectError(str(problem)) from problem
    return checked(host, [str(place[0]) for *_kind, place in found])


def checked(host: str, addresses: list[str]) -> list[str]:
    """The same without doubles. Raises PrivateAddress."""
    if not is_allowed_host(host) and not all(map(is_public, addresses)):
        raise PrivateAddress(f"{host} is at an address that is not public")
    return list(dict.fromkeys(addresses))


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """Connects as usual, to checked addresses."""

    def __init__(self) -> None:
        self._network = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        problem: Exception | None = None
        for address in await public_addresses_of(host, port):
            try:
                return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as failure:
                problem = failure
        raise problem or httpcore2.ConnectError(f"{host} has no address")

    async def connect_unix_socket(self, *_args: Any, **_options: Any) -> httpcore2.AsyncNetworkStream:
        raise PrivateAddress("a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """A client's transport whose connections go through the guard."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # httpx takes no network of one's own; the pool below it does, and asks it for each connection it opens.
        self._pool._network_backend = GuardedNetwork()


def refuse_private(host: str, port: int) -> None:
    """The same look-up at once, for a person who decides. Raises PrivateAddress, or ConnectError for an unknown
    name."""
    try:
        found = socket.getaddrinfo(written_address(host) or host, port, type=socket.SOCK_STREAM)
    except OSError as problem:
        raise httpcore2.ConnectError(str(problem)) from problem
    checked(host, [str(place[0]) for *_kind, place in found])
