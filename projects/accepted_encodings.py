"""Which encodings of a body a browser says it takes."""

import re


def accepts(wanted: str, header: str) -> bool:
    """Whether an Accept-Encoding header names a coding, or anything, with a quality above 0 (RFC 9110, 12.5.3)."""
    qualities: dict[str, float] = {}
    for part in header.lower().split(","):
        coding, _semicolon, weight = part.partition(";")
        match = re.fullmatch(r"\s*q\s*=\s*([\d.]+)\s*", weight)
        try:
            qualities[coding.strip()] = float(match[1]) if match else 1.0
        except ValueError:  # "1.2.3"
            qualities[coding.strip()] = 0.0
    return qualities.get(wanted, qualities.get("*", 0.0)) > 0
