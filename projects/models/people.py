"""Who takes part: accounts, roles in a project, invitations, tokens, and raters of both kinds."""

import hashlib
import secrets
import uuid
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

# No letters that are read for one another: a pseudonym is said aloud and typed by hand.
PSEUDONYM_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def new_pseudonym() -> str:
    return "r-" + "".join(secrets.choice(PSEUDONYM_ALPHABET) for _ in range(8))


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """An account. An administrator of the installation is a superuser; all else is a role in a project."""

    email = models.EmailField(_("email address"), unique=True)
    name = models.CharField(_("name"), max_length=120, blank=True)
    interface_language = models.CharField(max_length=8, blank=True)
    # As the person chose it, else as their browser told when they first worked (projects/zones.py).
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    # What the bar of every page shows; counted where notices are written and read (notices/telling.py).
    unread_notices = models.PositiveIntegerField(default=0, db_default=0)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()
    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        # Addresses are kept in lower case, so that unique means unique to people too.
        constraints = [models.CheckConstraint(condition=Q(email=Lower("email")), name="user_email_lower")]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def is_administrator(self) -> bool:
        return self.is_active and self.is_superuser


class Role(models.TextChoices):
    ANNOTATOR = "annotator", _("Annotator")
    VALIDATOR = "validator", _("Validator")
    AUTHOR = "author", _("Author")
    LEAD = "lead", _("Lead")


class Membership(models.Model):
    """One role of one person in one project; several roles are several rows."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user", "role"], name="membership_unique"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


def digest(token: str) -> str:
    """Tokens are long and random, so a plain hash keeps them; the token itself is shown once and not stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def invitation_expiry() -> datetime:
    return timezone.now() + timedelta(days=14)


class Invitation(models.Model):
    """The only way to an account besides the administrator's command."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="invitations")
    email = models.EmailField(_("email address"))
    name = models.CharField(_("name"), max_length=120, blank=True)
    roles = models.JSONField(default=list)
    varieties = models.ManyToManyField("projects.LanguageVariety", blank=True)
    is_expert = models.BooleanField(default=False)
    token_digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(default=invitation_expiry)
    accepted_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                F("project"),
                condition=Q(accepted_at=None, withdrawn_at=None),
                name="invitation_one_open_per_address",
            )
        ]

    def __str__(self) -> str:
        return f"{self.email} ({self.project})"

    @property
    def is_open(self) -> bool:
        return self.accepted_at is None and self.withdrawn_at is None and self.expires_at > timezone.now()


class ApiToken(models.Model):
    """A key of one person for programs; it can do what that person can."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name

    @classmethod
    def issue(cls, user: User, name: str) -> tuple["ApiToken", str]:
        """Return the row and the token; the token is not kept and cannot be shown again."""
        token = "mizan_" + secrets.token_urlsafe(32)
        return cls.objects.create(user=user, name=name, digest=digest(token)), token


class RaterKind(models.TextChoices):
    HUMAN = "human", _("Person")
    JUDGE = "judge", _("Judge")


class Rater(models.Model):
    """Whoever answers items in a project: a person with an account, a person who worked elsewhere, a judge."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="raters")
    kind = models.CharField(max_length=8, choices=RaterKind.choices)
    name = models.CharField(max_length=120)
    pseudonym = models.CharField(max_length=32, default=new_pseudonym)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="raters")
    varieties = models.ManyToManyField("projects.LanguageVariety", blank=True, related_name="raters")
    is_expert = models.BooleanField(default=False)
    # Of a judge: the model as its provider names it, the laboratory behind it, whether it is simulated.
    model = models.CharField(max_length=200, blank=True)
    laboratory = models.ForeignKey("projects.Laboratory", models.PROTECT, null=True, blank=True, related_name="judges")
    is_simulated = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    # Several judges as one: such a rater names no model and no laboratory, which are its members'. What it says is
    # made of what they said, so it is never counted as one judge more where judges are put together.
    PANELS = Q(kind=RaterKind.JUDGE, model="", laboratory=None)

    class Meta:
        ordering = ["kind", "name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "kind", "name"], name="rater_name_unique"),
            models.UniqueConstraint(fields=["project", "pseudonym"], name="rater_pseudonym_unique"),
            models.UniqueConstraint(
                fields=["project", "user"], condition=Q(user__isnull=False), name="rater_one_per_person"
            ),
            models.CheckConstraint(condition=Q(kind__in=RaterKind.values), name="rater_kind_known"),
            models.CheckConstraint(
                condition=Q(kind=RaterKind.JUDGE, user=None)
                | Q(kind=RaterKind.HUMAN, model="", laboratory=None, is_simulated=False),
                name="rater_fields_fit_kind",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_panel(self) -> bool:
        return is_panel(self.kind, self.model, self.laboratory_id)


class PanelLaboratory(models.Model):
    """A laboratory behind a member of several judges as one that came with an imported study, for what they said of a
    target model.

    Such a rater names no laboratory of its own. Where a member's is that of the model, as the project has it, what the
    panel said of the model is marked, and figures leave it out (projects/own_laboratories.py). A panel of this
    installation has none: who may not judge a response takes no part in its answer.
    """

    rater = models.ForeignKey(Rater, models.CASCADE, related_name="member_laboratories")
    target_model = models.ForeignKey("projects.TargetModel", models.CASCADE, related_name="+")
    laboratory = models.ForeignKey("projects.Laboratory", models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "panel laboratories"
        constraints = [
            models.UniqueConstraint(fields=["rater", "target_model", "laboratory"], name="panel_laboratory_once")
        ]

    def __str__(self) -> str:
        return f"{self.laboratory_id} in {self.rater_id} of {self.target_model_id}"


def is_panel(kind: str, model: str, laboratory: object) -> bool:
    """Of a rater's columns: whether it is several judges as one, as `Rater.PANELS` finds them."""
    return kind == RaterKind.JUDGE and not model and not laboratory
