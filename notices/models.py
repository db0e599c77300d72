"""What people are told, and by which ways each of them wants to be."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from notices.kinds import Kind, sentence
from projects.models import Project
from projects.zones import zone_of


class Mail(models.TextChoices):
    """How far the mail about a notice is. One that a worker was sending when it died stays so: it may have gone."""

    NONE = "none"
    DUE = "due"
    SENDING = "sending"
    SENT = "sent"


class Notice(models.Model):
    """One thing that one person is told. `key` says of what: the same is told once, however often it is found out.

    `path` is the page that it is about, within this installation; `stage` is the name of a stage, or empty;
    `moment` is when something is due.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    project = models.ForeignKey(Project, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    key = models.CharField(max_length=80)
    stage = models.CharField(max_length=80, blank=True)
    path = models.CharField(max_length=300)
    moment = models.DateTimeField(null=True, blank=True)
    is_shown = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)
    mail = models.CharField(max_length=7, choices=Mail.choices, default=Mail.NONE)
    mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["person", "kind", "key"], name="notice_told_once"),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="notice_kind_known"),
            models.CheckConstraint(condition=Q(mail__in=Mail.values), name="notice_mail_known"),
            models.CheckConstraint(
                condition=Q(mail=Mail.SENT, mailed_at__isnull=False) | (~Q(mail=Mail.SENT) & Q(mailed_at=None)),
                name="notice_mailed_at",
            ),
        ]
        indexes = [
            models.Index(fields=["person", "-id"], name="notices_of_person"),
            models.Index(fields=["person", "created_at"], condition=Q(mail=Mail.DUE), name="notices_to_mail"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.kind} {self.key}"

    @property
    def words(self) -> str:
        moment = f"{self.moment.astimezone(zone_of(self.person)):%Y-%m-%d %H:%M}" if self.moment else ""
        return sentence(self.kind, self.project.name, self.stage, moment)


class NoticeSwitch(models.Model):
    """How a person wants to be told of one kind of thing. Without a row: on the page and by mail."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_switches")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    on_page = models.BooleanField(default=True)
    by_mail = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "kind"], name="notice_switch_once"),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="notice_switch_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.kind}"
