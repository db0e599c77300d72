"""The parts of the project file that lie in the tables of `projects`: the project itself, its language varieties, the
words of its vocabularies, its guidelines."""

from collections import defaultdict
from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.kinds import FLAG, Fault, Kind, name, number_within, short_text, text
from formats.limits import MAX_PENALTY
from formats.project_file.part import LIST, RECORD, Findings, Part, Slug, texts, with_defaults, without_defaults
from formats.project_file.rows import Rows
from formats.records import Entries
from formats.vocabulary import Tag
from projects.explanations import MAX as MAX_LANGUAGE
from projects.explanations import tidied
from projects.guidelines import MAX_TEXT, MOST_LANGUAGES, UNSAID, publish_texts, tags_of, texts_of
from projects.languages.tags import NotATag, read_tag
from projects.models import Label, LanguageVariety, Project, ProjectVariety, Vocabulary
from projects.presets import known_areas, presets
from projects.problems import Invalid
from projects.stored_text import unbroken
from projects.varieties import faults_of_short_names, notes_of, variety_of
from projects.vocabularies import has_begun

MAX_LABELS = 100
MAX_VARIETIES = 200

Definition = Annotated[str, short_text(MAX_TEXT)]


class ProjectRecord(TypedDict):
    """What the project is, and what its people see."""

    name: Annotated[str, name(120)]
    description: NotRequired[Annotated[str | None, short_text(MAX_TEXT)]]
    areas: Annotated[list[str], texts(10, 60), "Kinds of study whose pages it shows: spans, ratings, rubrics ..."]
    preset: NotRequired[Annotated[str | None, name(20), "What it began with; left out, the first of its areas"]]
    ask_category: NotRequired[Annotated[bool | None, FLAG, "Annotators choose a category for each mark"]]
    show_target_model: NotRequired[Annotated[bool | None, FLAG, "Annotators see which model wrote a response"]]
    forbid_repeats: NotRequired[Annotated[bool | None, FLAG, "Annotators are not offered “The same words again”"]]
    only_validated_prompts: NotRequired[
        Annotated[bool | None, FLAG, "Models are asked no localisation that no native speaker has looked at"]
    ]
    explanation_language: NotRequired[
        Annotated[str | None, short_text(MAX_LANGUAGE), "People explain in it: `response`, or a tag; left out, English"]
    ]
    licence: NotRequired[Annotated[str | None, short_text(120), "Of the data; stands in every dataset card"]]
    citation: NotRequired[Annotated[str | None, short_text(MAX_TEXT), "How to cite the data"]]


class ProjectPart(Part):
    key = "project"
    record = Annotated[ProjectRecord, RECORD]
    position = 0
    flags = ("ask_category", "show_target_model", "forbid_repeats", "only_validated_prompts")
    terms = ("explanation_language", "licence", "citation")
    defaults = {"description": "", "preset": "", **dict.fromkeys(flags, False), **dict.fromkeys(terms, "")}

    def read(self, project: Project) -> dict[str, Any]:
        areas = list(project.areas)
        is_told = project.preset in presets() and areas[:1] != [project.preset]
        said = {
            "name": project.name,
            "description": project.description,
            "areas": areas,
            "preset": project.preset if is_told else "",
            **{name: getattr(project, name) for name in (*self.flags, *self.terms)},
        }
        return without_defaults(said, self.defaults)

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        said = with_defaults(value, self.defaults)
        known = known_areas()
        for index, area in enumerate(said["areas"]):
            if area not in known or area in said["areas"][:index]:
                message = _("One of these is expected, each once: %(values)s.") % {"values": ", ".join(known)}
                findings.refuse(f"project.areas[{index}]", "not_a_choice", message)
        preset = said["preset"] or next(iter(said["areas"]), "")
        if said["preset"] and said["preset"] not in presets():
            message = _("One of these is expected: %(values)s.") % {"values": ", ".join(presets())}
            findings.refuse("project.preset", "not_a_choice", message)
        try:
            said["explanation_language"] = tidied(said["explanation_language"])
        except NotATag as refused:
            findings.refuse("project.explanation_language", "unknown", str(refused))
        if findings.total:
            return
        project.name, project.description = said["name"], said["description"]
        project.areas, project.preset = list(said["areas"]), preset
        for field in (*self.flags, *self.terms):
            setattr(project, field, said[field])
        project.save(update_fields=["name", "description", "areas", "preset", *self.flags, *self.terms])


class VarietyRecord(TypedDict):
    tag: Annotated[Tag, "BCP 47, such as ar-EG"]
    short_name: NotRequired[Annotated[str | None, name(12), "What the project calls it in tables"]]


class VarietiesPart(Part):
    """The varieties the project is about: any language tag, each with a short name of its own."""

    key = "varieties"
    record = Annotated[list[VarietyRecord], LIST, Entries(most=MAX_VARIETIES, unique="tag")]
    position = 10

    def read(self, project: Project) -> list[dict[str, Any]]:
        rows = ProjectVariety.objects.filter(project=project).select_related("variety")
        return [without_defaults({"tag": r.variety.tag, "short_name": r.short_name}, {"short_name": ""}) for r in rows]

    def write(self, project: Project, value: list[dict[str, Any]], findings: Findings) -> None:
        known: dict[str, LanguageVariety] = {}
        for index, entry in enumerate(value):
            try:
                known[entry["tag"]] = variety_of(read_tag(entry["tag"]))
            except NotATag as refused:
                findings.refuse(f"varieties[{index}].tag", "unknown", str(refused))
        for place, code, message in faults_of_short_names(
            [(variety.tag, entry.get("short_name") or "") for entry in value if (variety := known.get(entry["tag"]))]
        ):
            findings.refuse(f"varieties[{place}].short_name", code, message)
        if len({variety.pk for variety in known.values()}) < len(known):
            findings.refuse("varieties", "duplicate", _("The same tag stands here twice."))
        if findings.total:
            return
        ProjectVariety.objects.filter(project=project).delete()
        ProjectVariety.objects.bulk_create(
            ProjectVariety(
                project=project,
                variety=known[entry["tag"]],
                short_name=entry.get("short_name") or "",
                position=position,
            )
            for position, entry in enumerate(value, start=1)
        )
        project.__dict__.pop("short_names", None)
        for note in notes_of(project):
            findings.note("varieties", note)


Retired = Annotated[bool | None, FLAG, "No longer offered; what was answered with it stays"]


class LabelRecord(TypedDict):
    slug: Annotated[Slug, "What answers hold; it never changes"]
    name: Annotated[str, name(80)]
    definition: NotRequired[Definition | None]
    covers: NotRequired[
        Annotated[list[str] | None, texts(20, 60), "Short names of types of error that one which is all of them covers"]
    ]
    retired: NotRequired[Retired]


class FailureTypeRecord(LabelRecord):
    missing: NotRequired[Annotated[bool | None, FLAG, "Of something that is not there: it points at no words"]]


class CriticalityRecord(TypedDict):
    slug: Annotated[Slug, "What answers hold; it never changes"]
    name: Annotated[str, name(80)]
    definition: NotRequired[Definition | None]
    points: NotRequired[Annotated[float | None, number_within(0, MAX_PENALTY), "What an error of it costs"]]
    retired: NotRequired[Retired]


OF_VOCABULARY = Entries(most=MAX_LABELS, unique="slug")


class LabelsRecord(TypedDict):
    """The words by which the project tells errors apart."""

    error_types: NotRequired[Annotated[list[LabelRecord] | None, LIST, OF_VOCABULARY]]
    criticality: NotRequired[Annotated[list[CriticalityRecord] | None, LIST, OF_VOCABULARY, "The most serious first"]]
    failure_types: NotRequired[Annotated[list[FailureTypeRecord] | None, LIST, OF_VOCABULARY]]


class LabelsPart(Part):
    """A label that is left out is retired where the project has texts or people, whose answers may hold it."""

    key = "labels"
    record = Annotated[LabelsRecord, RECORD]
    position = 20
    vocabularies = {
        "error_types": Vocabulary.ERROR_TYPE,
        "criticality": Vocabulary.CRITICALITY,
        "failure_types": Vocabulary.FAILURE_TYPE,
    }
    columns = {"slug": "slug", "name": "name", "definition": "definition"}
    defaults = {"definition": "", "retired": False}

    def rows(self, vocabulary: Vocabulary) -> Rows:
        own: dict[str, Any] = {"points": None} if vocabulary == Vocabulary.CRITICALITY else {"covers": []}
        columns = {**self.columns, **{name: name for name in own}}
        if vocabulary == Vocabulary.FAILURE_TYPE:
            own, columns = {**own, "missing": False}, {**columns, "missing": "is_missing"}
        columns["retired"] = "is_retired"
        return Rows(Label, columns, {**self.defaults, **own}, beside={"vocabulary": vocabulary})

    def made(self, project: Project, value: dict[str, Any]) -> list[Label]:
        """The labels that a part which is in order gives a project that has none, not stored."""
        return [
            Label(project=project, **self.rows(vocabulary).wanted(entry, index))
            for key, vocabulary in self.vocabularies.items()
            for index, entry in enumerate(value.get(key) or [])
        ]

    def read(self, project: Project) -> dict[str, Any]:
        by_vocabulary: defaultdict[str, list[Label]] = defaultdict(list)
        for label in Label.objects.filter(project=project).order_by("position", "pk"):
            by_vocabulary[label.vocabulary].append(label)
        listed = {
            key: [self.rows(vocabulary).entry(label) for label in by_vocabulary[vocabulary]]
            for key, vocabulary in self.vocabularies.items()
        }
        return {key: labels for key, labels in listed.items() if labels}

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        there = list(Label.objects.filter(project=project))
        for key, vocabulary in self.vocabularies.items():
            entries, place = value.get(key) or [], f"labels.{key}"
            known = {entry["slug"] for entry in entries}
            for index, entry in enumerate(entries):
                if unknown := [each for each in entry.get("covers") or [] if each not in known - {entry["slug"]}]:
                    message = _("There is no other label “%(slug)s” in this list.") % {"slug": unknown[0]}
                    findings.refuse(f"{place}[{index}].covers", "unknown", message)
            of_vocabulary = [label for label in there if label.vocabulary == vocabulary]
            _rows, left_out = self.rows(vocabulary).write(project, of_vocabulary, entries, place, findings)
            if left_out and has_begun(project):
                Label.objects.filter(pk__in=[label.pk for label in left_out]).update(is_retired=True)
            elif left_out:
                Label.objects.filter(pk__in=[label.pk for label in left_out]).delete()


def _one_or_by_language(value: object) -> Fault | None:
    of_text = text(MAX_TEXT)
    if not isinstance(value, dict):
        return of_text.check(value)
    if not 1 <= len(value) <= MOST_LANGUAGES:
        return "too_many", _("From 1 to %(most)d languages are expected.") % {"most": MOST_LANGUAGES}
    for tag, written in value.items():
        if fault := of_text.check(written):
            return fault[0], f"{tag}: {fault[1]}"
    return None


#: A text, or several by the tag of their language, the main one first.
TEXT_OR_TEXTS = Kind(
    _one_or_by_language,
    {
        "anyOf": [
            text(MAX_TEXT).keywords,
            {
                "type": "object",
                "minProperties": 1,
                "maxProperties": MOST_LANGUAGES,
                "additionalProperties": text(MAX_TEXT).keywords,
            },
        ]
    },
)


class GuidelinesPart(Part):
    """What people read before they begin, as Markdown: one text, or by language. Another becomes the next version, and
    people are told. A language that is left out is taken back."""

    key = "guidelines"
    record = Annotated[str | dict[str, str], TEXT_OR_TEXTS, "Markdown: a text, or by language tag, the main text first"]
    position = 30

    def read(self, project: Project) -> str | dict[str, str]:
        if not project.guidelines_language and not project.guidelines_translations:
            return project.guidelines
        return {tag or UNSAID: written for tag, written in texts_of(project).items() if written}

    def write(self, project: Project, value: str | dict[str, str], findings: Findings) -> None:
        said = {UNSAID: value} if isinstance(value, str) else value
        main = next(iter(said))
        try:
            tags = tags_of(said, main)
        except Invalid as refused:
            for each in refused.problems:
                findings.refuse(f"guidelines.{each.field}", each.code, each.message)
        if findings.total:
            return
        texts = {tags[name]: unbroken(written) for name, written in said.items()}
        if (list(texts), texts) == (list(now := texts_of(project)), now):
            return
        if project.guidelines or project.raters.exists() or len(texts) > 1:
            change = _("The guidelines were changed with the project file.") if project.guidelines else ""
            publish_texts(project, texts, tags[main], change, findings.actor, {})
        else:
            project.guidelines, project.guidelines_language = texts[tags[main]], tags[main]
            project.save(update_fields=["guidelines", "guidelines_language"])


LABELS = LabelsPart()
PARTS = (ProjectPart(), VarietiesPart(), LABELS, GuidelinesPart())
