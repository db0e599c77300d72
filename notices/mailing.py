"""Notices by mail: all that one person has not read in one mail, an hour apart at the least, and none of them twice."""

from datetime import timedelta
from email.utils import make_msgid
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.working import Held
from notices.models import Mail, Notice
from projects.chunks import in_chunks
from projects.models import Membership, User

#: Between two mails to one person; and after so long a notice that could not be sent is not news any more.
APART, STALE = timedelta(hours=1), timedelta(days=3)
MOST_IN_A_MAIL = 20
MOST_PEOPLE = 500


def due() -> QuerySet[Notice]:
    """Notices to be mailed: not read meanwhile, no older than STALE, to people who are still in the project."""
    member = Membership.objects.filter(project=OuterRef("project"), user=OuterRef("person"))
    since = timezone.now() - STALE
    return Notice.objects.filter(
        Exists(member), mail=Mail.DUE, read_at=None, created_at__gte=since, person__is_active=True
    )


def post() -> int:
    """A job for each person to whom a mail is due; how many. Called by the clock."""
    lately = Notice.objects.filter(person=OuterRef("person"), mailed_at__gt=timezone.now() - APART)
    people = due().filter(~Exists(lately)).order_by("person").values_list("person", flat=True).distinct()[:MOST_PEOPLE]
    number = 0
    for person in people:
        add_job(SendNotices.name, options={"person": person}, key=f"person-{person}")
        number += 1
    return number


class SendNotices(JobKind):
    """One mail to one person. The notices are taken first, so that no second worker can send them; a mail that was
    refused is tried again, one that a worker died over is not: it may have gone."""

    name, label = "notices", _("Notices by mail")
    can_pause = False

    def run(self, held: Held) -> dict[str, Any]:
        person = User.objects.filter(pk=held.job.options["person"], is_active=True).first()
        taken = take(person) if person is not None else []
        if person is None or not taken:
            return {"notices": 0}
        ids = [notice.pk for notice in taken]
        try:
            message(person, taken).send()
        except Exception:
            settle(ids, mail=Mail.DUE)
            raise
        settle(ids, mail=Mail.SENT, mailed_at=timezone.now())
        return {"notices": len(taken)}


@transaction.atomic
def take(person: User) -> list[Notice]:
    """The person's due notices, the oldest first, now in this worker's hands alone; none where a mail went lately."""
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if Notice.objects.filter(person=person, mailed_at__gt=timezone.now() - APART).exists():
        return []
    taken = list(due().filter(person=person).select_related("project", "person").order_by("pk"))
    settle([notice.pk for notice in taken], mail=Mail.SENDING)
    return taken


def settle(ids: list[int], **state: Any) -> None:
    for chunk in in_chunks(ids):
        Notice.objects.filter(pk__in=chunk).update(**state)


def message(person: User, notices: list[Notice]) -> EmailMessage:
    """The mail in the person's language; of many notices the first, and how many more there are."""
    with translation.override(person.interface_language or settings.LANGUAGE_CODE):
        lines = [f"{notice.words}\n{address(notice.path)}" for notice in notices[:MOST_IN_A_MAIL]]
        if more := len(notices) - MOST_IN_A_MAIL:
            lines += [ngettext("And %(n)d more.", "And %(n)d more.", more) % {"n": more}] if more > 0 else []
        switches = gettext("Which of these you get you choose here:") + "\n" + address("/notices/switches/")
        subject = notices[0].words if len(notices) == 1 else gettext("News from Mizan: %(n)d") % {"n": len(notices)}
        return EmailMessage(
            " ".join(subject.split()),
            "\n\n".join([*lines, switches]),
            to=[person.email],
            headers={"Message-ID": make_msgid(f"notices-{notices[-1].pk}"), "Auto-Submitted": "auto-generated"},
        )


def address(path: str) -> str:
    return settings.PUBLIC_URL.rstrip("/") + path
