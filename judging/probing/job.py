"""Probes as a job: broken off, paused or cancelled it goes on with what was not asked yet."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure
from benchmark.models import Configuration, Probe, ProbeKind, QuestionSet
from benchmark.probing.asking import asks, paraphrase_of, public_questions
from benchmark.probing.concluding import conclude
from benchmark.probing.disturbing import NATURAL, WAYS
from benchmark.probing.figures import figure_of
from jobs.kinds import JobKind
from jobs.models import Job, Queue
from jobs.working import Held
from judging.models import TargetEndpoint
from judging.probing.asking import Purse, left_of, paraphrase_asks, put, write_paraphrase, write_result
from judging.probing.beginning import ASKING, PROBING, endpoints_of, paraphraser_of
from projects.among import Among
from projects.problems import Invalid, Problem


class Probing(JobKind):
    name = PROBING
    label = gettext_lazy("Probing models for contamination")
    queue = Queue.CALLS
    permission = "judges.run"

    def run(self, held: Held) -> Any:
        options = held.job.options
        question_set = QuestionSet.objects.select_related("project").filter(pk=options["question_set"]).first()
        if question_set is None:
            raise Invalid(Problem("no_question_set", _("The question set is no longer there.")))
        rows = Configuration.objects.filter(pk__in=Among(options["configurations"])).select_related("project")
        battery = Battery(question_set, list(rows.order_by("name")), options, held)
        return battery.run()

    def describe(self, job: Job) -> str:
        return str(job.options["name"])

    def url(self, job: Job) -> str:
        assert job.project is not None  # `begin_probing` names it
        return reverse("board-probes", args=[job.project.slug])


@dataclass
class Battery:
    """The probes of one job. Models known to be clean come first: the others are measured by them."""

    question_set: QuestionSet
    configurations: Sequence[Configuration]
    options: dict[str, Any]
    held: Held
    done: int = 0
    total: int = 0
    failed: int = 0
    verdicts: dict[str, str] = field(default_factory=dict)

    def run(self) -> dict[str, Any]:
        project = self.question_set.project_id
        clean = list(Configuration.objects.filter(project=project, slug__in=self.options["clean"][:200]))
        of_clean = {row.pk for row in clean}
        rows = sorted(self.configurations, key=lambda row: row.pk not in of_clean)
        endpoints = endpoints_of(self.question_set, rows)
        kinds = [kind for kind in ProbeKind.values if kind in self.options["kinds"]]
        probes = [
            self.probe_for(row, kind) for row in rows for kind in kinds if kind not in ASKING or row.pk in endpoints
        ]
        spent = Probe.objects.filter(pk__in=Among(probe.pk for probe in probes)).aggregate(
            money=Sum("cost"), tokens=Sum("tokens")
        )
        purse = Purse(
            self.options["money_limit"], self.options["token_limit"], spent["money"] or 0, spent["tokens"] or 0
        )
        self.paraphrase(probes, purse)
        ways = WAYS if clean else NATURAL
        drawn = {
            kind: asks(self.question_set, kind, self.options["seed"], self.options["questions"], ways) for kind in kinds
        }
        self.total = self.done + sum(len(drawn[probe.kind]) for probe in probes)
        for row in rows:
            for probe in (each for each in probes if each.configuration_id == row.pk):
                if probe.kind in ASKING:
                    self.put_probe(probe, drawn[probe.kind], endpoints[row.pk], purse)
                self.finish(probe, clean)
            self.verdicts[row.slug] = conclude(row, self.question_set)
        unasked = [row.slug for row in rows if row.pk not in endpoints]
        return {"verdicts": self.verdicts, "failed": self.failed, "no_endpoint": unasked}

    def probe_for(self, row: Configuration, kind: str) -> Probe:
        """The pass that was begun with the same seed, questions and models known to be clean, or a new one."""
        told = {name: self.options[name] for name in ("questions", "clean")}
        rows = Probe.objects.filter(
            configuration=row, question_set=self.question_set, kind=kind, seed=self.options["seed"]
        )
        known = next((probe for probe in rows if probe.options == told), None)
        values = {"kind": kind, "seed": self.options["seed"], "options": told}
        return known or Probe.objects.create(configuration=row, question_set=self.question_set, **values)

    def on_batch(self, n: int) -> None:
        self.done += n
        self.held.check()
        self.held.progress(self.done, self.total)

    def put_probe(self, probe: Probe, drawn: Sequence[Any], endpoint: TargetEndpoint, purse: Purse) -> None:
        left = left_of(probe, drawn)
        self.done += len(drawn) - len(left)
        if left:
            self.failed += put(left, probe, endpoint, purse, partial(write_result, probe), self.on_batch)

    def finish(self, probe: Probe, clean: Sequence[Configuration]) -> None:
        figure: Figure = figure_of(probe, clean)
        probe.figure, probe.ended_at = figure.as_json(), timezone.now()
        probe.save(update_fields=["figure", "ended_at"])

    def paraphrase(self, probes: Sequence[Probe], purse: Purse) -> None:
        """Have the questions of guided completion said in other words where nobody did; the first probe pays."""
        payer = next((probe for probe in probes if probe.kind == ProbeKind.COMPLETION), None)
        endpoint = paraphraser_of(self.question_set, self.options["paraphraser"])
        if payer is None or endpoint is None:
            return
        questions = public_questions(self.question_set, self.options["seed"])[: self.options["questions"]]
        wanted = paraphrase_asks([question for question in questions if not paraphrase_of(question)[0]])
        if wanted:
            self.total = len(wanted)
            self.failed += put(wanted, payer, endpoint, purse, partial(write_paraphrase, endpoint), self.on_batch)
