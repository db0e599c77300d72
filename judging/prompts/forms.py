"""Forms of the pages of prompts: a text for each part, and what a preview is made of."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.kinds import judge_kind
from judging.models import Judge
from judging.prompts import published
from judging.prompts.checking import Rule
from judging.prompts.own import english, language_name
from judging.prompts.shipped import LANGUAGES, is_phrase
from projects.models import Project

PART = "part-"
# What a part is, where its name does not say so.
PARTS = {
    "system": gettext_lazy("The instructions"),
    "question": gettext_lazy("What is asked about one item"),
    "paragraph": gettext_lazy("What is asked about one paragraph"),
    "response": gettext_lazy("What is asked about a whole response"),
    "taxonomy": gettext_lazy("How the categories are introduced, for judges that are shown them"),
    "several_places": gettext_lazy("How an error in several places is told, for judges that may name several"),
    "program": gettext_lazy("How the model is named, for judges that are told it"),
    "criterion": gettext_lazy("One criterion"),
    "error": gettext_lazy("One error"),
    "example": gettext_lazy("One example"),
    "examples": gettext_lazy("How examples are to be used"),
    "how_to_grade": gettext_lazy("How grades are given"),
    "how_to_prefer": gettext_lazy("How a preference is given, where there is no scale"),
    "grades": gettext_lazy("The form of an answer with grades"),
    "preference": gettext_lazy("The form of an answer with a preference"),
    "published": gettext_lazy("The published prompt, word for word"),
    "answer_form": gettext_lazy("The answer is"),
}


def in_order(parts: Iterable[str]) -> list[str]:
    """As they are read: instructions first, then questions and what stands in them, then words within those."""
    order = {part: number for number, part in enumerate(PARTS)}
    return sorted(parts, key=lambda part: (is_phrase(part), order.get(part, len(order)), part))


def part_label(part: str) -> str:
    if is_phrase(part):
        return _("Words within: %(words)s") % {"words": part.removeprefix("phrase_").replace("_", " ")}
    return str(PARTS.get(part, part))


class PromptForm(forms.Form):
    """A prompt as it is written: whether it can be asked is checked apart, for a note at every slip."""

    language = forms.ChoiceField(
        label=gettext_lazy("Language of instruction"),
        choices=[(language, language_name(language)) for language in LANGUAGES],
        help_text=gettext_lazy("The language that this prompt is written in."),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("What is different in it and why, for whoever compares figures later."),
    )

    def __init__(self, kind: str, *args: Any, is_published: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_published:
            self.ask_word_for_word(kind)
            return
        self.parts = in_order(english(kind))
        for part in self.parts:
            text = english(kind)[part]
            variables = " ".join(f"{{{{{name}}}}}" for name in sorted(Rule.of(text).allowed))
            rows = 1 if is_phrase(part) else min(max(text.count("\n") + 2, 3), 24)
            self.fields[PART + part] = forms.CharField(
                label=part_label(part),
                strip=False,
                help_text=_("Variables: %(names)s") % {"names": variables} if variables else "",
                widget=forms.Textarea(attrs={"dir": "auto", "rows": rows, "spellcheck": "false", "data-part": part}),
            )

    def ask_word_for_word(self, kind: str) -> None:
        """The fields of a published prompt: its text and the form of its answer."""
        may_be, required, optional = published.OF_KIND.get(kind, ((), frozenset(), frozenset()))
        variables = " ".join(f"{{{{{name}}}}}" for name in sorted(required | optional))
        self.parts = [published.PUBLISHED, published.FORM]
        self.fields[PART + published.PUBLISHED] = forms.CharField(
            label=part_label(published.PUBLISHED),
            strip=False,
            help_text=_("Variables: %(names)s") % {"names": variables},
            widget=forms.Textarea(
                attrs={"dir": "auto", "rows": 24, "spellcheck": "false", "data-part": published.PUBLISHED}
            ),
        )
        self.fields[PART + published.FORM] = forms.ChoiceField(
            label=part_label(published.FORM), choices=[(form, published.FORMS[form]) for form in may_be]
        )

    def texts(self) -> list[forms.BoundField]:
        return [self[PART + part] for part in self.parts]


def parts_in(data: Mapping[str, Any]) -> dict[str, str]:
    """The texts of the parts in what was sent."""
    return {name.removeprefix(PART): str(data[name]) for name in data if name.startswith(PART)}


class PreviewForm(forms.Form):
    """As which judge, about which response, and which of the questions about it."""

    asked_as = forms.ChoiceField(label=gettext_lazy("As"), required=False)
    item = forms.CharField(
        label=gettext_lazy("Response"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Its id. Left empty, the first one that can be asked about."),
        widget=forms.TextInput(attrs={"dir": "auto", "list": "askable-items", "autocomplete": "off"}),
    )
    number = forms.IntegerField(label=gettext_lazy("Question"), min_value=1, initial=1, required=False)

    def __init__(self, project: Project, kind: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.judges = {f"judge-{judge.pk}": judge for judge in judges_of(project, kind)}
        ways = [(f"way-{number}", str(setting.label)) for number, setting in enumerate(judge_kind(kind).ways)]
        field = self.fields["asked_as"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [*ways, *((key, judge.rater.name) for key, judge in self.judges.items())]

    @property
    def judge(self) -> Judge | None:
        return self.judges.get(self.cleaned_data.get("asked_as", ""))

    @property
    def way(self) -> int:
        """The number of the way of asking, where no judge was chosen."""
        chosen = self.cleaned_data.get("asked_as", "")
        return int(chosen.removeprefix("way-")) if chosen.startswith("way-") else 0


def judges_of(project: Project, kind: str) -> list[Judge]:
    judges = Judge.objects.filter(project=project, kind=kind, is_active=True)
    return list(judges.select_related("rater", "provider__laboratory").order_by("rater__name"))
