"""The project `juice`: error spans of people and judges in seven settings, generated at the size of the paper's."""

from collections.abc import Mapping, Sequence

from annotation import classification
from annotation.models import ErrorCategory, Span
from annotation.spans.storing import MarkingData, SpanData, store_markings
from demo.loading import Encoded, refuse_problems, share_with_leads
from demo.studies import juice
from demo.studies.errors import SHORT_NAMES
from demo.studies.juice_judges import JUDGES, PROPOSING, SETUPS, EvaluatedJudge, FinalSet, marked, proposed
from formats.importing.running import run_import
from formats.reading import Progress, Source
from judging.judges import add_judge
from judging.models import Judge, Purpose
from projects.creation import create_project
from projects.models import Project, Response
from projects.rehearsing import stored_at_once
from projects.varieties import call_varieties
from providers.endpoints import simulated_gateway

# Judges are evaluated on every third response: all would be a hundred thousand spans, six times what people and the
# judges that built the final set marked.
EVALUATED_EVERY = 3


@stored_at_once
def load_at_juice_scale(seed: int = juice.DEFAULT_SEED, progress: Progress | None = None) -> Project:
    """1,050 generated responses in seven settings whose gold is 7,470 errors, and the marks of simulated judges that
    are evaluated against them: ten, of which one is asked in three other ways too."""
    project = create_project(
        Project(
            slug="juice",
            name="JuICE scale (generated)",
            description="Generated texts, marks and reviews at the size of JuICE. Nobody wrote or judged any of it, "
            "and the judges are simulated: their names say whom they stand for, not who answered.",
            is_generated=True,
        ),
        None,
    )
    call_varieties(project, SHORT_NAMES)
    share_with_leads(project)
    lines = list(juice.generate(seed))
    for kind, chosen in (
        ("items", (line for line in lines if "kind" not in line)),
        ("answers", (line for line in lines if "kind" in line)),
    ):
        source = Source(Encoded(chosen), f"{kind} of seed {seed}")
        refuse_problems(run_import(project, source, kind, progress=progress))
    add_evaluated_judges(project, FinalSet(lines, EVALUATED_EVERY), seed)
    add_proposing_judge(project, proposed(lines, seed))
    return project


def add_evaluated_judges(project: Project, final: FinalSet, seed: int) -> None:
    """Judges of the simulated provider and their answers, as runs for evaluation leave them: they make no gold.

    No call stands behind an answer, so there are no costs and no replies to look at.
    """
    provider = simulated_gateway()
    responses = {response.key: response for response in Response.objects.filter(project=project).defer("text")}
    categories = {category.slug: category for category in ErrorCategory.objects.filter(project=project)}
    for generated in (*JUDGES, *SETUPS):
        judge = add_judge(
            project,
            provider,
            generated.model,
            name=generated.name,
            granularity="response",
            with_taxonomy=generated.with_taxonomy,
            shots="few" if generated.with_examples else "zero",
        )
        store_markings(markings_of(judge, generated, final, seed, responses, categories))


def add_proposing_judge(project: Project, chosen: Mapping[str, str]) -> None:
    """A judge that proposes a category, by span key, for what two experts coded: each error has one, so none waits."""
    judge = add_judge(
        project, simulated_gateway(), PROPOSING, name=f"{PROPOSING} for categories (simulated)", kind="categories"
    )
    categories = {category.slug: category for category in ErrorCategory.objects.filter(project=project)}
    spans = Span.objects.filter(response__project=project, key__in=chosen)
    classification.propose(
        judge.rater, {pk: (categories[chosen[key]], "Generated.") for pk, key in spans.values_list("pk", "key")}
    )


def markings_of(
    judge: Judge,
    generated: EvaluatedJudge,
    final: FinalSet,
    seed: int,
    responses: dict[str, Response],
    categories: dict[str, ErrorCategory],
) -> Sequence[MarkingData]:
    return [
        MarkingData(
            response=responses[item],
            rater=judge.rater,
            round=1,
            no_errors=not spans,
            is_complete=True,
            spans=[
                SpanData(
                    key=f"{judge.rater.pseudonym}-1-{number}",
                    anchor="words",
                    start=span["start"],
                    end=span["end"],
                    quote=span["quote"],
                    paragraph=None,
                    error_type=span["type"],
                    category=categories[span["category"]] if span["category"] else None,
                    criticality=span["criticality"],
                    explanation=span["explanation"],
                    correction="",
                    metadata=juice.GENERATED,
                )
                for number, span in enumerate(spans, start=1)
            ],
            metadata={**juice.GENERATED, "purpose": Purpose.EVALUATION.value},
            is_evaluation=True,
        )
        for item, spans in marked(final, generated, seed).items()
    ]
