"""A project: what it is for, what its people read before they begin, and the record of what was done in it."""

from functools import cached_property

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.audit_words import in_words
from projects.models.people import Membership, User
from projects.models.texts import LanguageVariety


def areas_of_spans() -> list[str]:
    return ["spans"]


class ProjectQuerySet(models.QuerySet["Project"]):
    def visible_to(self, user: User | AnonymousUser) -> "ProjectQuerySet":
        """The projects a person may know of; all others do not exist for them."""
        if not user.is_active:
            return self.none()
        if user.is_superuser:
            return self
        return self.filter(pk__in=Membership.objects.filter(user=user).values("project"))


class Project(models.Model):
    slug = models.SlugField(_("short name"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=120)
    description = models.TextField(_("description"), blank=True)
    preset = models.CharField(_("preset"), max_length=20, default="spans")
    # The areas whose pages and steps it shows: its preset's own, and those of the kinds of work added to it since.
    areas = models.JSONField(default=areas_of_spans)
    guidelines = models.TextField(_("guidelines"), blank=True, help_text=_("Markdown"))
    guidelines_version = models.PositiveIntegerField(default=1)
    # The tag of the language that the main text is in; empty where nobody has said. The version in which that text last
    # became another. Of each translation that holds, by its tag, the version it was written with: with these no page
    # looks for translations where there are none (projects/guidelines.py keeps them).
    guidelines_language = models.CharField(max_length=100, blank=True, default="", db_default="")
    guidelines_text_version = models.PositiveIntegerField(default=1, db_default=1)
    guidelines_translations = models.JSONField(default=dict, blank=True, db_default={})
    ask_category = models.BooleanField(_("annotators choose a category"), default=False)
    show_target_model = models.BooleanField(_("annotators see which model wrote a response"), default=False)
    forbid_repeats = models.BooleanField(
        _("do not offer “The same words again”"),
        default=False,
        db_default=False,
        help_text=_("Else whoever has marked words can go through their other places and confirm each."),
    )
    only_validated_prompts = models.BooleanField(
        _("models are asked validated prompts alone"),
        default=False,
        db_default=False,
        help_text=_("Localisations and drafts that no native speaker has looked at wait."),
    )
    # As projects/explanations.py has it; judges take it over where they are set up without one of their own.
    explanation_language = models.CharField(
        _("language of explanations"),
        max_length=35,
        blank=True,
        default="",
        db_default="",
        help_text=_("In which people explain what they find. Judges that are added explain in it too."),
    )
    # How many sets of content notes its prompts carry; most projects have none, and their claims ask for none.
    note_sets = models.PositiveIntegerField(default=0, db_default=0)
    # Of what leaves as a data set: the card of gold and of the folder, the heads of files that have room for it.
    licence = models.CharField(
        _("licence of the data"),
        max_length=120,
        blank=True,
        help_text=_("As an identifier such as CC-BY-4.0, or in words. It stands in every dataset card."),
    )
    citation = models.TextField(
        _("how to cite the data"), blank=True, help_text=_("A reference or BibTeX. It stands in every dataset card.")
    )
    is_generated = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    # The roles of the person for whom `access.fetch_project` found it; empty where it came another way.
    viewer_roles: frozenset[str] = frozenset()

    objects = ProjectQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.CheckConstraint(condition=~Q(slug=""), name="project_slug_present")]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def short_names(self) -> dict[int, str]:
        """Its own short names of language varieties, by the variety's id."""
        return dict(self.varieties.exclude(short_name="").values_list("variety", "short_name"))

    def calls(self, variety: LanguageVariety) -> str:
        """What tables of this project call a variety: its short name here, else its tag."""
        return self.short_names.get(variety.pk) or variety.tag


class AuditEvent(models.Model):
    """What was done, by whom, to what. Rows are only ever added; the database refuses anything else."""

    project = models.ForeignKey(Project, models.DO_NOTHING, null=True, related_name="audit_events", db_constraint=False)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, related_name="+", db_constraint=False
    )
    action = models.CharField(max_length=60)
    subject = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["project", "-id"], name="audit_newest_first")]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}"

    @property
    def in_words(self) -> str:
        return in_words(self.action)
