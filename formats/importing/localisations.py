"""The importer of localisations: a template in one language variety a line, made elsewhere; each makes its prompt."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.importing.prompts import PromptBook
from formats.importing.raters import RaterBook
from formats.importing.registry import Importer
from formats.importing.rows_of_imports import Afterwards, CameWith, RowsOf, remove_strangers
from formats.localisation import FORMAT
from formats.problems import ProblemLog
from formats.reading import Record
from projects import placeholders
from projects.localising import (
    already_there,
    finished,
    problems_of,
    prompt_key,
)
from projects.models import Import, LanguageVariety, Localisation, Project, Prompt, PromptTemplate, Rater


class RowsOfLocalisations(RowsOf):
    """Localisations with the prompts that they made, and who is known by nothing else."""

    def __init__(self) -> None:
        super().__init__(CameWith(Localisation, "prompt__came_with"), CameWith(Prompt))

    def before(self, brought: Import) -> Afterwards:
        made = Localisation.objects.filter(prompt__came_with=brought, rater__isnull=False)
        raters = set(made.order_by().values_list("rater", flat=True).distinct())
        return lambda: remove_strangers(raters)


class Localisations(Importer):
    """Stores localisations with the prompts they make."""

    kind = "localisations"
    name = gettext_lazy("Localisations: templates in a language, with their local values")
    fills = (Prompt, Localisation)
    format = FORMAT
    rows = RowsOfLocalisations()

    def __init__(self, project: Project, problems: ProblemLog):
        super().__init__(project, problems)
        self.varieties = PromptBook(project, problems, self.counts)
        self.raters = RaterBook(project, problems)
        self.lines: dict[tuple[int, int], int] = {}

    def store(self, batch: Sequence[Record]) -> None:
        batch = [record for record in batch if self.varieties.varieties_known(record)]
        templates = self._templates(batch)
        there = set(
            Localisation.objects.filter(template__in=templates.values()).values_list("template_id", "variety_id")
        )
        keys = [prompt_key(record.fields["template"], record.fields["variety"]) for record in batch]
        taken = set(Prompt.objects.filter(project=self.project, key__in=keys).values_list("key", flat=True))
        made: list[Localisation] = []
        for record in batch:
            template = templates.get(record.fields["template"])
            variety = self.varieties.varieties[record.fields["variety"]]
            if template is None:
                message = _("The project has no template with this id.")
                self.problems.say(record.line, "unknown_template", message, "template")
            elif self._is_free(record.line, template, variety, there, taken):
                rater = self._rater(record)
                if self._is_good(record, template):
                    made.append(self._localisation(record, template, variety, rater))
        if made and self.origin is not None:
            for localisation in made:
                localisation.prompt.came_with_id = self.origin.pk
        Prompt.objects.bulk_create(localisation.prompt for localisation in made)
        Localisation.objects.bulk_create(made)
        self.counts["prompts"] += len(made)
        self.counts["new raters"] = self.raters.created

    def _templates(self, batch: Sequence[Record]) -> dict[str, PromptTemplate]:
        keys = {record.fields["template"] for record in batch}
        # Held until the import is stored: nobody changes what is being localised.
        rows = PromptTemplate.objects.select_for_update(no_key=True).filter(project=self.project, key__in=keys)
        return {template.key: template for template in rows.order_by("pk")}

    def _is_free(
        self,
        line: int,
        template: PromptTemplate,
        variety: LanguageVariety,
        there: set[tuple[int, int]],
        taken: set[str],
    ) -> bool:
        place = (template.pk, variety.pk)
        if place in self.lines:
            message = _("This template stands in this variety on line %(line)d already.") % {"line": self.lines[place]}
            self.problems.say(line, "duplicate_id", message, "template")
        elif variety.pk == template.variety_id:
            message = _("The prompt is written in this variety already.")
            self.problems.say(line, "own_variety", message, "variety")
        elif place in there:
            problem = already_there(template, variety)
            self.problems.say(line, problem.code, problem.message, problem.field)
        elif (key := prompt_key(template.key, variety.tag)) in taken:
            message = _("The project has another prompt with the id “%(key)s”, which this one would get.")
            self.problems.say(line, "prompt_there", message % {"key": key}, "template")
        else:
            self.lines[place] = line
            return True
        return False

    def _is_good(self, record: Record, template: PromptTemplate) -> bool:
        before = self.problems.total
        values = record.fields.get("values") or {}
        for problem in problems_of(template.text, record.fields["text"], values):
            field = f"values.{problem.span}" if problem.field == "values" else problem.field
            self.problems.say(record.line, problem.code, problem.message, field)
        for placeholder in sorted(values.keys() - set(placeholders.names(template.text))):
            message = _("The template has no placeholder of this name.")
            self.problems.say(record.line, "placeholder_unknown", message, f"values.{placeholder}")
        return self.problems.total == before

    def _rater(self, record: Record) -> Rater | None:
        called = record.fields.get("rater")
        return self.raters.rater(record.line, {"rater": called}) if called else None

    def _localisation(
        self, record: Record, template: PromptTemplate, variety: LanguageVariety, rater: Rater | None
    ) -> Localisation:
        words, values = record.fields["text"], record.fields.get("values") or {}
        return Localisation(
            template=template,
            variety=variety,
            text=words,
            values=values,
            rater=rater,
            prompt=finished(template, variety, words, values),
        )
