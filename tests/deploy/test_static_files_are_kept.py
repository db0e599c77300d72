"""A browser fetches a script, a style or a font once: their names change with what is in them."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.http import HttpResponse
from django.test import RequestFactory
from whitenoise.middleware import WhiteNoiseMiddleware

pytestmark = pytest.mark.django_db  # a response that is closed lets go of the database

FILES = {
    "app.js": "console.log('words');\n" * 100,
    "fonts.css": "@font-face { font-family: Words; src: url('fonts/words.woff2') }\n" * 20,
    "fonts/words.woff2": "wOF2" + "no words " * 200,
}


@pytest.fixture
def server(tmp_path, settings) -> WhiteNoiseMiddleware:
    """As a server of an installation serves them: collected, hashed and compressed beforehand."""
    for name, content in FILES.items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"
    storage = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": storage}
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = False
    settings.WHITENOISE_KEEP_ONLY_HASHED_FILES = False
    call_command("collectstatic", "--noinput", verbosity=0)
    return WhiteNoiseMiddleware(lambda _request: HttpResponse("no such file", status=404))


def fetched(server: WhiteNoiseMiddleware, address: str, accepted: str = ""):
    return server(RequestFactory().get(address, headers={"Accept-Encoding": accepted}))


def max_age(response) -> int:
    found = re.search(r"max-age=(\d+)", response.headers["Cache-Control"])
    assert found
    return int(found[1])


@pytest.mark.parametrize("name", FILES)
def test_under_the_name_of_its_content_a_file_is_kept_for_good(server, name):
    address = staticfiles_storage.url(name)
    assert re.search(r"\.[0-9a-f]{12}\.", address)
    response = fetched(server, address)
    assert response.status_code == 200
    assert "immutable" in response.headers["Cache-Control"]
    assert "public" in response.headers["Cache-Control"]
    assert max_age(response) >= 31_536_000
    response.close()


@pytest.mark.parametrize("name", FILES)
def test_under_its_plain_name_it_is_asked_for_again(server, name):
    response = fetched(server, f"/static/{name}")
    assert response.status_code == 200
    assert "immutable" not in response.headers["Cache-Control"]
    assert max_age(response) <= 60
    response.close()


def test_a_style_names_its_font_by_content(server):
    style = b"".join(fetched(server, staticfiles_storage.url("fonts.css")).streaming_content).decode()
    [font] = set(re.findall(r"""url\(["']?(.*?)["']?\)""", style))
    assert re.fullmatch(r"fonts/words\.[0-9a-f]{12}\.woff2", font)
    assert fetched(server, f"/static/{font}").status_code == 200


@pytest.mark.parametrize(("accepted", "coding"), [("gzip, br", "br"), ("gzip", "gzip"), ("", None)])
def test_text_was_compressed_beforehand_and_fonts_are_not_compressed_again(server, accepted, coding):
    script = fetched(server, staticfiles_storage.url("app.js"), accepted)
    assert script.headers.get("Content-Encoding") == coding
    assert "Accept-Encoding" in script.headers["Vary"]
    font = fetched(server, staticfiles_storage.url("fonts/words.woff2"), accepted)
    assert "Content-Encoding" not in font.headers


def test_the_application_serves_hashed_names_by_default():
    settings = Path(__file__).resolve().parents[2] / "config" / "settings"
    assert 'STATIC_HASHED = env.bool("STATIC_HASHED", default=True)' in (settings / "files.py").read_text()
    application = (settings / "application.py").read_text()
    order = [application.index(name) for name in ("whitenoise.middleware.WhiteNoise", "config.compression.Compression")]
    assert order == sorted(order), "files that are compressed already never reach the compression"
