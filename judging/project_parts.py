"""The parts of the project file about models: what target models are told, the project's own prompts of judges, and
models as they are set up to judge.

A provider is known by its name; its address and its key belong to the installation and stand in no file. A judge that
cannot be set up here is left out with a note that says what to do.
"""

from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.kinds import FLAG, MAPPING, name, short_text, text, whole
from formats.project_file.part import LIST, RECORD, Findings, Part
from formats.records import Entries
from judging.collecting import system_prompts
from judging.collecting.system_prompts import MAX_CHARACTERS as MAX_SYSTEM
from judging.judges import add_judge
from judging.kinds import judge_kind, judge_kinds
from judging.kinds.options import DEFAULT_TOKENS, MAX_OUTPUT_TOKENS, REASONING, SEED, Option
from judging.models import Judge, JudgePrompt
from judging.prompts.own import add_prompt, asking_by
from judging.prompts.shipped import ENGLISH, FIRST, SLOT, WITH_SLOT
from projects.models import Project
from projects.problems import Invalid
from providers.models import Provider

MAX_JUDGES = 500
MAX_PROMPTS = 500
#: Of what add_judge refuses: not the file's fault, but that of what this installation knows of the model.
OF_INSTALLATION = {"laboratory_unknown", "seed_not_taken", "effort_not_taken"}


class PromptRecord(TypedDict):
    """A prompt of the project's own. One that is there is never changed: other words are the next number."""

    kind: Annotated[str, name(20)]
    number: Annotated[int, whole(1, 10_000)]
    language: NotRequired[Annotated[str | None, name(10), "Of instruction"]]
    note: NotRequired[Annotated[str | None, short_text(200)]]
    parts: Annotated[dict[str, Any], MAPPING, "Its templates by name"]


class JudgeRecord(TypedDict):
    """A model that is set up to judge in one way. What it is set up with stays: another way is another judge."""

    name: Annotated[str, name(120)]
    kind: Annotated[str, name(20), "What it is asked for"]
    provider: Annotated[str, name(60), "By its name here"]
    model: Annotated[str, name(200), "As the provider writes it"]
    prompt: NotRequired[Annotated[str | None, name(20), "v1 (left out), v2, v2-ar, own-3 ..."]]
    options: NotRequired[Annotated[dict[str, Any] | None, MAPPING, "Those of its kind, and seed, reasoning"]]
    own_temperature: NotRequired[Annotated[bool | None, FLAG, "Asked without a temperature"]]
    max_output_tokens: NotRequired[Annotated[int | None, whole(MAX_OUTPUT_TOKENS.lowest, MAX_OUTPUT_TOKENS.highest)]]
    active: NotRequired[Annotated[bool | None, FLAG, "False: it is asked no more, its answers stay"]]


class JudgesRecord(TypedDict):
    prompts: NotRequired[Annotated[list[PromptRecord] | None, LIST, Entries(most=MAX_PROMPTS)]]
    judges: NotRequired[Annotated[list[JudgeRecord] | None, LIST, Entries(most=MAX_JUDGES, unique="name")]]


class JudgesPart(Part):
    """A judge that is left out is asked no more; its answers stay."""

    key = "judges"
    record = Annotated[JudgesRecord, RECORD]
    position = 90

    def read(self, project: Project) -> dict[str, Any]:
        prompts = JudgePrompt.objects.filter(project=project).order_by("kind", "number")
        judges = Judge.objects.filter(project=project).select_related("rater", "provider", "prompt")
        said = {
            "prompts": [_prompt(prompt) for prompt in prompts],
            "judges": [_judge(judge) for judge in judges.order_by("rater__name", "pk")],
        }
        return {key: listed for key, listed in said.items() if listed}

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        _write_prompts(project, value.get("prompts") or [], findings)
        if findings.total:
            return
        there = {
            judge.rater.name: judge
            for judge in Judge.objects.filter(project=project).select_related("rater", "provider", "prompt")
        }
        named = {entry["provider"] for entry in value.get("judges") or []}
        providers = Provider.objects.select_related("laboratory").in_bulk(list(named), field_name="name")
        for index, entry in enumerate(value.get("judges") or []):
            place, judge = f"judges.judges[{index}]", there.pop(entry["name"], None)
            if judge is not None:
                _keep(judge, entry, place, findings)
            elif entry["provider"] not in providers:
                message = _(
                    "This installation has no provider “%(provider)s”, so the judge was left out. Have an "
                    "administrator add the provider under this name, then bring the file in once more."
                )
                findings.note(place, message % {"provider": entry["provider"]})
            else:
                _add(project, providers[entry["provider"]], entry, place, findings)
        Judge.objects.filter(pk__in=[judge.pk for judge in there.values()]).update(is_active=False)


def _options_of(kind: str) -> tuple[Option, ...]:
    return (*judge_kind(kind).options, SEED, REASONING)


def _prompt(prompt: JudgePrompt) -> dict[str, Any]:
    said = {"kind": prompt.kind, "number": prompt.number}
    if prompt.language != ENGLISH:
        said["language"] = prompt.language
    if prompt.note:
        said["note"] = prompt.note
    return {**said, "parts": dict(sorted(prompt.parts.items()))}


def _judge(judge: Judge) -> dict[str, Any]:
    said: dict[str, Any] = {
        "name": judge.rater.name,
        "kind": judge.kind,
        "provider": judge.provider.name,
        "model": judge.model,
    }
    if judge.asks_by not in (FIRST, WITH_SLOT):  # which of them its options tell
        said["prompt"] = judge.asks_by
    known = _options_of(judge.kind) if judge.kind in judge_kinds() else ()
    options = {
        option.name: judge.options[option.name]
        for option in known
        if option.name in judge.options and judge.options[option.name] != option.default
    }
    if options:
        said["options"] = options
    if judge.temperature is None:
        said["own_temperature"] = True
    if judge.max_output_tokens != DEFAULT_TOKENS:
        said["max_output_tokens"] = judge.max_output_tokens
    return said if judge.is_active else {**said, "active": False}


def _write_prompts(project: Project, entries: list[dict[str, Any]], findings: Findings) -> None:
    there = {(prompt.kind, prompt.number): prompt for prompt in JudgePrompt.objects.filter(project=project)}
    for index in sorted(range(len(entries)), key=lambda at: (entries[at]["kind"], entries[at]["number"])):
        entry, place = entries[index], f"judges.prompts[{index}]"
        kind, number = entry["kind"], entry["number"]
        said = {key: given for key, given in entry.items() if given not in (None, "")}
        if prompt := there.get((kind, number)):
            if _prompt(prompt) != {**said, "parts": dict(sorted(entry["parts"].items()))}:
                message = _("A prompt that is there is never changed. Add these words as number %(number)d.")
                last = max(each for of_kind, each in there if of_kind == kind)
                findings.refuse(place, "in_use", message % {"number": last + 1})
            continue
        if number != 1 and (kind, number - 1) not in there:
            message = _("Prompts of a kind are numbered one after the other, from 1.")
            findings.refuse(f"{place}.number", "out_of_order", message)
            continue
        try:
            there[kind, number] = add_prompt(
                project,
                kind,
                entry["parts"],
                language=entry.get("language") or ENGLISH,
                note=entry.get("note") or "",
                by=findings.actor,
            )
        except Invalid as invalid:
            for problem in invalid.problems:
                own = problem.field if problem.field in ("kind", "language") else f"parts.{problem.field}"
                findings.refuse(f"{place}.{own}", problem.code, problem.message)


def _tidied(kind: str, name: str, value: Any) -> Any:
    option = next((option for option in _options_of(kind) if option.name == name), None)
    return value if option is None or option.fault(value) else option.tidied(value)


def _keep(judge: Judge, entry: dict[str, Any], place: str, findings: Findings) -> None:
    """A judge that is there stays as it is set up; whether it is asked may change."""
    is_active = entry.get("active") is not False
    now = {**_judge(judge), "active": True}
    said = {key: given for key, given in entry.items() if given not in (None, {}, False)} | {"active": True}
    if options := said.get("options"):
        said["options"] = {name: _tidied(judge.kind, name, value) for name, value in options.items()}
    if said.get("prompt") in (FIRST, WITH_SLOT):
        del said["prompt"]
    for key in sorted(now.keys() | said.keys()):
        if now.get(key) != said.get(key):
            message = _("A judge stays as it was set up. Add another one, under another name, for another setting.")
            findings.refuse(f"{place}.{key}", "in_use", message)
    if judge.is_active != is_active:
        judge.is_active = is_active
        judge.save(update_fields=["is_active"])


def _add(project: Project, provider: Provider, entry: dict[str, Any], place: str, findings: Findings) -> None:
    options = dict(entry.get("options") or {})
    sent = {key: entry[key] for key in ("own_temperature", "max_output_tokens") if entry.get(key) is not None}
    if twice := sorted({"own_temperature", "max_output_tokens"} & options.keys()):
        findings.refuse(f"{place}.options.{twice[0]}", "unknown_field", _("There is no such field."))
        return
    try:
        prompt = entry.get("prompt") or ("" if options.get(SLOT) else FIRST)
        asks_by = asking_by(project, entry["kind"], prompt, options)
        judge = add_judge(
            project,
            provider,
            entry["model"],
            kind=entry["kind"],
            name=entry["name"],
            by=findings.actor,
            **asks_by,
            **sent,
        )
    except TypeError:  # an option by the name of another argument
        findings.refuse(f"{place}.options", "unknown_option", _("Judges of this kind have no such option."))
        return
    except Invalid as invalid:
        if {problem.code for problem in invalid.problems} <= OF_INSTALLATION:
            findings.note(place, " ".join(problem.message for problem in invalid.problems))
            return
        for problem in invalid.problems:
            own = "prompt" if problem.field == "asks_by" else problem.field
            is_own = own in JudgeRecord.__annotations__
            findings.refuse(f"{place}.{own}" if is_own else f"{place}.options.{own}", problem.code, problem.message)
        return
    if entry.get("active") is False:
        judge.is_active = False
        judge.save(update_fields=["is_active"])


class SystemPromptRecord(TypedDict):
    """What target models are told before a prompt; `{language}` and `{variety}` stand for the prompt's."""

    variety: NotRequired[Annotated[str | None, name(35), "BCP 47 tag; left out, for all other varieties"]]
    text: Annotated[str, text(MAX_SYSTEM)]


class SystemPromptsPart(Part):
    """Runs that have begun keep the texts that they began with."""

    key = "system_prompts"
    record = Annotated[list[SystemPromptRecord], LIST, Entries(most=MAX_PROMPTS)]
    position = 85

    def read(self, project: Project) -> list[dict[str, Any]]:
        told = sorted(system_prompts.of_project(project).items())
        return [{"variety": tag, "text": text} if tag else {"text": text} for tag, text in told]

    def write(self, project: Project, value: list[dict[str, Any]], findings: Findings) -> None:
        places: dict[str, str] = {}
        for index, entry in enumerate(value):
            place = f"system_prompts[{index}]"
            if (tag := entry.get("variety") or "") in places:
                findings.refuse(place, "repeated", _("There is a text for this variety already."))
            places.setdefault(tag, place)
        if findings.total:
            return
        try:
            texts = {entry.get("variety") or "": entry["text"] for entry in value}
            system_prompts.set_texts(project, texts, by=findings.actor)
        except Invalid as invalid:
            for problem in invalid.problems:
                field = "variety" if problem.code == "unknown_variety" else "text"
                findings.refuse(f"{places[problem.field]}.{field}", problem.code, problem.message)


PARTS = (SystemPromptsPart(), JudgesPart())
