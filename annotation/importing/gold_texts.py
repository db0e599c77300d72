"""What importers of gold files with texts share: the responses, and who of the raters is an expert."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from formats.importing.items import Items
from formats.importing.pseudonyms import PseudonymBook
from formats.reading import Record
from projects.models import Rater, Response

#: Of a line: its number, and its responses by their ids, as lines of an items file.
OfLine = tuple[int, Mapping[str, dict]]


class TextsOfGold:
    """Stores responses at their first line; a later line of the same one says the same of it."""

    def __init__(self, items: Items) -> None:
        self.items, self.project, self.problems = items, items.project, items.problems

    def store(self, lines: Sequence[OfLine], pairs: Sequence[Record]) -> None:
        """`pairs` are those of these lines, as lines of an items file."""
        new: dict[str, Record] = {}
        known = self._brought({key for _line, items in lines for key in items})
        for line, items in lines:
            for key, item in items.items():
                before = new[key].fields if key in new else known.get(key)
                if before is None:
                    new[key] = Record(line, item)
                elif not same_item(before, item):
                    message = _("The response “%(id)s” stands with another value here than before.")
                    self.problems.say(line, "response_differs", message % {"id": key}, "id")
        self.items.store([*new.values(), *pairs])

    def _brought(self, keys: set[str]) -> dict[str, dict]:
        """Responses of these ids that earlier batches of the file have stored, as items."""
        responses = Response.objects.filter(project=self.project, key__in=keys, id__gt=self.items.last_before)
        responses = responses.select_related("prompt__variety", "variety", "target_model__laboratory")
        return {response.key: item_of_stored(response) for response in responses}


class Experts:
    """A rater is an expert on every line of the file, or on none; a new one becomes what the first line says."""

    def __init__(self, raters: PseudonymBook) -> None:
        self.problems = raters.problems
        self.known = {rater.pk: rater.is_expert for rater in raters.raters.values()}

    def are_as_before(self, line: int, answer: Mapping[str, Any], rater: Rater, place: str) -> bool:
        said = bool(answer.get("expert"))
        if rater.pk not in self.known:
            self.known[rater.pk] = said
            if said:
                rater.is_expert = True
                rater.save(update_fields=["is_expert"])
        if self.known[rater.pk] != said:
            message = _("This rater is an expert on some lines, or in the project, and not on others.")
            self.problems.say(line, "rater_differs", message, f"{place}expert")
            return False
        return True


def item_of_stored(response: Response) -> dict:
    """What of a stored response its next line must say again."""
    return {
        "prompt_id": response.prompt.key,
        "response": response.text,
        "variety": response.variety.tag,
        "model": response.target_model.name,
        "metadata": response.metadata,
    }


def same_item(one: dict, other: dict) -> bool:
    """The prompt is compared where it is found; here it is what belongs to the response alone."""
    fields = ("prompt_id", "response", "variety", "model")
    same = all(one.get(field) == other.get(field) for field in fields)
    return same and (one.get("metadata") or {}) == (other.get("metadata") or {})
