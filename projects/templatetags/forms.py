"""One way to draw a form field: label, control, help and errors, tied together for assistive technology."""

from django import forms, template
from django.forms import BoundField

from projects.choices import SearchableChoices

register = template.Library()


def control_class(widget: forms.Widget) -> str:
    if isinstance(widget, forms.CheckboxSelectMultiple | forms.RadioSelect):
        return ""
    if isinstance(widget, forms.CheckboxInput):
        return "form-check-input"
    if isinstance(widget, forms.Select):
        return "form-select"
    return "form-control"


@register.inclusion_tag("forms/field.html")
def field(bound: BoundField) -> dict:
    widget = bound.field.widget
    css = control_class(widget) + (" is-invalid" if bound.errors else "")
    attributes: dict[str, str | bool] = {"class": css.strip()} if css.strip() else {}
    # The forms of signing in repeat each label inside its field, where it vanishes as soon as one types.
    widget.attrs.pop("placeholder", None)
    return {
        "field": bound,
        "control": bound.as_widget(attrs=attributes),
        "is_check": isinstance(widget, forms.CheckboxInput),
        "is_searchable": isinstance(widget, SearchableChoices),
        "is_group": isinstance(widget, forms.CheckboxSelectMultiple | forms.RadioSelect),
    }
