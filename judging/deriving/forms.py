from django import forms
from django.utils.translation import gettext_lazy as _

from judging.deriving.steps import MAX_LIMIT
from projects.models import Change


class CutForm(forms.Form):
    """Cut every response after so many words or characters."""

    limit = forms.IntegerField(label=_("Keep the first"), min_value=1, max_value=MAX_LIMIT)
    change = forms.ChoiceField(
        label=_("Counted in"),
        choices=[(Change.WORDS, _("words")), (Change.CHARACTERS, _("characters"))],
        widget=forms.RadioSelect,
        initial=Change.WORDS,
    )
