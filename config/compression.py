"""What a browser is sent is compressed: pages, fragments, JSON, exports. Static files have compressed copies already.

Django's own middleware would do, but for a stream: there it holds back what comes until the compressor is full, and a
slow export would begin late.
"""

import re
import secrets
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from gzip import GzipFile
from io import BytesIO

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from projects.accepted_encodings import accepts

# The level at which a page of two megabytes takes some 20 ms; higher ones take twice as long for a few per cent.
LEVEL = 5
# Less than this fits a packet anyway.
SMALLEST = 500
# A stream is sent on at least this often, if anything came.
FLUSH_SECONDS = 0.1
# Text, by its media type. What is not named here (images, archives, tables in Parquet) is compressed in itself.
TEXT = re.compile(
    r"text/.+|application/([\w.-]+\+)?(json|xml|yaml)|application/(x-ndjson|jsonl|javascript|vnd\.oai\.openapi)"
    r"|image/svg\+xml"
)
# The most bytes of no meaning by which a body is lengthened: who can put words into a page then cannot tell by its
# length whether they guessed a secret that stands in it (BREACH; "Heal the Breach", IEEE Access 10, 2022).
MAX_PADDING = 100


class CompressionMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not is_compressible(response):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if accepts("gzip", request.headers.get("Accept-Encoding", "")):
            compress(response)
        return response


def is_compressible(response: HttpResponseBase) -> bool:
    """Whole bodies of text that nobody compressed before. A part of one (206) has offsets of the plain body, and a
    digest is that of the bytes that are sent."""
    told = {"Content-Encoding", "Content-Range", "Repr-Digest"} & set(response.headers)
    if told or response.status_code in (204, 206, 304):
        return False
    media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if not TEXT.fullmatch(media_type):
        return False
    return isinstance(response, StreamingHttpResponse) or (
        isinstance(response, HttpResponse) and len(response.content) >= SMALLEST
    )


def compress(response: HttpResponseBase) -> None:
    if isinstance(response, StreamingHttpResponse):
        parts = response.streaming_content
        if not isinstance(parts, Iterator):  # one for asynchronous servers, of which there is none here
            return
        response.streaming_content = compressed_stream(parts)
        del response.headers["Content-Length"]
    elif isinstance(response, HttpResponse):
        content = compressed(response.content)
        if len(content) >= len(response.content):
            return
        response.content = content
        response.headers["Content-Length"] = str(len(content))
    response.headers["Content-Encoding"] = "gzip"
    # Two bodies of one version: equal in meaning, not byte by byte (RFC 9110, 8.8.3.3).
    tag = response.headers.get("ETag", "")
    if tag.startswith('"'):
        response.headers["ETag"] = f"W/{tag}"


def compressed(content: bytes) -> bytes:
    buffer = BytesIO()
    with _writer(buffer) as file:
        file.write(content)
    return buffer.getvalue()


def compressed_stream(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The same parts compressed: the first at once, the others as they fill the compressor or become old."""
    buffer = BytesIO()
    sent_at = float("-inf")
    with _writer(buffer) as file:
        for part in parts:
            file.write(part)
            if time.monotonic() - sent_at >= FLUSH_SECONDS:
                file.flush(zlib.Z_SYNC_FLUSH)
            if ready := _taken(buffer):
                yield ready
                sent_at = time.monotonic()
    yield _taken(buffer)


def _writer(buffer: BytesIO) -> GzipFile:
    # The name in the header of a gzip body is read by nobody: it is the padding.
    padding = "a" * (secrets.randbelow(MAX_PADDING) + 1)
    return GzipFile(filename=padding, mode="wb", compresslevel=LEVEL, fileobj=buffer, mtime=0)


def _taken(buffer: BytesIO) -> bytes:
    ready = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return ready
