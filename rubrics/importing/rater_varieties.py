"""Which language varieties the graders of a file speak: so one variety's severity is told from another's."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from formats.problems import ProblemLog
from projects.languages.tags import NotATag
from projects.models import LanguageVariety, Project, Rater
from projects.varieties import VarietyBook


class RaterVarieties:
    """The varieties of raters. A rater without any is given those of its first line; all others must agree."""

    def __init__(self, project: Project, problems: ProblemLog) -> None:
        self.problems = problems
        self.varieties = VarietyBook(project)
        self.known: dict[int, list[str]] = {}
        links = Rater.varieties.through.objects.filter(rater__project=project)
        for rater, tag in links.values_list("rater_id", "languagevariety__tag").order_by("languagevariety__tag"):
            self.known.setdefault(rater, []).append(tag)

    def note(self, line: int, rater: Rater, tags: Sequence[str] | None, field: str = "varieties") -> None:
        """Keep what a line says of its rater, or say what is wrong with it."""
        if not tags:
            return
        spoken: dict[str, LanguageVariety] = {}
        before = self.problems.total
        for named in tags:
            try:
                variety = self.varieties[named]
                spoken[variety.tag] = variety
            except NotATag as refused:
                self.problems.say(line, "unknown_variety", str(refused), field)
        known = self.known.get(rater.pk)
        if self.problems.total > before:
            return
        if known is not None and known != sorted(spoken):
            message = _("%(rater)s stands in the project with other varieties: %(known)s.")
            values = {"rater": rater.name, "known": ", ".join(known)}
            self.problems.say(line, "varieties_differ", message % values, field)
        elif known is None:
            self.known[rater.pk] = sorted(spoken)
            rater.varieties.set(spoken.values())
