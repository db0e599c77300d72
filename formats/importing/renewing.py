"""A newer file of items: what is the same stays, what differs is renewed, and what has answers is never changed.

the same            nothing
other metadata      written over
another text        in its place, where nothing rests on the response; else a new response beside it, whose id has
                    the number of its version behind it ("r1@2") and which names the earlier one
another model, variety or prompt: refused; that is another response
"""

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext as _

from formats.importing.prompts import prompt_key
from formats.importing.rows_of_imports import rested_on
from formats.problems import ProblemLog
from formats.reading import Record
from projects import anchors
from projects.insertion import as_json
from projects.models import Project, Response

MAX_KEY = 200


class Renewal:
    """Settles the lines of one file whose ids the project has. Counts under "updated responses" and so on."""

    def __init__(self, project: Project, problems: ProblemLog, counts: Counter[str], last_before: int) -> None:
        self.project, self.problems, self.counts, self.last_before = project, problems, counts, last_before
        self.stored_anew = 0  # new rows in the place of others, or beside them
        # By the id that a line is stored under: the response before it.
        self.earlier: dict[str, int] = {}

    def stored(self, keys: Sequence[str]) -> dict[str, Response]:
        """The newest version of each response of these ids."""
        rows = Response.objects.filter(project=self.project)
        rows = rows.select_related("prompt", "target_model", "variety")
        newest = {response.key: response for response in rows.filter(key__in=keys)}
        keys_of = {response.pk: key for key, response in newest.items()}
        while keys_of:
            found = rows.filter(earlier__in=list(keys_of))
            later = {each.pk: (each, keys_of[each.earlier_id]) for each in found if each.earlier_id}
            newest |= {key: each for each, key in later.values()}
            keys_of = {pk: key for pk, (_each, key) in later.items()}
        return newest

    def settle(self, batch: Sequence[tuple[Record, Response]]) -> list[Record]:
        """Of lines with the responses that the project has under their ids: those that are to be stored."""
        changed = [pair for pair in batch if self._is_of_the_same(*pair) and self._has_another_text(*pair)]
        resting = rested_on(Response, [response.pk for _record, response in changed])
        replaced = {response.pk for _record, response in changed} - resting
        coming = []
        for record, response in changed:
            if response.pk in resting:
                self._stand_beside(record, response)
                self.counts["new versions"] += 1
            else:
                record.fields["id"] = response.key
                if response.earlier_id:
                    self.earlier[response.key] = response.earlier_id
                self.counts["updated responses"] += 1
            coming.append(record)
        Response.objects.filter(pk__in=replaced).delete()
        self.stored_anew += len(coming)
        return coming

    def _is_of_the_same(self, record: Record, response: Response) -> bool:
        fields = record.fields
        said = {
            "model": (fields["model"], response.target_model.name),
            "variety": (fields["variety"], response.variety.tag),
            "prompt_id" if fields.get("prompt_id") else "prompt": (prompt_key(fields), response.prompt.key),
        }
        differing = [name for name, (here, there) in said.items() if here != there]
        if response.pk > self.last_before:
            self.problems.say(record.line, "duplicate_id", _("This id stands on an earlier line already."), "id")
            return False
        for name in differing:
            message = _("A response with this id is in the project with another value of this field.")
            self.problems.say(record.line, "already_there_differs", message, name)
        return not differing

    def _has_another_text(self, record: Record, response: Response) -> bool:
        if response.text_sha256 != anchors.sha256(record.fields["response"]):
            return True
        metadata = record.fields.get("metadata") or {}
        if "metadata" in record.fields and as_json(metadata) != as_json(response.metadata):
            Response.objects.filter(pk=response.pk).update(metadata=metadata)
            self.counts["updated responses"] += 1
        else:
            self.counts["unchanged responses"] += 1
        return False

    def _stand_beside(self, record: Record, response: Response) -> None:
        base, _at, number = response.key.rpartition("@")
        is_version = response.earlier_id is not None and number.isdecimal()
        key = f"{base}@{int(number) + 1}" if is_version else f"{response.key}@2"
        if len(key) > MAX_KEY:
            message = _("The id has no room for the number of a new version: at most %(limit)d characters.")
            self.problems.say(record.line, "too_long", message % {"limit": MAX_KEY}, "id")
        record.fields["id"] = key
        self.earlier[key] = response.pk
