"""The form by which a file is handed in."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from formats.importing.registry import importers
from formats.readers.choosing import FORMATS, NAMES


def kind_choices() -> list[tuple[str, Any]]:
    """A file made elsewhere in a format of its own says so itself; it is not asked for."""
    return [(each.kind, each.name) for each in importers().values() if not each.format.is_named]


def format_choices() -> list[tuple[str, Any]]:
    names: dict[str, Any] = {
        "label-studio": "Label Studio",
        "doccano": "doccano",
        "prodigy": "Prodigy",
        "web-annotation": "W3C Web Annotation",
        "mqm": "MQM (WMT)",
        "conll": "CoNLL",
        "uima": "INCEpTION (UIMA JSON)",
        "potato": "Potato",
        "esa": "ESA (WMT)",
        "argilla": "Argilla",
        "alpaca-eval": "AlpacaEval",
        "mt-bench": "MT-Bench",
        "tsv-unquoted": _("TSV without quotes"),
    }
    return [("", _("As its name says")), *((each, names.get(each) or NAMES[each]) for each in FORMATS)]


class ImportForm(forms.Form):
    """Which kind of data, and the file with it. Its rows are what stays; the file goes as soon as they are in, or a day
    after. `chosen` is the kind that the page one came from is about."""

    kind = forms.ChoiceField(label=_("What the file holds"), choices=kind_choices, widget=forms.RadioSelect)
    file = forms.FileField(
        label=_("File"), help_text=_("JSON lines, JSON, CSV, TSV, XLSX, Parquet or a zipped folder. Text in UTF-8.")
    )

    file_format = forms.ChoiceField(
        label=_("How it is written"), choices=format_choices, required=False, help_text=_("Its name says it mostly.")
    )

    def __init__(self, *args: Any, chosen: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = [kind for kind, _name in kind_choices()]
        self.fields["kind"].initial = chosen if chosen in kinds else kinds[0]

    def clean_file(self) -> UploadedFile:
        file = self.cleaned_data["file"]
        if file.size > settings.IMPORT_MAX_BYTES:
            message = _("The file is larger than %(limit)d MB. Ask an administrator to import it by command.")
            raise forms.ValidationError(message % {"limit": settings.IMPORT_MAX_BYTES // 1_000_000})
        return file
