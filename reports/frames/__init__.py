"""Frames for research: everything that was answered in a project, as tidy pandas frames.

    from reports.frames import spans
    spans("short-name-of-the-project")        # the whole frame
    spans.chunks("short-name-of-the-project") # the same, a few thousand rows at a time

In a notebook that was begun in the project's folder this is all it takes: Django is set up where it is not yet.
"""

import os

from django.apps import apps

if not apps.models_ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # A notebook's kernel runs an event loop, in which Django would refuse to read; its cells run one by one.
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    import django

    django.setup()

from reports.frames.coding import codings, refinements
from reports.frames.files import read_csv, read_jsonl
from reports.frames.frame import Frame
from reports.frames.grading import grades, verdicts
from reports.frames.judging import calls
from reports.frames.marking import markings, spans
from reports.frames.questionnaire_gold import questionnaire_gold
from reports.frames.questionnaires import questionnaires
from reports.frames.rating import preferences, ratings
from reports.frames.registry import FRAMES
from reports.frames.reviewing import reviews
from reports.frames.same_issues import same_issues
from reports.frames.scoring import scores
from reports.frames.sentences import sentences
from reports.frames.texts import texts

__all__ = [
    "FRAMES",
    "Frame",
    "calls",
    "codings",
    "grades",
    "markings",
    "preferences",
    "questionnaire_gold",
    "questionnaires",
    "ratings",
    "read_csv",
    "read_jsonl",
    "refinements",
    "reviews",
    "same_issues",
    "scores",
    "sentences",
    "spans",
    "texts",
    "verdicts",
]
