"""The project `perle`: rubrics, grades of two varieties and five judges, generated at the size of the paper's."""

import json

from demo.loading import Encoded, refuse_problems, share_with_leads
from demo.studies import perle
from demo.studies.leniency import GeneratedJudge
from demo.studies.perle_counts import JUDGES
from demo.studies.perle_judges import judge_verdicts
from formats.importing.running import run_import
from formats.reading import Progress, Source
from judging.engine.calling import Question
from judging.engine.replaying import Answer, replay
from judging.engine.runs import create_run
from judging.judges import add_judge
from judging.models import Judge, Purpose
from projects.creation import create_project
from projects.models import Project, Response
from projects.rehearsing import stored_at_once
from providers.client.replies import Reply
from providers.endpoints import simulated_gateway
from providers.fake.answers import REFUSAL
from rubrics.models import Criterion

TOKENS = {
    "pass": "PASS",
    "fail": "FAIL",
    "present": "ERROR_PRESENT",
    "absent": "NO_ERROR",
}
JUSTIFICATION = {
    "pass": "Generated: the answer says this.",
    "fail": "Generated: the answer does not say this.",
    "present": "Generated: the error stands in the answer.",
    "absent": "Generated: no such error was seen.",
}


@stored_at_once
def load_at_perle_scale(
    seed: int = perle.DEFAULT_SEED, judged: bool = True, progress: Progress | None = None
) -> Project:
    """302 generated responses to 103 prompts, graded by generated people and, unless left to be run, by judges.

    Each judge's verdicts have the errors that `demo.studies.perle_counts.JUDGES` puts in.
    """
    project = create_project(
        Project(
            slug="perle",
            name="Perle scale (generated)",
            description="Generated prompts, rubrics, responses and grades at the size of Perle. Nobody wrote or "
            "graded any of it, and the judges are simulated: their names say whom they stand for, not who answered.",
            preset="rubrics",
            is_generated=True,
        ),
        None,
    )
    share_with_leads(project)
    study = perle.generate(seed)
    for kind, lines in (("items", study.items), ("rubrics", study.rubrics), ("grades", study.grades)):
        source = Source(Encoded(lines), f"{kind} of seed {seed}")
        refuse_problems(run_import(project, source, kind, progress=progress))
    provider = simulated_gateway()
    for generated in JUDGES:
        judge = add_judge(project, provider, generated.model, name=f"{generated.model} (simulated)", kind="rubric")
        if judged:
            responses = Response.objects.filter(project=project)
            # For the gold, so that the file has what the paper's has: the judges' verdicts beside people's.
            run = create_run(judge, responses, options={"generated": True}, purpose=Purpose.GOLD)
            replay(run, answers_of(judge, study, generated, seed))
    return project


def answers_of(judge: Judge, study: perle.Study, generated: GeneratedJudge, seed: int) -> Answer:
    """What the simulated judge replies to each question, as JSON in the form it is asked for, or a refusal."""
    verdicts = judge_verdicts(study, generated, seed)
    items = dict(Response.objects.filter(project=judge.project).values_list("id", "key"))
    keys = dict(Criterion.objects.filter(rubric__project=judge.project).values_list("id", "key"))

    def answer(question: Question, ticket: str) -> Reply:
        said = verdicts[items[question.response]]
        if said is None:
            return Reply(text=REFUSAL, model=judge.model, finish_reason="stop")
        values = [said[keys[criterion.id]] for criterion in question.material.criteria]
        entries = [
            {"criterion": f"c{number}", "justification": JUSTIFICATION[value], "verdict": TOKENS[value]}
            for number, value in enumerate(values, start=1)
        ]
        text = json.dumps({"ticket": ticket, "verdicts": entries})
        return Reply(text=text, model=judge.model, finish_reason="stop")

    return answer
