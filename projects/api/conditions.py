"""Changing what somebody else may have changed meanwhile: `ETag` says what stands, `If-Match` what the sender saw.

A fingerprint is the hash that the page of the same thing carries, so that pages and programs are told of each other.
"""

from rest_framework.request import Request
from rest_framework.response import Response


def tagged(response: Response, fingerprint: str) -> Response:
    response["ETag"] = f'"{fingerprint}"'
    return response


def seen_by(request: Request) -> str:
    """The fingerprint that a change is made on; "" where the sender takes whatever stands.

    A tag that compression has made a weak one is taken: it is a hash of what is stored, not of the bytes sent.
    """
    sent = request.headers.get("If-Match", "").strip()
    return "" if sent == "*" else sent.removeprefix("W/").strip('"')
