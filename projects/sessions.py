"""Sessions in the database, read with SQL that is made once: every page and every save begins with one."""

from datetime import timedelta

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.db.models import CharField, DateTimeField, Exists, OuterRef, QuerySet
from django.utils import timezone

from projects.prepared import Given, Prepared

OPEN = Prepared(
    lambda: Session.objects.filter(session_key=Given("key", CharField()), expire_date__gt=Given("now", DateTimeField()))
)

# So many rows one statement removes: others write in between.
AT_ONCE = 500


class SessionStore(DatabaseStore):
    """No cache: a session that was ended while the cache was away must not come back with it."""

    def _get_session_from_db(self) -> Session | None:
        key = self.session_key
        session = OPEN.first(key=key, now=timezone.now()) if key else None
        if session is None:
            self._session_key = None  # one that somebody made up is never taken over
        return session


def remove_ended() -> int:
    """Remove sessions that have ended, and the lines of people's lists of sessions that stood for them."""
    from allauth.usersessions.models import UserSession  # no model can be loaded when this module is

    now = timezone.now()
    removed = remove(Session.objects.filter(expire_date__lt=now))
    there = Session.objects.filter(session_key=OuterRef("session_key"))
    # One that has just begun may not be stored yet.
    remove(UserSession.objects.filter(~Exists(there), last_seen_at__lt=now - timedelta(hours=1)))
    return removed


def remove(rows: QuerySet) -> int:
    removed = 0
    while pks := list(rows.order_by().values_list("pk", flat=True)[:AT_ONCE]):
        removed += rows.model._base_manager.filter(pk__in=pks).delete()[0]
    return removed
