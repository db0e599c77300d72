"""The question set that a file fills, with its skills and sources: the one its first line describes, or a draft."""

from collections import Counter
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

from benchmark.models import QuestionSet, Skill, Source
from formats.kinds import slug as short_name
from formats.limits import MAX_SLUG
from formats.problems import ProblemLog
from formats.reading import Record
from projects.models import Project
from projects.slugs import free_slug

SHORT_NAME = short_name(MAX_SLUG)
# Where a refusal is an answer: the paper's name of the skill.
COUNTS_REFUSALS = frozenset({"trust & safety"})


class SetBook:
    """Finds or begins the set. Rows that are new are stored by `store`, and not where there is any problem."""

    def __init__(self, project: Project, problems: ProblemLog, counts: Counter[str]) -> None:
        self.project = project
        self.problems = problems
        self.counts = counts
        self.question_set: QuestionSet | None = None
        self.skills: dict[str, Skill] = {}
        self.sources: dict[str, Source] = {}
        self.canary_is_given = False

    # --- The set ---

    def begin_described(self, record: Record, slug: str) -> QuestionSet:
        """The set of a first line: always a new version."""
        fields = record.fields
        slug = self._short_name(record.line, slug)
        version = fields.get("version") or 1
        versions = QuestionSet.objects.select_for_update().filter(project=self.project, slug=slug)
        newest = versions.order_by("version").last()
        if newest is not None and version <= newest.version:
            message = _("The project has version %(version)d of the set “%(set)s” already.")
            values = {"set": slug, "version": newest.version}
            self.problems.say(record.line, "already_there", message % values, "version")
        elif newest is not None and not newest.is_frozen:
            message = _("Version %(version)d of the set “%(set)s” is a draft: freeze it before a later one comes.")
            values = {"set": slug, "version": newest.version}
            self.problems.say(record.line, "draft_there", message % values, "version")
        canary = UUID(fields["canary"]) if fields.get("canary") else uuid4()
        if QuestionSet.objects.filter(project=self.project, canary=canary).exists():
            message = _("Another set of the project has this canary.")
            self.problems.say(record.line, "canary_taken", message, "canary")
        self.question_set = QuestionSet(
            project=self.project,
            slug=slug,
            name=fields["name"],
            version=version,
            supersedes=newest,
            licence=fields.get("licence") or "",
            canary=canary,
        )
        self.canary_is_given = True
        for position, skill in enumerate(fields.get("skills") or [], start=1):
            self._add_skill(skill["name"], skill["id"], position, bool(skill.get("counts_refusals")))
        for position, source in enumerate(fields.get("sources") or [], start=1):
            self._add_source(source["name"], source["id"], position, source)
        return self.question_set

    def begin_undescribed(self, line: int, slug: str) -> QuestionSet:
        """The draft of this short name; without one the project's only draft, or a set named as the project."""
        slug = self._short_name(line, slug)
        versions = QuestionSet.objects.select_for_update().filter(project=self.project)
        rows = list(versions.filter(slug=slug) if slug else versions)
        drafts = [row for row in rows if not row.is_frozen]
        if len(drafts) == 1:
            self.question_set = drafts[0]
            self.canary_is_given = True
            self.skills = {skill.name: skill for skill in drafts[0].skills.all()}
            self.sources = {source.name: source for source in drafts[0].sources.all()}
            return drafts[0]
        if drafts:
            message = _("The project has several question sets that are drafts (%(sets)s): name one of them.")
            names = ", ".join(row.slug for row in drafts)
            self.problems.say(line, "which_set", message % {"sets": names})
        elif rows:
            message = _("The question set “%(set)s” is frozen: begin a new version of it, or name another set.")
            self.problems.say(line, "frozen_set", message % {"set": rows[-1].slug})
        name = slug or self.project.name
        self.question_set = QuestionSet(project=self.project, slug=slug or self.project.slug, name=name)
        return self.question_set

    def _short_name(self, line: int, slug: str) -> str:
        """As it was given, in the file or beside it: no page could be opened of a set that is called otherwise. "" with
        the problem said."""
        fault = SHORT_NAME.check(slug) if slug else None
        if fault is None:
            return slug
        self.problems.say(line, *fault, "set")
        return ""

    def check_canary(self, record: Record) -> None:
        """A line's canary is that of its set; a set that nothing describes takes that of its first question."""
        assert self.question_set is not None
        canary = record.fields.get("canary")
        if not canary:
            return
        if not self.canary_is_given:
            self.question_set.canary, self.canary_is_given = UUID(canary), True
        elif str(self.question_set.canary) != canary:
            message = _("The canary is not that of the set, which is %(canary)s.")
            self.problems.say(record.line, "other_canary", message % {"canary": self.question_set.canary}, "canary")

    # --- Skills and sources ---

    def skill(self, name: str) -> Skill:
        if name not in self.skills:
            slug = free_slug(name, {skill.slug for skill in self.skills.values()}, "skill")
            self._add_skill(name, slug, len(self.skills) + 1, name.casefold() in COUNTS_REFUSALS)
        return self.skills[name]

    def source(self, record: Record) -> Source | None:
        """The source of a line, which must say the same of it as the lines before."""
        fields = record.fields
        name = fields.get("source")
        if name is None:
            return None
        if name not in self.sources:
            slug = free_slug(name, {source.slug for source in self.sources.values()}, "source")
            self._add_source(name, slug, len(self.sources) + 1, fields)
            return self.sources[name]
        source = self.sources[name]
        for field, known in (("translated", source.is_translated), ("licence", source.licence)):
            if fields.get(field) not in (None, known):
                message = _("The source “%(source)s” stands with another value here than before.")
                self.problems.say(record.line, "source_differs", message % {"source": name}, field)
        return source

    def _add_skill(self, name: str, slug: str, position: int, counts_refusals: bool) -> None:
        self.skills[name] = Skill(
            question_set=self.question_set, slug=slug, name=name, position=position, counts_refusals=counts_refusals
        )

    def _add_source(self, name: str, slug: str, position: int, stated: dict) -> None:
        self.sources[name] = Source(
            question_set=self.question_set,
            slug=slug,
            name=name,
            position=position,
            is_translated=stated.get("translated"),
            licence=stated.get("licence") or "",
            link=stated.get("link") or "",
        )

    def store(self) -> None:
        """Write the set, skills and sources that are new."""
        assert self.question_set is not None
        if self.question_set._state.adding:
            self.question_set.save()
            self.counts["question sets"] += 1
        skills = [skill for skill in self.skills.values() if skill._state.adding]
        sources = [source for source in self.sources.values() if source._state.adding]
        for skill in skills:
            skill.question_set = self.question_set
        for source in sources:
            source.question_set = self.question_set
        Skill.objects.bulk_create(skills)
        Source.objects.bulk_create(sources)
        self.counts["skills"] += len(skills)
        self.counts["sources"] += len(sources)
