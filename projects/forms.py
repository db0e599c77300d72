from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects import explanations
from projects.access import ADMIN, INVITABLE
from projects.choices import VarietiesField
from projects.languages.tags import NotATag
from projects.models import LanguageVariety, Project, Role
from projects.presets import presets
from projects.varieties import suggested, tag_named, variety_of
from projects.zones import is_zone


def preset_choices() -> list[tuple[str, Any]]:
    return [(preset.slug, preset.name) for preset in presets().values()]


class ZoneField(forms.CharField):
    """A time zone by its name, such as Africa/Cairo; the browser proposes names as one types."""

    default_error_messages = {"unknown": _("There is no such time zone. Examples: Africa/Cairo, Asia/Dhaka.")}

    def __init__(self, **kwargs: Any) -> None:
        attributes = {"list": "time-zones", "dir": "ltr", "autocomplete": "off"}
        super().__init__(
            label=_("Time zone"), required=False, max_length=64, widget=forms.TextInput(attributes), **kwargs
        )

    def clean(self, value: Any) -> str:
        name = super().clean(value)
        if name and not is_zone(name):
            raise forms.ValidationError(self.error_messages["unknown"], "unknown")
        return name


class ProjectForm(forms.ModelForm):
    """Begin a project: a name, a short name for addresses and commands, and what it starts from."""

    preset = forms.ChoiceField(label=_("Starts from"), choices=preset_choices, widget=forms.RadioSelect)

    class Meta:
        model = Project
        fields = ["name", "slug", "description", "preset"]
        widgets = {"description": forms.Textarea(attrs={"rows": 3, "dir": "auto"})}
        help_texts = {"slug": _("Latin letters, digits and hyphens; it stands in addresses and commands.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["preset"].initial = next(iter(presets()), None)


class SettingsForm(forms.ModelForm):
    """The settings; the guidelines have a page of their own."""

    class Meta:
        model = Project
        fields = [
            *("name", "description", "ask_category", "show_target_model", "forbid_repeats", "only_validated_prompts"),
            *("explanation_language", "licence", "citation"),
        ]
        widgets = {
            "description": forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
            "citation": forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kept = self.instance.explanation_language
        self.fields["explanation_language"].widget = forms.Select(
            choices=explanations.choices(self.instance, explanations.in_words("en"), kept)
        )

    def clean_explanation_language(self) -> str:
        try:
            return explanations.tidied(self.cleaned_data["explanation_language"])
        except NotATag as refused:
            raise forms.ValidationError(str(refused)) from None


class InvitationForm(forms.Form):
    email = forms.EmailField(label=_("Email address"))
    name = forms.CharField(label=_("Name"), max_length=120, required=False, widget=forms.TextInput({"dir": "auto"}))
    roles = forms.MultipleChoiceField(label=_("Roles"), widget=forms.CheckboxSelectMultiple)
    varieties = VarietiesField(
        label=_("Languages"),
        queryset=LanguageVariety.objects.all(),
        required=False,
        help_text=_("An annotator is given responses in these alone."),
    )
    other_languages = forms.CharField(
        label=_("Other languages"),
        max_length=400,
        required=False,
        help_text=_("By their tags or names, with commas between: ary, yo, zh-Hant-TW."),
        widget=forms.TextInput({"dir": "auto", "autocomplete": "off"}),
    )
    is_expert = forms.BooleanField(label=_("Expert: settles what others leave open"), required=False)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        inviter_roles = project.viewer_roles
        varieties = self.fields["varieties"]
        assert isinstance(varieties, VarietiesField)
        varieties.offer(suggested(project))
        allowed = INVITABLE[ADMIN] if ADMIN in inviter_roles else INVITABLE[Role.LEAD]
        roles = self.fields["roles"]
        assert isinstance(roles, forms.MultipleChoiceField)
        roles.choices = [choice for choice in Role.choices if choice[0] in allowed]

    def clean(self) -> dict:
        cleaned = super().clean() or {}
        others = cleaned.pop("other_languages", "").replace("،", ",").split(",")
        if not self.errors:
            cleaned["varieties"] = [*cleaned["varieties"], *self._others(others)]
        works = {Role.ANNOTATOR, Role.VALIDATOR, Role.AUTHOR} & set(cleaned.get("roles", []))
        if works and not cleaned.get("varieties"):
            self.add_error("varieties", _("Choose at least one language: without it there is nothing to hand out."))
        return cleaned

    def _others(self, named: list[str]) -> list[LanguageVariety]:
        tags = []
        for each in filter(None, map(str.strip, named)):
            try:
                tags.append(tag_named(each))
            except NotATag as refused:
                self.add_error("other_languages", str(refused))
        return [variety_of(tag) for tag in tags] if not self.errors else []


class TagField(forms.CharField):
    """One language, by its tag or by its name; its value is the tag."""

    def clean(self, value: Any) -> str:
        typed = super().clean(value)
        try:
            return tag_named(typed) if typed else ""
        except NotATag as refused:
            raise forms.ValidationError(str(refused), "unknown") from None


class LanguageForm(forms.Form):
    language = TagField(
        label=_("Language"),
        max_length=200,
        help_text=_("By its tag, such as ar-EG, yo or zh-Hant, or by its name."),
        widget=forms.TextInput({"list": "languages", "dir": "auto", "autocomplete": "off"}),
    )
    short_name = forms.CharField(
        label=_("Short name"),
        max_length=12,
        required=False,
        help_text=_("What tables and files of this project call it. Empty: its tag."),
        widget=forms.TextInput({"dir": "auto", "autocomplete": "off"}),
    )


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        label=_("Roles"), choices=Role.choices, widget=forms.CheckboxSelectMultiple, required=False
    )


class TokenForm(forms.Form):
    name = forms.CharField(label=_("What the token is for"), max_length=80, help_text=_("For example: nightly export"))


class AccountForm(forms.Form):
    name = forms.CharField(label=_("Your name"), max_length=120, widget=forms.TextInput({"dir": "auto"}))
    time_zone = ZoneField(help_text=_("By it your days and weeks begin. Empty: as your browser says."))
