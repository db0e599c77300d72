"""IANA's registry of language subtags, as langcodes brings it along. Read once, in about 0.2 s, when first asked."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

#: Registered as ranges for private use.
PRIVATE = {"language": ("qaa", "qtz"), "script": ("qaaa", "qabx"), "region": ("qm", "qz")}


@cache
def registered() -> Mapping[str, Mapping[str, str]]:
    """By kind (language, extlang, script, region, variant, grandfathered), each entry in small letters with its
    description in English."""
    from langcodes.registry_parser import parse_registry

    found: dict[str, dict[str, str]] = defaultdict(dict)
    for entry in parse_registry():
        described = entry.get("Description", "")
        code = entry.get("Subtag") or entry.get("Tag") or ""
        found[entry["Type"]][str(code).lower()] = described[0] if isinstance(described, list) else str(described)
    return found


def is_registered(kind: str, code: str) -> bool:
    code = code.lower()
    first, last = PRIVATE.get(kind, ("", ""))
    if len(code) == len(first) and first <= code <= last:
        return True
    return code in registered()[kind] or (kind == "region" and len(code) == 2 and "xa" <= code <= "xz")


def description(language: str) -> str:
    """Of a language, in English; its code where it is private."""
    return registered()["language"].get(language, language)
