"""The fields of a stage's form that say until when its work is to be done."""

from datetime import datetime, time
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from formats.kinds import local_minute
from projects.forms import ZoneField
from projects.problems import Invalid
from workflow.due_dates import as_said, set_due

#: Of the fields of the form, by those of the date.
FIELDS = {"due": "due_on", "zone": "due_zone", "closes": "closes_when_due"}
END_OF_DAY = time(23, 59)


class DueFields(forms.Form):
    """A day and a time of day, in a zone; without a time, the end of that day."""

    due_on = forms.DateField(
        label=_("Due on"),
        required=False,
        widget=forms.DateInput({"type": "date", "min": "2000-01-01", "max": "2999-12-31"}, format="%Y-%m-%d"),
        help_text=_("People read it in My work and are told three days and one day before, if work is left for them."),
    )
    due_time = forms.TimeField(
        label=_("At"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        help_text=_("Empty: the end of that day."),
    )
    due_zone = ZoneField()
    closes_when_due = forms.BooleanField(label=_("Close the stage for work then"), required=False)

    instance: Any

    def __init__(self, *args: Any, zone: str = settings.TIME_ZONE, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        said = as_said(self.instance)
        self.zone = said["zone"] or zone
        moment = local_minute(said["due"])
        self.initial.update(due_zone=self.zone, closes_when_due=said["closes"])
        if moment is not None:
            self.initial.update(due_on=moment.date(), due_time=moment.time())

    def clean_due_on(self) -> Any:
        day = self.cleaned_data["due_on"]
        if day is not None and not 2000 <= day.year < 3000:
            raise forms.ValidationError(_("A day from 2000 to 2999 is expected."))
        return day

    def clean_due(self) -> None:
        """Set the date on the stage; what is wrong with it stands beside its field."""
        if self.errors.keys() & {"due_on", "due_time", "due_zone"}:
            return
        day, at = self.cleaned_data["due_on"], self.cleaned_data["due_time"]
        if day is None and at is not None:
            self.add_error("due_on", _("Say on which day."))
            return
        moment = datetime.combine(day, at or END_OF_DAY) if day is not None else None
        try:
            zone = self.cleaned_data["due_zone"] or self.zone
            set_due(self.instance, moment, zone, self.cleaned_data["closes_when_due"])
        except Invalid as refused:
            for problem in refused.problems:
                self.add_error(FIELDS[problem.field], problem.message)
