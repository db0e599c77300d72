"""Addresses of visitors, as far as they tell one visitor from another."""

import ipaddress

# What one household or one machine is given: within it an address is chosen at will.
IPV6_PREFIX = 64


def network_of(address: str) -> str:
    """An IPv4 address as it is (also where it is written as IPv6), an IPv6 address as its network."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, IPV6_PREFIX), strict=False).network_address)
