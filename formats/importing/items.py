"""Items: prompts with the responses that target models gave, one response a record, and pairs of them."""

from collections.abc import Collection, Sequence
from uuid import uuid4

from django.db.models import Exists, Max, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.importing.laboratories import find_laboratory, laboratory_slug
from formats.importing.pairs import PAIR, PairBook
from formats.importing.prompts import PromptBook
from formats.importing.registry import Beginning, Importer
from formats.importing.renewing import Renewal
from formats.item import FORMAT, Item
from formats.problems import ProblemLog
from formats.reading import Record
from formats.records import fields_of
from projects import anchors
from projects.insertion import as_json, insert_rows
from projects.laboratories import laboratories_of
from projects.models import Laboratory, ModelLaboratory, Project, Prompt, Response, ResponsePair, TargetModel

ITEM_FIELDS = fields_of(Item)
# In the order of the rows in `Items.store`.
RESPONSE_FIELDS = (
    "uuid",
    "project",
    "prompt",
    "target_model",
    "variety",
    "key",
    "text",
    "text_sha256",
    "metadata",
    "created_at",
    "came_with",
    "earlier",
)


class Items(Importer):
    """Stores prompts, target models with their laboratories, responses, and pairs of them.

    `fields` are those that a line can have: a prompt may not say less of itself on one line than on another.
    """

    kind = "items"
    name = gettext_lazy("Prompts and responses")
    fills = (Prompt, Response, ResponsePair)
    format = FORMAT
    beginning = Beginning(
        gettext_lazy("Nothing to mark yet"),
        gettext_lazy(
            "Begin with a file of prompts and responses, one response a line. Check it first; checking stores nothing."
        ),
        lambda project: project.responses.exists(),
    )

    # Whether a line may renew a response that the project has under its id; else it is refused.
    renews = True

    def __init__(self, project: Project, problems: ProblemLog, fields: Collection[str] = ITEM_FIELDS):
        super().__init__(project, problems)
        self.prompts = PromptBook(project, problems, self.counts, fields)
        self.pairs = PairBook(project, problems, self.counts)
        self.models: dict[str, TargetModel] = {}
        # By the model's id, of those whose laboratory is another in this project than in the installation.
        self.own = laboratories_of(project)
        self.slugs: dict[int, str] = {}
        self.in_project: set[int] = set()
        # Rows beyond this came with this file: an id that is found there stands in the file twice.
        self.last_before = Response.objects.filter(project=project).aggregate(last=Max("id"))["last"] or 0
        self.renewal = Renewal(project, problems, self.counts, self.last_before)

    def store(self, batch: Sequence[Record]) -> None:
        self.prompts.origin = self.pairs.origin = self.origin
        self.pairs.renews = self.renews
        items = [record for record in batch if record.fields.get("kind") != PAIR]
        stored = self._store_items(items)
        self.pairs.store([record for record in batch if record.fields.get("kind") == PAIR], stored)

    def _store_items(self, batch: Sequence[Record]) -> dict[str, int]:
        """Write the responses; return the line of each by its id."""
        batch = [record for record in batch if self.prompts.is_known(record)]
        self._find_models(batch)
        batch = [record for record in batch if self._model_fits(record)]
        renewed = self._renewed()
        batch = self._without_taken_ids(batch)
        prompts = self.prompts.prompts_of(batch)
        now, came_with = timezone.now(), self.origin.pk if self.origin and prompts else None
        responses = [
            (
                uuid4(),
                self.project.pk,
                prompt.pk,
                self.models[record.fields["model"]].pk,
                self.prompts.varieties[record.fields["variety"]].pk,
                record.fields["id"],
                record.fields["response"],
                anchors.sha256(record.fields["response"]),
                as_json(record.fields.get("metadata")),
                now,
                came_with,
                self.renewal.earlier.get(record.fields["id"]),
            )
            for record, prompt in prompts
        ]
        insert_rows(Response, RESPONSE_FIELDS, responses)
        self.counts["responses"] += len(responses) - (self._renewed() - renewed)
        return {record.fields["id"]: record.line for record, _prompt in prompts}

    # --- Target models and laboratories ---

    def _find_models(self, batch: Sequence[Record]) -> None:
        """Fetch the target models that the batch names, and create those that are not there yet."""
        wanted = {record.fields["model"]: record for record in reversed(batch)}
        missing = wanted.keys() - self.models.keys()
        if not missing:
            return
        known = list(TargetModel.objects.filter(name__in=missing).select_related("laboratory"))
        answered = Response.objects.filter(project=self.project, target_model=OuterRef("pk"))
        here = TargetModel.objects.filter(Exists(answered), pk__in=[model.pk for model in known])
        self.in_project |= set(here.values_list("pk", flat=True))
        for model in known:
            self.models[model.name] = model
            self._take_word_for(model, wanted[model.name].fields["laboratory"])
        for model_name in sorted(missing - self.models.keys()):
            laboratory, is_new = find_laboratory(wanted[model_name].fields["laboratory"])
            self.counts["laboratories"] += is_new
            if laboratory:
                self.models[model_name] = TargetModel.objects.create(name=model_name, laboratory=laboratory)
                self.counts["target models"] += 1

    def _take_word_for(self, model: TargetModel, said: str) -> None:
        """Where the project has no response of the model yet, the file says whose it is: for this project alone."""
        if model.pk in self.in_project or model.pk in self.own or self._slug_of(model) == laboratory_slug(said):
            return
        laboratory, is_new = find_laboratory(said)
        self.counts["laboratories"] += is_new
        if laboratory:
            ModelLaboratory.objects.create(project=self.project, target_model=model, laboratory=laboratory)
            self.own[model.pk] = laboratory.pk

    def _slug_of(self, model: TargetModel) -> str:
        if model.pk not in self.own:
            return laboratory_slug(model.laboratory.slug)
        if self.own[model.pk] not in self.slugs:
            self.slugs |= dict(Laboratory.objects.filter(pk__in=self.own.values()).values_list("pk", "slug"))
        return laboratory_slug(self.slugs[self.own[model.pk]])

    def _model_fits(self, record: Record) -> bool:
        model = self.models.get(record.fields["model"])
        slug = laboratory_slug(record.fields["laboratory"])
        if not slug:
            message = _("A laboratory's name needs a letter from a to z or a digit.")
            self.problems.say(record.line, "laboratory_name", message, "laboratory")
        elif model is not None and self._slug_of(model) != slug:
            message = _(
                "The model “%(model)s” is one of %(laboratory)s in this project. Say the same here, or have the lead "
                "settle it under Laboratories."
            )
            names = {"model": model.name, "laboratory": self._slug_of(model)}
            self.problems.say(record.line, "other_laboratory", message % names, "laboratory")
        else:
            return model is not None
        return False

    # --- Responses already there ---

    def _without_taken_ids(self, batch: Sequence[Record]) -> list[Record]:
        stored = self.renewal.stored([record.fields["id"] for record in batch])
        lines: dict[str, int] = {}
        free: list[Record] = []
        again: list[tuple[Record, Response]] = []
        for record in batch:
            key = record.fields["id"]
            if key in lines:
                message = _("This id stands on line %(line)d already.") % {"line": lines[key]}
                self.problems.say(record.line, "duplicate_id", message, "id")
            elif key not in stored:
                free.append(record)
            elif self.renews:
                again.append((record, stored[key]))
            else:
                self.problems.say(record.line, *self._already_there(record, stored[key]), "id")
            lines.setdefault(key, record.line)
        return sorted([*free, *self.renewal.settle(again)], key=lambda record: record.line)

    def _renewed(self) -> int:
        """Responses that came in the place of others, or as their new versions: they are counted as such."""
        return self.renewal.stored_anew

    def _already_there(self, record: Record, stored: Response) -> tuple[str, str]:
        if stored.pk > self.last_before:
            return "duplicate_id", _("This id stands on an earlier line already.")
        if stored.text_sha256 == anchors.sha256(record.fields["response"]):
            return "already_there", _("A response with this id and text is already in the project.")
        return "already_there_differs", _("A response with this id and another text is already in the project.")
