"""Telling people something: a row for each who wants to know, and how many of them they have not read."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Count, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from notices.models import Mail, Notice, NoticeSwitch
from projects.chunks import in_chunks
from projects.models import Project, User


def tell(
    people: Collection[int],
    kind: str,
    project: Project,
    key: str,
    path: str,
    stage: str = "",
    moment: datetime | None = None,
) -> None:
    """Tell these people (ids of users) of one thing, each by the ways they chose; who was told of it already is not
    told again. Within the caller's transaction: what did not happen is not told either.

    key   of what is told, the same for all of them. path   the page that it is about.
    """
    with transaction.atomic():
        for chunk in in_chunks(people):
            # One at a time writes how many somebody has not read; locks are taken in the order of ids.
            here = User.objects.filter(pk__in=chunk, is_active=True).order_by("pk")
            present = list(here.select_for_update(no_key=True).values_list("pk", flat=True))
            switches = {
                switch.person_id: switch for switch in NoticeSwitch.objects.filter(person__in=present, kind=kind)
            }
            notices = []
            for person in present:
                switch = switches.get(person) or NoticeSwitch()
                if switch.on_page or switch.by_mail:
                    notices.append(
                        Notice(
                            person_id=person,
                            project=project,
                            kind=kind,
                            key=key,
                            stage=stage,
                            path=path,
                            moment=moment,
                            is_shown=switch.on_page,
                            mail=Mail.DUE if switch.by_mail else Mail.NONE,
                        )
                    )
            Notice.objects.bulk_create(notices, ignore_conflicts=True)
            count_unread(present)


def count_unread(people: Collection[int]) -> None:
    """Write what the bar of every page shows; counted anew, so that it is never out by what went wrong once. The caller
    holds the people's rows."""
    unread = Notice.objects.filter(person=OuterRef("pk"), is_shown=True, read_at=None).order_by().values("person")
    number = Coalesce(Subquery(unread.annotate(n=Count("pk")).values("n")), 0, output_field=IntegerField())
    User.objects.filter(pk__in=people).update(unread_notices=number)


def put_away(person: User, pk: int | None = None) -> None:
    """The person has read one notice, or all of them."""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        mine = Notice.objects.filter(person=person, read_at=None)
        (mine if pk is None else mine.filter(pk=pk)).update(read_at=timezone.now())
        count_unread([person.pk])
