"""The option that says in which language a judge explains (docs/prompts.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.management.base import CommandParser
from django.utils.translation import gettext_lazy

from judging.kinds.options import Option
from judging.prompts.shipped import SLOT
from projects import explanations
from projects.languages.tags import NotATag

if TYPE_CHECKING:
    from rest_framework import serializers


@dataclass(frozen=True, kw_only=True)
class Language(Option):
    """A language, as `projects.explanations` has it; `words` and `in_name` have one form under "", of %(language)s."""

    default: str = ""

    def fault(self, value: Any) -> str:
        try:
            explanations.tidied(value)
        except NotATag as refused:
            return str(refused)
        return ""

    def tidied(self, value: Any) -> str:
        return explanations.tidied(value)

    def form_field(self) -> forms.Field:
        """Its choices are those of a project (`projects.explanations.choices`)."""
        return forms.ChoiceField(label=self.label, help_text=self.help_text, required=False)

    def api_field(self) -> serializers.Field:
        from rest_framework import serializers

        return serializers.CharField(
            max_length=explanations.MAX, default="", allow_blank=True, help_text="`response` or a language tag"
        )

    def add_flag(self, parser: CommandParser) -> None:
        parser.add_argument(self.flag, metavar="LANGUAGE", help=f"{self.label}: `response` or a language tag")

    def in_words(self, value: Any) -> str:
        return str(self.words[""]) % {"language": explanations.in_words(value)} if value else ""

    def named(self, value: Any) -> str:
        return self.in_name[""] % {"language": value} if value else ""


# Without it nothing is kept: judges that were set up before there was a choice explain in English.
EXPLAINED = Language(
    name=SLOT,
    label=gettext_lazy("It explains in"),
    help_text=gettext_lazy("Best in the language that people here explain in, so that nothing gives a judge away."),
    words={"": gettext_lazy("explains in: %(language)s")},
    in_name={"": ", explains in %(language)s"},
    is_kept=False,
)
