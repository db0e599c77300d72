"""Pairs in a file of items: two responses to one prompt that are set side by side."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from formats.importing.origins import Origin
from formats.problems import ProblemLog
from formats.reading import Record
from projects.insertion import insert_rows
from projects.models import Project, Response, ResponsePair

PAIR = "pair"
# In the order of the rows in `PairBook.store`.
STORED_FIELDS = ("project", "key", "prompt", "variety", "first", "second", "created_at", "came_with")
SIDES = ("first", "second")


class StoredPair(NamedTuple):
    pk: int
    first: int
    second: int


class PairBook:
    """Stores the pairs of one file. Counts them under "pairs"."""

    def __init__(self, project: Project, problems: ProblemLog, counts: Counter[str]) -> None:
        self.project = project
        self.problems = problems
        self.counts = counts
        self.origin: Origin | None = None
        # Whether a pair that the project has already may be said again.
        self.renews = False
        # Rows beyond this came with this file: an id that is found there stands in the file twice.
        self.last_before = ResponsePair.objects.filter(project=project).aggregate(last=Max("id"))["last"] or 0

    def store(self, batch: Sequence[Record], lines: Mapping[str, int]) -> None:
        """Write the pairs whose responses are there; `lines` says where those of the same batch stand."""
        if not batch:
            return
        responses = self._responses(batch)
        taken, paired = self._stored([record.fields["id"] for record in batch], responses)
        batch = [record for record in batch if not self._is_unchanged(record, taken, responses)]
        keys: dict[str, int] = {}
        now, rows = timezone.now(), []
        for record in batch:
            first, second = (self._response(record, side, responses, lines) for side in SIDES)
            if not self._is_new(record, taken, keys) or first is None or second is None:
                continue
            if self._can_be_compared(record, first, second, paired):
                paired |= {(first.pk, second.pk), (second.pk, first.pk)}
                row = (self.project.pk, record.fields["id"], first.prompt_id, first.variety_id)
                rows.append((*row, first.pk, second.pk, now, self.origin.pk if self.origin else None))
        insert_rows(ResponsePair, STORED_FIELDS, rows)
        self.counts["pairs"] += len(rows)

    def _responses(self, batch: Sequence[Record]) -> dict[str, Response]:
        keys = {record.fields[side] for record in batch for side in SIDES}
        rows = Response.objects.filter(project=self.project, key__in=keys)
        return {response.key: response for response in rows.only("key", "prompt_id", "variety_id")}

    def _stored(
        self, keys: Sequence[str], responses: Mapping[str, Response]
    ) -> tuple[dict[str, StoredPair], set[tuple[int, int]]]:
        """Pairs of these ids, and which of these responses are paired already, either way round."""
        ids = [response.pk for response in responses.values()]
        rows = ResponsePair.objects.filter(Q(key__in=keys) | Q(first__in=ids), project=self.project)
        taken: dict[str, StoredPair] = {}
        paired: set[tuple[int, int]] = set()
        for pk, key, first, second in rows.values_list("id", "key", "first_id", "second_id"):
            taken[key] = StoredPair(pk, first, second)
            paired |= {(first, second), (second, first)}
        return taken, paired

    def _is_unchanged(self, record: Record, taken: Mapping[str, StoredPair], responses: Mapping[str, Response]) -> bool:
        found = taken.get(record.fields["id"])
        if not self.renews or found is None or found.pk > self.last_before:
            return False
        ids = tuple(responses[record.fields[side]].pk if record.fields[side] in responses else 0 for side in SIDES)
        if ids != (found.first, found.second):
            return False
        self.counts["unchanged pairs"] += 1
        return True

    def _response(
        self, record: Record, side: str, responses: Mapping[str, Response], lines: Mapping[str, int]
    ) -> Response | None:
        key = record.fields[side]
        response = responses.get(key)
        if response is None or lines.get(key, 0) > record.line:
            message = _("There is no response with this id on an earlier line or in the project.")
            self.problems.say(record.line, "unknown_item", message, side)
            return None
        return response

    def _is_new(self, record: Record, taken: Mapping[str, StoredPair], keys: dict[str, int]) -> bool:
        key = record.fields["id"]
        if key in keys:
            message = _("This id stands on line %(line)d already.") % {"line": keys[key]}
            self.problems.say(record.line, "duplicate_id", message, "id")
        elif key not in taken:
            keys[key] = record.line
            return True
        elif taken[key].pk > self.last_before:
            self.problems.say(record.line, "duplicate_id", _("This id stands on an earlier line already."), "id")
        else:
            message = _("A pair with this id is already in the project.")
            self.problems.say(record.line, "already_there", message, "id")
        return False

    def _can_be_compared(self, record: Record, first: Response, second: Response, paired: set[tuple[int, int]]) -> bool:
        if first.pk == second.pk:
            code, message = "same_response", _("A response is not compared with itself.")
        elif first.prompt_id != second.prompt_id:
            code, message = "other_prompt", _("The two responses of a pair answer one prompt; these answer two.")
        elif first.variety_id != second.variety_id:
            code, message = "other_variety", _("The two responses of a pair are of one language variety.")
        elif (first.pk, second.pk) in paired:
            code, message = "already_paired", _("These two responses are a pair already.")
        else:
            return True
        self.problems.say(record.line, code, message, "second")
        return False
