"""What people are told of. A notice is stored without words: they are made for whoever reads it, in their language."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.directions import isolated


class Kind(models.TextChoices):
    """Each has its switches for every person (notices.models.NoticeSwitch)."""

    WORK = "work", _("There is work for me")
    ANSWER = "answer", _("My question was answered")
    QUESTION = "question", _("Somebody asks me")
    PAUSED = "paused", _("I am paused")
    RETURNED = "returned", _("An answer of mine was sent back")
    TIME = "time", _("My working time was corrected")
    DUE = "due", _("Work of mine is due")


#: Takes the name of the project and, of some, of a stage and a moment.
SENTENCES: Mapping[str, Any] = {
    Kind.WORK: _("There is work for you in %(stage)s of %(project)s."),
    Kind.ANSWER: _("Your question in %(project)s was answered."),
    Kind.QUESTION: _("Somebody asked a question in %(project)s."),
    Kind.RETURNED: _("An answer of yours in %(stage)s of %(project)s was sent back to you."),
    Kind.TIME: _("Your working time in %(project)s was answered or corrected."),
    Kind.PAUSED: _("You are paused in %(stage)s of %(project)s. What you have begun you can finish."),
    Kind.DUE: _("%(stage)s of %(project)s is due %(moment)s, and work is left there for you."),
}


def sentence(kind: str, project: str, stage: str = "", moment: str = "") -> str:
    """`moment` is a date and time as its reader's clocks show it."""
    told = {"project": isolated(project), "stage": isolated(stage), "moment": isolated(moment)}
    return str(SENTENCES[kind]) % told
