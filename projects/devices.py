"""Which device a browser ran on, and from where it came, as people say it."""

import re
from ipaddress import ip_address

from django.utils.translation import gettext as _

# The first that fits: browsers name those that they descend from too.
BROWSERS = (
    ("Microsoft Edge", r"Edg(?:e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|CriOS/|Chromium/"),
    ("Safari", r"Version/\S+ (?:Mobile/\S+ )?Safari/"),
)
SYSTEMS = (
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("ChromeOS", r"CrOS"),
    ("Windows", r"Windows"),
    ("Mac", r"Mac OS X|Macintosh"),
    ("Linux", r"Linux|X11"),
)


def device(user_agent: str) -> str:
    """Browser and system in words, such as "Firefox on Windows"; what cannot be told is said to be unknown."""
    browser, system = _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown device")


def place(ip: str, here: str) -> str:
    """Where an address lies as seen from the one that asks: no list of the world's addresses is consulted."""
    if ip == here:
        return _("Same connection as here")
    try:
        address = ip_address(ip)
    except ValueError:
        return _("Unknown place")
    if address.is_loopback:
        return _("On the computer that Mizan runs on")
    if address.is_private or address.is_link_local:
        return _("In the local network")
    return _("Another connection")


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for name, pattern in names if re.search(pattern, user_agent)), "")
