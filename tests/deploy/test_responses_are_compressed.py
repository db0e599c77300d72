"""What a browser asks for comes compressed, as it comes: pages, fragments, JSON, exports line by line."""

import gzip
import json
import time
import zlib
from pathlib import Path

import pytest
from django.http import FileResponse, HttpResponse, JsonResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from annotation.gold import derive
from config.compression import FLUSH_SECONDS, MAX_PADDING, SMALLEST, CompressionMiddleware
from projects.accepted_encodings import accepts
from tests.annotation.marked import many_marked
from tests.people import signed_in
from tests.workflow.working import body, marking_stage, put_draft
from workflow.claims import claim_next

WORDS = "الكشري أكلة مصرية شعبية. " * 100
GZIP = {"Accept-Encoding": "gzip, deflate, br, zstd"}


def answered(response, accepted: str = "gzip", method: str = "get"):
    request = getattr(RequestFactory(), method)("/", headers={"Accept-Encoding": accepted})
    return CompressionMiddleware(lambda _request: response)(request)


# --- The application's own pages ------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("person", "address", "media_type"),
    [
        ("mona", "/p/feasts/my-work/", "text/html"),
        ("nour", "/p/feasts/stages/", "text/html"),
        ("nour", "/api/v1/schema/", "application/vnd.oai.openapi"),
        ("nour", "/schemas/answers.schema.json", "application/schema+json"),
    ],
)
def test_a_page_comes_compressed_and_says_the_same(project, koshari, person, address, media_type, request):
    marking_stage(project)
    client = signed_in(request.getfixturevalue(person))
    plain, packed = client.get(address), client.get(address, headers=GZIP)
    assert plain.status_code == packed.status_code == 200
    assert plain.headers["Content-Type"].startswith(media_type)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    whole = b"".join(packed.streaming_content) if packed.streaming else packed.content
    expected = b"".join(plain.streaming_content) if plain.streaming else plain.content
    assert len(whole) < len(expected) / 2
    assert len(gzip.decompress(whole)) == pytest.approx(len(expected), abs=50)  # tokens differ, nothing else
    if not packed.streaming:
        assert packed.headers["Content-Length"] == str(len(whole))


@pytest.mark.django_db
def test_an_export_is_compressed_line_by_line_as_it_is_made(project, koshari, nour):
    many_marked(project, [koshari], [4])
    derive([koshari.pk])
    client = signed_in(nour)
    plain = b"".join(client.get("/p/feasts/gold/file/").streaming_content)
    packed = client.get("/p/feasts/gold/file/", headers=GZIP)
    assert packed.streaming
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(b"".join(packed.streaming_content)) == plain
    assert [json.loads(line) for line in plain.splitlines()]


@pytest.mark.django_db
def test_a_draft_is_saved_on_a_version_whose_tag_was_weakened_on_its_way(project, koshari, mona):
    client, turn = signed_in(mona), claim_next(mona.raters.get(), marking_stage(project))
    assert put_draft(client, turn, 0, body(no_errors=True)).json()["version"] == 1
    payload = json.dumps({"body": body(), "client": "tab-1"})
    for tag, version in (('W/"1"', 2), ('"2"', 3)):
        answer = client.put(
            f"/tasks/{turn.uuid}/draft",
            payload,
            content_type="application/json",
            headers={"If-Match": tag, "Accept": "application/json", **GZIP},
        )
        assert answer.json()["version"] == version
    for wrong in ('w/"3"', "3", "W/3", '"3", "4"', "*"):
        refused = client.put(
            f"/tasks/{turn.uuid}/draft", payload, content_type="application/json", headers={"If-Match": wrong}
        )
        assert refused.status_code == 400


# --- A stream stays one ---------------------------------------------------------------------------------


def test_the_first_line_of_a_stream_is_sent_before_the_second_is_made():
    made = []

    def lines():
        for number in range(3):
            made.append(number)
            yield f"line {number}\n".encode()

    stream = iter(answered(StreamingHttpResponse(lines(), content_type="application/x-ndjson")).streaming_content)
    first = zlib.decompressobj(31).decompress(next(stream))
    assert (first, made) == (b"line 0\n", [0])


def test_a_slow_stream_is_sent_on_as_it_comes_and_a_quick_one_in_large_pieces():
    unpacked = zlib.decompressobj(31)

    def slow():
        for number in range(3):
            yield f"line {number}\n".encode()
            time.sleep(FLUSH_SECONDS * 1.5)

    slowly = answered(StreamingHttpResponse(slow(), content_type="text/csv")).streaming_content
    assert [unpacked.decompress(piece) for piece in slowly][:3] == [b"line 0\n", b"line 1\n", b"line 2\n"]
    quick = answered(StreamingHttpResponse((b"line\n" for _ in range(50_000)), content_type="text/csv"))
    pieces = list(quick.streaming_content)
    assert gzip.decompress(b"".join(pieces)) == b"line\n" * 50_000
    assert len(pieces) < 50
    assert "Content-Length" not in quick.headers


def test_a_stream_that_fails_ends_there_and_is_closed(db):
    closed = []

    def failing():
        try:
            yield b"line\n"
            raise OSError("the disk went away")
        finally:
            closed.append(True)

    response = answered(StreamingHttpResponse(failing(), content_type="text/csv"))
    with pytest.raises(OSError, match="went away"):
        list(response.streaming_content)
    response.close()
    assert closed == [True]


def test_a_file_is_compressed_though_the_server_could_send_it_by_itself(db, tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_bytes(WORDS.encode())
    response = answered(FileResponse(path.open("rb"), content_type="application/x-ndjson"))
    assert response.file_to_stream is None  # else gunicorn would send the plain file under this header
    assert gzip.decompress(b"".join(response.streaming_content)) == WORDS.encode()
    response.close()


# --- What is left as it is ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse("x" * (SMALLEST - 1)),
        HttpResponse(WORDS.encode(), content_type="application/zip"),
        HttpResponse(WORDS.encode(), content_type="image/png"),
        HttpResponse(WORDS.encode(), content_type="application/vnd.apache.parquet"),
        HttpResponse(WORDS, headers={"Content-Encoding": "br"}),
        HttpResponse(WORDS[:600], status=206, headers={"Content-Range": "bytes 0-599/1200"}),
        HttpResponse(status=304),
        HttpResponse(bytes(SMALLEST), content_type=""),
    ],
    ids=["small", "archive", "image", "parquet", "compressed", "range", "unchanged", "nameless"],
)
def test_what_gains_nothing_or_is_not_whole_is_sent_as_it_is(response):
    content, coding = response.content, response.headers.get("Content-Encoding")
    same = answered(response)
    assert (same.content, same.headers.get("Content-Encoding")) == (content, coding)
    assert "Vary" not in same.headers


@pytest.mark.parametrize(
    ("header", "is_accepted"),
    [
        ("gzip", True),
        ("br, gzip;q=0.5", True),
        ("*", True),
        ("GZIP ; Q=1", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("*;q=0.5, gzip; q=0.000", False),
        ("identity;q=1, *;q=0", False),
        ("notgzip", False),
        ("gzip;q=1.2.3", False),
    ],
)
def test_only_who_accepts_it_gets_it(header, is_accepted):
    assert accepts("gzip", header) is is_accepted
    assert ("Content-Encoding" in answered(HttpResponse(WORDS), header).headers) is is_accepted


def test_tags_of_a_version_are_weak_where_its_bytes_are_not_the_same():
    for tag, expected in (('"3"', 'W/"3"'), ('W/"3"', 'W/"3"')):
        assert answered(HttpResponse(WORDS, headers={"ETag": tag})).headers["ETag"] == expected
    assert answered(HttpResponse(WORDS, headers={"ETag": '"3"'}), "br").headers["ETag"] == '"3"'


def test_a_body_has_another_length_each_time_so_that_nobody_can_measure_what_is_in_it():
    lengths = {len(answered(JsonResponse({"words": WORDS})).content) for _ in range(200)}
    assert len(lengths) > 30
    assert max(lengths) - min(lengths) < MAX_PADDING


def test_the_proxy_compresses_nothing_a_second_time():
    caddyfile = (Path(__file__).resolve().parents[2] / "deploy" / "Caddyfile").read_text()
    assert not [line for line in caddyfile.splitlines() if line.split("#")[0].split()[:1] == ["encode"]]


def test_signing_in_is_compressed_too(db):
    assert Client().get("/accounts/login/", headers=GZIP).headers["Content-Encoding"] == "gzip"
