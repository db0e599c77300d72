"""What is done with notices where the tables go back to a version from before. For migrations only."""

from collections.abc import Callable

from django.apps.registry import Apps
from django.conf import settings
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce


def forget(*kinds: str) -> Callable:
    """A version from before knows no such notices and its tables refuse them: they go, with their switches, and the bar
    of every page counts them no more."""

    def backwards(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
        notices = apps.get_model("notices", "Notice").objects
        notices.filter(kind__in=kinds).delete()
        apps.get_model("notices", "NoticeSwitch").objects.filter(kind__in=kinds).delete()
        unread = notices.filter(person=OuterRef("pk"), is_shown=True, read_at=None).order_by().values("person")
        number = Coalesce(Subquery(unread.annotate(n=Count("pk")).values("n")), 0, output_field=IntegerField())
        apps.get_model(settings.AUTH_USER_MODEL).objects.filter(unread_notices__gt=0).update(unread_notices=number)

    return backwards
