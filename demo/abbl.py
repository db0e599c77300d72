"""The project `abbl`: a benchmark with simulated models, judges and people, generated at the size of the paper's.

It goes the way that a benchmark goes: questions are imported and checked, the set is frozen, answers come in, rules
score them, judges are run, people score a sample, and the board is opened.
"""

import json
from functools import partial
from random import Random

from benchmark.anchors import add_anchors
from benchmark.baselines import add_baselines
from benchmark.freezing import freeze
from benchmark.models import Answer, Board, ConfigurationKind, QuestionSet
from benchmark.question_check.deciding import keep_agreed, take_over
from benchmark.scoring import score_answers
from demo.abbl_beside import (
    add_checks,
    add_errata,
    add_flags,
    add_human_scores,
    add_probes,
    add_speeds,
)
from demo.loading import Encoded, refuse_problems, share_with_leads
from demo.studies import abbl
from demo.studies.abbl_answers import Given, answers_of, judged
from formats.importing.running import run_import
from formats.reading import Progress, Source
from judging.engine.calling import Question as Call
from judging.engine.replaying import replay
from judging.engine.runs import create_run
from judging.judges import add_judge
from judging.models import Judge
from projects.creation import create_project
from projects.models import Project, Response
from projects.rehearsing import stored_at_once
from providers.client.replies import Reply
from providers.endpoints import simulated_provider
from reports.leaderboard.measures.columns import frozen_control
from reports.leaderboard.standings import study_of

#: By name of a judge: points it gives too many, and the standard deviation of its error.
JUDGES = {"Simulated judge A": (0.2, 0.6), "Simulated judge B": (0.9, 1.1)}
#: What baselines are worth by meaning.
NOTHING = 0.0
ANCHORS = 12
#: Of the answers, every so many is judged once more by the first judge.
REPEATED_EVERY = 12

#: By configuration's short name and key of the question.
Answers = dict[tuple[str, str], Given]


@stored_at_once
def load_at_abbl_scale(seed: int = abbl.DEFAULT_SEED, progress: Progress | None = None) -> Project:
    """470 generated questions, answered by eight simulated models of four size classes and one of undisclosed size.

    Who is ahead of whom is known: `demo.studies.abbl.MODELS`. Judges and people err as they are told to.
    """
    project = create_project(
        Project(
            slug="abbl",
            name="ABBL scale (generated)",
            description="Generated questions, answers and scores at the size of the Arabic Broad Benchmark. Nobody "
            "asked, answered or scored any of it: models, laboratories, judges and people are simulated, and no row of "
            "the board stands for a model that exists.",
            preset="leaderboard",
            is_generated=True,
        ),
        None,
    )
    share_with_leads(project)
    asked = abbl.questions(seed)
    bring = partial(bring_in, project, progress=progress)
    bring("benchmark-questions", abbl.draft_lines(asked, seed))
    question_set = checked_and_frozen(project, seed)
    given = {
        (model.slug, key): answer for model in abbl.MODELS for key, answer in answers_of(model, asked, seed).items()
    }
    bring("benchmark-answers", answer_lines(given))
    add_baselines(project)
    bring_anchors(project, asked)
    score_answers(question_set)
    judges = run_judges(project, given, seed)
    add_human_scores(project, question_set, given, seed)
    add_speeds(project, seed)
    add_flags(question_set)
    add_probes(project, question_set, seed)
    add_errata(project, question_set)
    open_board(project, judges)
    return project


def bring_in(project: Project, kind: str, lines: list[dict], progress: Progress | None) -> None:
    refuse_problems(run_import(project, Source(Encoded(lines), f"generated {kind}"), kind, progress=progress))


def checked_and_frozen(project: Project, seed: int) -> QuestionSet:
    """Two checkers look at a part of the draft; what they agree on is decided, and the set is frozen."""
    question_set = QuestionSet.objects.get(project=project, slug=abbl.SET)
    for check in add_checks(question_set, seed):
        take_over(check, None)
    keep_agreed(question_set, None)
    return freeze(question_set)


# --- Answers ---


def answer_lines(given: Answers) -> list[dict]:
    """The configurations, and behind them their answers, as a file of answers has them."""
    lines = [configuration_line(model) for model in abbl.MODELS]
    for (slug, key), answer in given.items():
        line = {"configuration": slug, "set": abbl.SET, "id": key, "text": answer.text}
        if answer.reasoning:
            line["reasoning"] = answer.reasoning
        line["finish_reason"] = "length" if answer.is_cut else "stop"
        lines.append(line | ({"refusal": True} if answer.is_refusal else {}))
    return lines


def configuration_line(model: abbl.Model) -> dict:
    total, active = model.parameters or (None, None)
    return {
        "kind": "configuration",
        "id": model.slug,
        "name": f"{model.name} (simulated)",
        "laboratory": f"{model.laboratory} (simulated)",
        "card": {
            "id": model.slug,
            "name": f"{model.name} (simulated)",
            "access": "open" if model.is_open else "api",
            "parameters_total": total,
            "parameters_active": active,
            "licence": "Simulated: no such model" if model.is_open else "Simulated: by API only",
            "context_tokens": 32768,
            "declared_overlap": "None, says its simulated laboratory." if model.slug == "sahel-72b" else "",
        },
        "provider": "simulated",
        "revision": f"generated-{model.slug}",
        "precision": "bf16" if model.is_open else "",
        "sampling": {"temperature": 0},
        "thinking_effort": "medium" if model.thinks else "",
        "token_limit": 1024,
        "standing": "pending" if model.lists_options else "ranked",
    }


def bring_anchors(project: Project, asked: list[abbl.Asked]) -> None:
    """The references of some questions, and their first halves: what a good judge gives them is known."""
    known = [each for each in asked if each.kind == "definition" and not each.line.get("held_back")][:ANCHORS]
    lines: list[dict] = []
    for at, each in enumerate(known):
        terms = each.line["output"].split()
        text = each.line["output"] if at % 2 else " ".join(terms[: len(terms) // 2])
        lines.append({"question": each.key, "text": text, "expected": 10 if at % 2 else 5})
    add_anchors(project, Source(Encoded(lines), "generated anchors"))


# --- Judges ---


def run_judges(project: Project, given: Answers, seed: int) -> list[Judge]:
    """Both judges score everything that no rule decides; the first one a part of it a second time."""
    provider, judges = simulated_provider(), []
    responses = Response.objects.filter(project=project)
    for name in JUDGES:
        judge = add_judge(project, provider, "-".join(name.lower().split()), name=name, kind="reference")
        reply = replies_of(judge, given, seed)
        replay(create_run(judge, responses, options={"generated": True}), partial(reply, 1))
        judges.append(judge)
    first = judges[0]
    every = list(responses.order_by("pk").values_list("pk", flat=True))[::REPEATED_EVERY]
    again = create_run(first, responses.filter(pk__in=every), round=2, options={"generated": True})
    replay(again, partial(replies_of(first, given, seed), 2))
    return judges


def replies_of(judge: Judge, given: Answers, seed: int):  # type: ignore[no-untyped-def]
    """What the judge replies in a round to a call: a score that follows from how good the answer is known to be."""
    known = known_answers(judge.project, given)
    leniency, noise = JUDGES[judge.rater.name]

    def reply(round: int, call: Call, ticket: str) -> Reply:
        assert call.material.reference is not None
        rule = call.material.reference.rule
        rng = Random(f"{seed}:{judge.model}:{round}:{call.response}:{rule}:{call.unit}")
        score = judged(known[call.response], rule, rng, leniency, noise)
        text = json.dumps({"ticket": ticket, "reason": f"Simulated: worth {score} of 10.", "score": score})
        return Reply(text=text, model=judge.model, finish_reason="stop")

    return reply


def known_answers(project: Project, given: Answers) -> dict[int, Given]:
    """By response what it is worth: of models what was drawn, of anchors what is expected, of baselines nothing."""
    known: dict[int, Given] = {}
    rows = Answer.objects.filter(configuration__project=project, response__isnull=False)
    columns = ("response_id", "configuration__kind", "configuration__slug", "prompt__key", "response__metadata")
    for response, kind, slug, prompt, metadata in rows.values_list(*columns):
        if kind == ConfigurationKind.MODEL:
            known[response] = given[slug, prompt.partition("/")[2]]
        else:
            known[response] = Given("", metadata["anchor"]["expected"] if "anchor" in metadata else NOTHING)
    return known


def open_board(project: Project, judges: list[Judge]) -> None:
    """Everybody may read it; the control for length and format is frozen on the models that are there."""
    board = Board.objects.create(
        project=project,
        slug=project.slug,
        title="ABBL scale (generated)",
        published_judge=judges[0].rater,
        is_open=True,
    )
    board.judges.set([judge.rater for judge in judges])
    frozen_control(study_of(project))
