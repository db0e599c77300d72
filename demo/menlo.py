"""The project `menlo`: pairs in 47 varieties with grades of people and judges, generated at the size of the paper's."""

from demo.loading import Encoded, refuse_problems, share_with_leads
from demo.studies import menlo
from demo.studies.menlo_counts import JUDGES
from formats.importing.running import run_import
from formats.reading import Progress, Source
from judging.judges import add_judge
from projects.creation import create_project
from projects.insertion import as_json, insert_rows
from projects.models import (
    LanguageVariety,
    Localisation,
    Project,
    Prompt,
    PromptTemplate,
    QuestionType,
    Rater,
    RaterKind,
)
from projects.rehearsing import stored_at_once
from providers.endpoints import simulated_provider


@stored_at_once
def load_at_menlo_scale(seed: int = menlo.DEFAULT_SEED, progress: Progress | None = None) -> Project:
    """6,423 generated pairs with 81,014 grades of 1,934 generated raters, and the verdicts of simulated judges.

    What is true of raters and judges, and what reports should therefore find, is known: demo.studies.menlo.
    """
    project = create_project(
        Project(
            slug="menlo",
            name="MENLO scale (generated)",
            description="Generated prompts, responses and grades at the size of MENLO. Nobody wrote or rated any of "
            "it, and the judges are simulated. Names of target models say whom they stand for, not who answered.",
            preset="ratings",
            is_generated=True,
        ),
        None,
    )
    share_with_leads(project)
    study = menlo.generate(seed)
    add_templates(project, study)
    add_judges(project)
    for kind, lines in (("items", study.items()), ("answers", study.answers())):
        source = Source(Encoded(lines), f"{kind} of seed {seed}")
        refuse_problems(run_import(project, source, kind, progress=progress))
    add_localisations(project, study)
    add_varieties(project, study)
    return project


def add_judges(project: Project) -> None:
    """Judges of the simulated provider, so that it is known how each is asked. Their verdicts come with the answers:
    no call stands behind them."""
    provider = simulated_provider()
    for judge in JUDGES:
        add_judge(
            project,
            provider,
            menlo.model_of(judge),
            kind="pairwise" if judge.is_pairwise else "pointwise",
            name=judge.name,
            shots="few" if judge.is_few_shot else "zero",
            rubric=judge.with_rubric,
        )


def add_templates(project: Project, study: menlo.Study) -> None:
    questions = {question.slug: question for question in QuestionType.objects.filter(project=project)}
    PromptTemplate.objects.bulk_create(
        PromptTemplate(
            project=project,
            key=template.id,
            question=questions[template.question],
            text=template.text,
            split=template.split,
        )
        for template in study.templates
    )


def add_localisations(project: Project, study: menlo.Study) -> None:
    """What was made of each template in each variety, beside the prompt that came of it."""
    prompts = dict(Prompt.objects.filter(project=project).values_list("key", "id"))
    templates = {template.key: template for template in PromptTemplate.objects.filter(project=project)}
    varieties = dict(LanguageVariety.objects.values_list("tag", "id"))
    rows = []
    for pair in study.pairs:
        template = templates[pair.template.id]
        text, values = pair.template.localised(pair.variety)
        place = (template.pk, varieties[pair.variety], prompts[f"p-{pair.id}"])
        rows.append((*place, text, as_json(values), template.created_at))
    insert_rows(Localisation, ("template", "variety", "prompt", "text", "values", "created_at"), rows)


def add_varieties(project: Project, study: menlo.Study) -> None:
    """The varieties that raters speak: each rates their own."""
    varieties = dict(LanguageVariety.objects.values_list("tag", "id"))
    raters = dict(Rater.objects.filter(project=project, kind=RaterKind.HUMAN).values_list("name", "id"))
    spoken = [(raters[rater.name], varieties[rater.variety]) for rater in study.raters if rater.name in raters]
    insert_rows(Rater.varieties.through, ("rater", "languagevariety"), spoken)
