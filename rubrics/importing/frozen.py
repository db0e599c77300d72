"""Frozen rubrics of a file: checked against what the project holds, written and frozen many at a time."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from formats.kinds import moment_of
from formats.problems import ProblemLog
from projects.insertion import as_json, insert_rows
from projects.models import Project, Prompt, Rater
from rubrics.canonical import CanonicalCriterion, canonical_form, rubric_sha256
from rubrics.models import Criterion, Rubric, WeightBand

# In the order of the rows in `store_frozen`.
CRITERION_COLUMNS = (
    "rubric",
    "key",
    "position",
    "text",
    "weight",
    "band",
    "objectivity",
    "explicitness",
    "tags",
    "failure_type",
    "quote",
)


@dataclass(slots=True)
class RubricData:
    """A checked rubric: its row, not stored yet, and its criteria as they stand in the file."""

    rubric: Rubric
    criteria: Sequence[dict]
    sha256: str
    frozen_at: datetime


class FrozenRubrics:
    """The rubrics of the prompts of one batch, those stored and those to come. Counts new ones under "rubrics"."""

    def __init__(self, project: Project, problems: ProblemLog, counts: Counter[str]) -> None:
        self.project = project
        self.problems = problems
        self.counts = counts
        self.bands = {band.slug: band for band in WeightBand.objects.filter(project=project)}
        self.known: dict[int, dict[int, Rubric]] = {}  # by prompt and version
        self.hashes: dict[tuple[int, int], str] = {}
        self.coming: list[RubricData] = []

    def load(self, prompts: Iterable[Prompt]) -> None:
        """Fetch the versions there are for these prompts; what the batch before held is forgotten."""
        self.known, self.hashes, self.coming = {}, {}, []
        rubrics = Rubric.objects.filter(prompt__in={prompt.pk for prompt in prompts}, frozen_at__isnull=False)
        for rubric in rubrics.order_by("version"):
            self.known.setdefault(rubric.prompt_id, {})[rubric.version] = rubric
            self.hashes[rubric.prompt_id, rubric.version] = rubric.sha256

    def add(
        self, line: int, fields: dict, prompt: Prompt, author: Rater, reviewer: Rater | None, place: str = ""
    ) -> Rubric | None:
        """The rubric of a line, which `store` writes; None with the problem said where it cannot be."""
        sha256 = self._sha256(line, fields, prompt, place)
        versions = self.known.setdefault(prompt.pk, {})
        version = fields.get("version") or 1
        if version in versions:
            message = _("The prompt “%(id)s” has version %(version)d of its rubric already.")
            values = {"id": prompt.key, "version": version}
            self.problems.say(line, "already_there", message % values, f"{place}version")
            return None
        newest = max(versions, default=0)
        if version < newest:
            message = _("The prompt “%(id)s” has version %(version)d of its rubric; an older one cannot follow it.")
            values = {"id": prompt.key, "version": newest}
            self.problems.say(line, "older_version", message % values, f"{place}version")
            return None
        if sha256 is None:
            return None
        rubric = versions[version] = Rubric(
            project=self.project,
            prompt=prompt,
            version=version,
            supersedes=versions.get(newest),
            scope=fields["scope"],
            gold_answer=fields["gold_answer"],
            author=author,
            reviewed_by=reviewer,
            difficulty=fields.get("difficulty") or {},
            accepted_findings=fields.get("accepted_findings") or [],
            metadata=fields.get("metadata") or {},
        )
        self.hashes[prompt.pk, version] = sha256
        self.coming.append(RubricData(rubric, fields["criteria"], sha256, moment_of(fields["frozen_at"])))
        return rubric

    def store(self) -> None:
        store_frozen(self.coming, self.bands)
        self.counts["rubrics"] += len(self.coming)

    def _sha256(self, line: int, fields: dict, prompt: Prompt, place: str) -> str | None:
        """The hash of the rubric's canonical form; None where a band is unknown or the file has another hash."""
        before = self.problems.total
        for index, criterion in enumerate(fields["criteria"]):
            band = criterion.get("band")
            if band is not None and band not in self.bands:
                message = _("The project has no weight band “%(slug)s”. It has: %(known)s.")
                values = {"slug": band, "known": ", ".join(self.bands) or "–"}
                self.problems.say(line, "unknown", message % values, f"{place}criteria[{index}].band")
        sha256 = sha256_of(fields, prompt)
        if fields.get("sha256") not in (None, sha256):
            message = _("The rubric's canonical form has the hash %(found)s: it is not the rubric that was frozen.")
            self.problems.say(line, "hash_differs", message % {"found": sha256}, f"{place}sha256")
        return sha256 if self.problems.total == before else None


def sha256_of(fields: dict, prompt: Prompt) -> str:
    return rubric_sha256(
        canonical_form(
            prompt_sha256=prompt.text_sha256,
            variety=prompt.variety.tag,
            scope=fields["scope"],
            gold_answer=fields["gold_answer"],
            criteria=[
                CanonicalCriterion(
                    criterion["key"],
                    criterion["text"],
                    criterion["weight"],
                    criterion.get("band") or "",
                    criterion["objectivity"],
                    criterion["explicitness"],
                    criterion.get("tags") or (),
                )
                for criterion in fields["criteria"]
            ],
        )
    )


def store_frozen(rubrics: Sequence[RubricData], bands: dict[str, WeightBand]) -> None:
    """Write rubrics with their criteria and freeze them, all or none, in statements that do not grow with them.

    A version is written after the one it takes the place of; the freeze comes last, as the database demands.
    """
    with transaction.atomic():
        for version in sorted({data.rubric.version for data in rubrics}):
            Rubric.objects.bulk_create(data.rubric for data in rubrics if data.rubric.version == version)
        insert_rows(
            Criterion,
            CRITERION_COLUMNS,
            [
                (
                    data.rubric.pk,
                    criterion["key"],
                    position,
                    criterion["text"],
                    criterion["weight"],
                    bands[criterion["band"]].pk if criterion.get("band") else None,
                    criterion["objectivity"],
                    criterion["explicitness"],
                    as_json(criterion.get("tags") or []),
                    "",
                    "",
                )
                for data in rubrics
                for position, criterion in enumerate(data.criteria, start=1)
            ],
        )
        for data in rubrics:
            data.rubric.sha256, data.rubric.frozen_at = data.sha256, data.frozen_at
        Rubric.objects.bulk_update((data.rubric for data in rubrics), ["sha256", "frozen_at"])
