"""A provider's key goes to the provider and nowhere else, however the provider fails and whatever it repeats.

A canary is searched, as it is and as base64, URL and JSON would write it, in every table, every file of the data
folder, the broker's messages, the logs with their tracebacks, and everything that can be exported or looked at.
"""

import base64
import json
import logging
import os
import zlib
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from werkzeug import Response

from judging.engine import runs
from judging.engine.rereading import reread
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.models import Call, Run
from providers.client import retrying
from providers.client.endpoint import Endpoint
from providers.endpoints import endpoint
from providers.limiter import circuit_breaker as breaker
from providers.models import Provider, ServedModel
from providers.trying import try_model
from tests.data_folder import content_of
from tests.judging.conftest import every_provider_is_up
from tests.people import signed_in

__all__ = ["every_provider_is_up"]

CANARY = "sk-canary/7f3a+9c==&"
KEY_NAME = "MIZAN_CANARY_KEY"


def spellings() -> set[bytes]:
    """The key as it is, URL-encoded, JSON-escaped, and in base64 at each of the three ways it can be cut."""
    raw = CANARY.encode()
    found = {raw, quote(CANARY).encode(), quote(CANARY, safe="").encode()}
    found |= {json.dumps(CANARY)[1:-1].encode(), CANARY.replace("/", "\\/").encode()}
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + raw)
        # What depends on the characters around it is left out.
        found.add(coded[(before * 8 + 5) // 6 : len(coded) - 4])
    return found


def holds_canary(content: bytes | str) -> bool:
    content = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return any(spelling in content for spelling in spellings())


@pytest.mark.parametrize(
    "hidden",
    [CANARY, f"Bearer {CANARY}", quote(CANARY, safe=""), json.dumps({"key": CANARY})]
    + [base64.b64encode(f"{before}{CANARY} and more".encode()).decode() for before in ("", "a", "ab", "user:")],
)
def test_the_search_finds_what_it_looks_for(hidden):
    assert holds_canary(f"before {hidden} after")


# --- A gateway that repeats what it was sent ------------------------------------------------------------


def leaky(request) -> Response:
    """Each fault by the model's name; all repeat the key."""
    header = request.headers["Authorization"]
    fault = json.loads(request.data)["model"].rpartition(":")[2]
    error = {"error": {"message": f"Incorrect API key provided: {header}", "key": CANARY}}
    if fault == "denied":
        return Response(json.dumps(error, ensure_ascii=False), 401, content_type="application/json")
    if fault == "broken":
        return Response(f"<h1>Bad gateway</h1><pre>authorization: {header}</pre>", 502)
    if fault == "errorbody":
        return Response(json.dumps(error, ensure_ascii=False), 200, content_type="application/json")
    if fault == "escaped":
        return Response(json.dumps(error).replace("/", "\\/"), 200, content_type="application/json")
    if fault == "page":
        return Response(f"<html>{header}</html>", 200)
    if fault == "moved":
        return Response("", 307, headers={"Location": f"/elsewhere?key={quote(CANARY)}"})
    message = {"role": "assistant", "content": f"You sent me {header}"}
    body = {"model": f"gpt-4o {CANARY}", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    return Response(json.dumps(body, ensure_ascii=False), 200, content_type="application/json")


FAULTS = ["denied", "broken", "errorbody", "escaped", "page", "moved", "prose"]


@pytest.fixture
def gateway(project, boishakh, httpserver, monkeypatch, caplog, tmp_path) -> Provider:
    """A provider that leaks what it is sent, and whose failures close no door to the next call."""
    keys = tmp_path / "secrets"
    keys.write_text(f"{KEY_NAME}={CANARY}\n")
    monkeypatch.setattr(settings, "SECRETS_FILE", str(keys))
    monkeypatch.setattr(retrying, "_jitter", lambda attempt: 0.0)
    monkeypatch.setattr(breaker, "COOL_OFF_SECONDS", 0.0)
    monkeypatch.setattr(breaker, "MIN_FAILURES", 10_000)
    caplog.set_level(logging.DEBUG)
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(leaky)
    return Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"), key_name=KEY_NAME)


def run_with_every_fault(project, gateway: Provider) -> list[Run]:
    """A run per fault, sent through the broker's door and worked through here, and a test of each model."""
    made = []
    for fault in FAULTS:
        run = runs.create_run(add_judge(project, gateway, f"gpt-4o:{fault}", name=fault), project.responses.all())
        runs.start(run)
        for shard in run.shards.values_list("pk", flat=True):
            work_through(shard)
        try_model(ServedModel.objects.get_or_create(provider=gateway, name=f"gpt-4o:{fault}")[0])
        made.append(Run.objects.get(pk=run.pk))
        reread(made[-1], everything=True)
    return made


@pytest.fixture
def judged(project, gateway, httpserver) -> list[Run]:
    made = run_with_every_fault(project, gateway)
    assert {request.headers["Authorization"] for request, _ in httpserver.log} == {f"Bearer {CANARY}"}
    return made


pytestmark = pytest.mark.django_db


def test_no_call_of_these_scores(judged):
    assert not Call.objects.exclude(state__in=["failed", "malformed"]).exists()
    assert Call.objects.filter(raw_output__contains="[key]").exists()  # the complaint is kept, its secret is not


def tables_with_canary() -> list[str]:
    """A dump of the database, table by table, as text and as the bytes of what is packed."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            rows = cursor.fetchall()
            packed = (bytes(value) for row in rows for value in row if isinstance(value, bytes | memoryview))
            if holds_canary(str(rows)) or any(map(holds_canary, packed)):
                found.append(table)
    return found


def kept_in_cache() -> list[bytes]:
    """Every key and value of the cache as it is kept; a folder packs its values."""
    if settings.REDIS_URL:
        import redis

        client = redis.Redis.from_url(settings.REDIS_URL)
        kinds = {key: client.type(key) for key in client.scan_iter(count=1000)}
        return [key + (client.get(key) or b"") if kind == b"string" else key for key, kind in kinds.items()]
    files = [path for path in Path(settings.CACHES["default"]["LOCATION"]).rglob("*") if path.is_file()]
    return [unpacked(path.read_bytes()) for path in files]


def unpacked(content: bytes) -> bytes:
    """A file of the cache: when it ends, pickled, and then the pickled value, compressed."""
    for at in range(len(content)):
        try:
            return content + zlib.decompress(content[at:])
        except zlib.error:
            continue
    return content


def test_it_stands_in_no_table(judged):
    assert tables_with_canary() == []


def test_it_stands_in_no_cache(judged, nour, project):
    lead = signed_in(nour)
    for page in ("gold/", "results/", "judges/"):
        assert lead.get(f"/p/{project.slug}/{page}").status_code == 200
    cache.set("any-other-value", "kept")
    kept = kept_in_cache()
    assert any(b"kept" in content for content in kept)
    assert not any(map(holds_canary, kept))
    cache.set("any-other-value", f"Bearer {CANARY}")
    assert any(map(holds_canary, kept_in_cache())), "it would be found"


def test_it_stands_in_no_log_line_and_no_traceback(judged, caplog, monkeypatch):
    assert not holds_canary(caplog.text)
    # Also where the unforeseen happens with the key at hand.
    monkeypatch.setattr("judging.engine.shards.batches", lambda results: 1 / 0)
    run = runs.create_run(judged[0].judge, judged[0].project.responses.all(), round=2)
    for shard in runs.start_here(run):
        with pytest.raises(ZeroDivisionError) as unforeseen:
            work_through(shard)
        logging.getLogger("celery.app.trace").exception("Task raised", exc_info=unforeseen.value)
        assert not holds_canary(str(unforeseen.getrepr(showlocals=True)))
    assert "Task raised" in caplog.text
    assert not holds_canary(repr(endpoint(judged[0].judge.provider)))
    assert not holds_canary(caplog.text)


def test_it_stands_in_no_message_and_no_file(judged, django_capture_on_commit_callbacks):
    folder = Path(settings.DATA_DIR)
    (folder / "broker" / "control").mkdir(parents=True, exist_ok=True)
    with django_capture_on_commit_callbacks(execute=True):
        runs.start(runs.create_run(judged[0].judge, judged[0].project.responses.all(), round=3))
    if settings.REDIS_URL:
        import redis

        messages = redis.Redis.from_url(settings.REDIS_URL).lrange("calls", 0, -1)
    else:
        messages = [path.read_bytes() for path in folder.glob("broker/*.msg")]
    assert messages
    assert not any(map(holds_canary, messages))
    for path in folder.rglob("*"):
        assert not (path.is_file() and holds_canary(content_of(path))), path


def test_it_stands_in_no_export_and_on_no_page(judged, nour, ada, project, capsys):
    lead, administrator = signed_in(nour), signed_in(ada)
    pages = ["gold/file/", "gold/", "gold/card/", "results/", "responses/", "judges/", "audit/"]
    pages += [f"judges/{run.judge_id}/" for run in judged]
    pages += [f"judges/runs/{run.uuid}/{part}" for run in judged for part in ("", "calls/")]
    for page in pages:
        answer = lead.get(f"/p/{project.slug}/{page}")
        assert answer.status_code == 200, page
        assert not holds_canary(answer.getvalue()), page
    api = [f"/api/v1/projects/{project.slug}/{part}/" for part in ("runs", "responses", "raters", "gold", "agreement")]
    api += [f"/api/v1/projects/{project.slug}/runs/{run.uuid}/" for run in judged]
    for address in api:
        answer = lead.get(address)
        assert answer.status_code == 200, address
        assert not holds_canary(answer.getvalue()), address
    for address in ("/providers/", f"/providers/{judged[0].judge.provider_id}/"):
        assert not holds_canary(administrator.get(address).content)
    call_command("agreement", project.slug, "--json")
    call_command("export_gold", project.slug)
    assert not holds_canary(capsys.readouterr().out)


@pytest.mark.parametrize("shown", [True, False])
def test_it_stands_on_no_page_of_an_error(shown, judged, nour, project, monkeypatch, caplog, settings):
    """Where the unforeseen happens while a page is made, in production and with Django's own report of it."""
    settings.DEBUG = shown

    def unforeseen(run):
        key = endpoint(run.judge.provider)
        raise ZeroDivisionError(repr(key))

    monkeypatch.setattr("judging.views.runs.progress", unforeseen)
    lead = signed_in(nour)
    lead.raise_request_exception = False
    answer = lead.get(f"/p/{project.slug}/judges/runs/{judged[0].uuid}/")
    assert answer.status_code == 500
    assert not holds_canary(answer.content)
    assert "ZeroDivisionError" in caplog.text
    assert not holds_canary(caplog.text)


# --- The scrubbing taken away -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "scrubs", "as_it_came", "table"),
    [
        (Endpoint, "without_key", lambda self, content: content, "judging_call"),
        (Endpoint, "words_without_key", lambda self, text: text, "judging_call"),
        (Endpoint, "without_key", lambda self, content: content, "providers_servedmodel"),
    ],
    ids=["bodies", "complaints", "tests of models"],
)
def test_the_search_finds_what_is_not_scrubbed(where, scrubs, as_it_came, table, project, gateway, nour, monkeypatch):
    """Of bodies that are kept word for word, of complaints that become a call's problem, of what a test found."""
    monkeypatch.setattr(where, scrubs, as_it_came)
    made = run_with_every_fault(project, gateway)
    assert table in tables_with_canary()
    if table == "judging_call":
        lead = signed_in(nour)
        shown = [lead.get(f"/p/{project.slug}/judges/runs/{run.uuid}/calls/").content for run in made]
        assert any(b"canary" in page for page in shown)


def test_the_search_finds_a_key_that_an_endpoint_shows(gateway, monkeypatch):
    assert not holds_canary(repr(endpoint(gateway)))
    monkeypatch.setattr(Endpoint, "__repr__", lambda self: f"Endpoint({self.key!r})")
    assert holds_canary(repr(endpoint(gateway)))


def test_a_redirect_is_not_followed(judged, httpserver):
    """The key is sent to the host that was configured and to no other."""
    assert {request.path for request, _ in httpserver.log} == {"/v1/chat/completions"}


def test_no_variable_of_this_process_is_needed(judged):
    assert KEY_NAME not in os.environ
