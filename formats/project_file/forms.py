"""The form by which a project file is handed in: a file, or its text as the page shows it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from formats.project_file.reading import MAX_BYTES
from projects.models import Project
from projects.stored_text import unbroken


class ProjectFileForm(forms.Form):
    """`content` of the cleaned data holds the bytes of the file, or else of the text."""

    file = forms.FileField(label=_("File"), required=False, help_text=_("YAML, UTF-8, of at most 5 MB."))
    text = forms.CharField(
        label=_("or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "dir": "ltr", "spellcheck": "false", "class": "form-control"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        file, text = cleaned.get("file"), unbroken(cleaned.get("text") or "")
        if file is not None and file.size > MAX_BYTES:
            self.add_error("file", _("The file is larger than 5 MB."))
        elif file is not None:
            cleaned["content"] = file.read()
        elif text.strip():
            cleaned["content"] = text.encode("utf-8", "surrogatepass")
        elif not self.errors:
            self.add_error("file", _("Choose a file, or write its text."))
        return cleaned


class NewProjectFileForm(ProjectFileForm):
    slug = forms.SlugField(
        label=_("Short name"),
        required=False,
        max_length=Project._meta.get_field("slug").max_length,
        help_text=_("Stands in addresses and commands. Left empty, it is made of the name in the file."),
    )
    field_order = ("file", "text", "slug")


class CloneForm(forms.Form):
    slug = forms.SlugField(label=_("Short name"), max_length=Project._meta.get_field("slug").max_length)
    name = forms.CharField(label=_("Name"), max_length=120, required=False, widget=forms.TextInput({"dir": "auto"}))


class CompareForm(forms.Form):
    other = forms.ModelChoiceField(Project.objects.none(), label=_("Project"), to_field_name="slug")

    def __init__(self, *args: Any, project: Project, projects: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        other = self.fields["other"]
        assert isinstance(other, forms.ModelChoiceField)
        other.queryset = projects.exclude(pk=project.pk)
