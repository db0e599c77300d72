"""The project `juice`: error spans of people and judges in seven settings, generated at the size of the paper's."""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import partial

from annotation.models import ErrorCategory
from annotation.spans.storing import MarkingData, SpanData, store_markings
from demo.juice_accepting import AfterValidation
from demo.loading import Encoded, refuse_problems, share_with_leads
from demo.studies import juice, juice_sentences
from demo.studies.errors import SHORT_NAMES
from demo.studies.juice_judges import JUDGES, SETUPS, EvaluatedJudge, FinalSet, marked
from formats.importing.running import run_import
from formats.reading import Progress, Source
from judging.collecting import endpoints as endpoints_of_targets
from judging.collecting.beginning import create_collections
from judging.collecting.calling import Question as PromptQuestion
from judging.collecting.planning import Part
from judging.collecting.replaying import replay as replay_collection
from judging.engine.calling import Question
from judging.engine.replaying import replay
from judging.engine.runs import create_run
from judging.judges import add_judge
from judging.kinds.sentences.kind import ERROR, NO_ERROR
from judging.models import CollectionCall, Judge, Purpose
from projects.creation import create_project
from projects.derived import originals_of, taken
from projects.models import Project, Response
from projects.rehearsing import stored_at_once
from projects.varieties import call_varieties
from providers.client.replies import Reply
from providers.endpoints import simulated_endpoint, simulated_gateway, simulated_provider

# Judges are evaluated on every third response: all would be a hundred thousand spans, six times what people and the
# judges that built the final set marked.
EVALUATED_EVERY = 3
EDITING = "simulated-editor"


@stored_at_once
def load_at_juice_scale(seed: int = juice.DEFAULT_SEED, progress: Progress | None = None) -> Project:
    """1,050 generated responses in seven settings whose gold is 7,470 errors, and the marks of simulated judges that
    are evaluated against them: ten, of which one is asked in three other ways too.

    It begins from prompts: they are put to three models of the simulated provider, what comes is corrected by a model
    as JuICE has it done before anybody marks, and what people and judges say is said of the corrected texts. Errors
    that people kept are grouped, refined and categorised by a model, of whose proposals an expert looks at samples.
    """
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
    items = [line for line in lines if "kind" not in line]
    bring_in(project, juice.prompts_of(items), "prompts", seed, progress)
    collect(project, items, seed)
    correct(project, items)
    responses = taken_of(project, items)
    said = juice.said_by_people_and_judges(lines)
    answers = ({**line, "item": responses[line["item"]].key} for line in said)
    bring_in(project, answers, "answers", seed, progress)
    AfterValidation(project, lines, {item["id"]: item for item in items}, responses, seed).carry_out()
    final = FinalSet(lines, EVALUATED_EVERY)
    add_evaluated_judges(project, final, seed, responses)
    add_sentence_judges(project, final, seed, responses)
    return project


def bring_in(project: Project, lines: Iterable[dict], kind: str, seed: int, progress: Progress | None) -> None:
    refuse_problems(run_import(project, Source(Encoded(lines), f"{kind} of seed {seed}"), kind, progress=progress))


def collect(project: Project, items: Sequence[dict], seed: int) -> None:
    """Every prompt put to every model: once, and those of one variety to which there are two responses twice."""
    written = {(item["prompt_id"], item["model"], item["metadata"]["replicate"]): item for item in items}
    endpoints = [
        endpoints_of_targets.add(project, name, laboratory, None, provider=simulated_endpoint(laboratory), model=name)
        for name, laboratory in juice.MODELS
    ]
    twice = Part((juice.TWICE_IN,), (juice.TWICE,), replicates=2)
    for part in (Part(), twice):
        for run in create_collections(project, endpoints, part=part).runs.order_by("pk"):
            calls = run.collection_calls.values_list("pk", "prompt__key", "replicate")
            model = run.asked_endpoint.model
            texts = {pk: juice.as_collected(written[key, model, number], seed) for pk, key, number in calls}
            replay_collection(run, partial(reply_of, texts, model))


def reply_of(texts: Mapping[int, str], model: str, question: PromptQuestion) -> Reply:
    return Reply(texts[question.call], model, finish_reason="stop")


def correct(project: Project, items: Sequence[dict]) -> None:
    """A pass over the grammar by a simulated model: it takes the slips out that stand in what was collected."""
    judge = add_judge(project, simulated_provider(), EDITING, name="Grammar pass (simulated)", kind="editing")
    texts = {pk: item["response"] for pk, item in items_of(project, items).items()}

    def answer(question: Question, ticket: str) -> Reply:
        text = json.dumps({"ticket": ticket, "text": texts[question.response]}, ensure_ascii=False)
        return Reply(text, EDITING, finish_reason="stop")

    replay(create_run(judge, Response.objects.filter(project=project), options=juice.GENERATED), answer)


def items_of(project: Project, items: Sequence[dict]) -> dict[int, dict]:
    """By collected response the item whose text it was collected as."""
    written = {(item["prompt_id"], item["model"], item["metadata"]["replicate"]): item for item in items}
    calls = CollectionCall.objects.filter(endpoint__project=project)
    rows = calls.values_list("response", "prompt__key", "endpoint__target_model__name", "replicate")
    return {response: written[key, model, number] for response, key, model, number in rows}


def taken_of(project: Project, items: Sequence[dict]) -> dict[str, Response]:
    """By the id of its item the text that is marked: the corrected one where there is one."""
    rows = taken(Response.objects.filter(project=project)).defer("text").in_bulk()
    originals = originals_of(rows)
    item_of = items_of(project, items)
    return {item_of[originals[pk]]["id"]: response for pk, response in rows.items()}


def add_evaluated_judges(project: Project, final: FinalSet, seed: int, responses: dict[str, Response]) -> None:
    """Judges of the simulated provider and their answers, as runs for evaluation leave them: they make no gold.

    No call stands behind an answer, so there are no costs and no replies to look at.
    """
    provider = simulated_gateway()
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


def add_sentence_judges(project: Project, final: FinalSet, seed: int, responses: dict[str, Response]) -> None:
    """Judges that are asked of each sentence of some responses whether it is erroneous: their replies are read like
    any provider's, without a request."""
    items = juice_sentences.asked_about(final)
    asked = {responses[item].pk: item for item in items}
    for generated in juice_sentences.JUDGES:
        judge = add_judge(project, simulated_gateway(), generated.model, name=generated.name, kind="sentences")
        called = juice_sentences.called_erroneous(final, items, generated, seed)
        erroneous = {pk: called[item] for pk, item in asked.items()}
        run = create_run(judge, Response.objects.filter(pk__in=asked), options=juice.GENERATED)
        replay(run, partial(verdict_on_sentence, erroneous, generated.model))


def verdict_on_sentence(erroneous: Mapping[int, Container[int]], model: str, question: Question, ticket: str) -> Reply:
    verdict = ERROR if question.unit in erroneous[question.response] else NO_ERROR
    said = {"ticket": ticket, "reason": "Generated.", "sentence": verdict}
    return Reply(json.dumps(said), model, finish_reason="stop")


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
