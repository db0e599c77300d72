"""The floor of saving: one Django view, one insert, commit; no session, no CSRF, no check. Not part of the product.

Its table is made when the server starts, beside the product's own, in the benches' throw-away database.
"""

import json

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, JsonResponse
from django.urls import path

import config.settings as product

settings.configure(
    DATABASES=product.DATABASES,
    SECRET_KEY=product.SECRET_KEY,
    ALLOWED_HOSTS=["localhost", "127.0.0.1"],
    ROOT_URLCONF=__name__,
    DEFAULT_AUTO_FIELD=product.DEFAULT_AUTO_FIELD,
    USE_TZ=True,
)
application = get_wsgi_application()

from django.db import connection, models, transaction  # noqa: E402


class Entry(models.Model):
    text = models.TextField()

    class Meta:
        app_label = "bare"

    def __str__(self) -> str:
        return self.text


def make_table() -> None:
    kind = "bigserial PRIMARY KEY" if connection.vendor == "postgresql" else "integer PRIMARY KEY AUTOINCREMENT"
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_advisory_xact_lock(1)")  # both server processes start at once
        cursor.execute(f"CREATE TABLE IF NOT EXISTS bare_entry (id {kind}, text text NOT NULL)")


def insert(request: HttpRequest) -> JsonResponse:
    with transaction.atomic():
        entry = Entry._default_manager.create(text=json.loads(request.body)["text"])
    return JsonResponse({"id": entry.pk})


urlpatterns = [path("", insert)]
make_table()
