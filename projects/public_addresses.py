"""Which addresses of the network a stranger may name to us: public ones alone.

Whoever names an address that our servers call could otherwise have them call what only they can reach: the database,
the metadata of a cloud, a neighbour in the same house. What is looked at here needs no look-up of names; an address
that a name leads to is looked at when a connection is made (`providers/client/guarded.py`), for it may be another by
then.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

# Names that lead nowhere outside, whatever a name server says.
INNER = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa", "test", "onion")
MAX_ADDRESS = 300


def is_public(address: str) -> bool:
    """Whether an IP address is one of the open network; also for an IPv4 address that is wrapped in an IPv6 one."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        wrapped = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        # NAT64: the last 32 bits are an IPv4 address.
        if wrapped is None and parsed in ipaddress.ip_network("64:ff9b::/96"):
            wrapped = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        if wrapped is not None:
            return is_public(str(wrapped))
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def is_allowed_host(host: str) -> bool:
    """Whether whoever runs the installation named this host as one that may be called although it is private."""
    return host.casefold() in {name.casefold() for name in settings.SUBMITTED_PRIVATE_HOSTS}


def written_address(host: str) -> str | None:
    """The IP address that a host is written as, in any spelling that a C library reads (127.1, 0x7f000001); None of a
    name."""
    try:
        return str(ipaddress.ip_address(host.partition("%")[0]))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host)) if host.isascii() else None
    except OSError:
        return None


def address_fault(url: str) -> str:
    """What is wrong with the address of an endpoint that a stranger names; empty where nothing is. Looks no name up."""
    try:
        parts = urlsplit(url)
        host, _port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return _("This is not an address.")
    if not host or len(url) > MAX_ADDRESS or not url.isascii() or not url.isprintable() or " " in url:
        return _("This is not an address.")
    if parts.username or parts.password or parts.query or parts.fragment:
        return _("Leave out what stands before @ or after ? and #. No key belongs here.")
    if is_allowed_host(host):
        return "" if parts.scheme in ("http", "https") else _("The address begins with https://.")
    if parts.scheme != "https":
        return _("The address begins with https://.")
    written = written_address(host)
    if written is not None:
        is_reachable = is_public(written)
    else:
        is_reachable = "." in host and not any(host == name or host.endswith(f".{name}") for name in INNER)
    return "" if is_reachable else _("This address cannot be reached from the open network.")
