"""What of the tables of projects goes into an archive."""

from typing import Any

from django.db.models import Case, F, Model, When

from formats.archive.columns import Column
from formats.archive.contents import Contents, LeftOut, Row, Shared, Table
from projects.laboratories import laboratory_of
from projects.languages.tags import NotATag, read_tag
from projects.models import (
    ApiToken,
    AuditEvent,
    ContentNote,
    ContentNoteSet,
    Derivation,
    DerivationStep,
    Dimension,
    GuidelinesChoice,
    GuidelinesDraft,
    GuidelinesRead,
    GuidelinesSetAside,
    GuidelinesTranslation,
    GuidelinesVersion,
    Import,
    ImportMapping,
    Invitation,
    Label,
    Laboratory,
    LanguageVariety,
    Level,
    Localisation,
    LocalisationDraft,
    Membership,
    ModelLaboratory,
    PanelLaboratory,
    Project,
    ProjectVariety,
    Prompt,
    PromptTemplate,
    QuestionType,
    Rater,
    RaterKind,
    Response,
    ResponsePair,
    TargetModel,
)
from projects.problems import Invalid, Problem
from projects.varieties import variety_of


def variety_said(row: Model, project: Model) -> Row:
    assert isinstance(row, LanguageVariety)
    return {"tag": row.tag}


def variety_found(row: Row, project: Model) -> int:
    try:
        return variety_of(read_tag(row["tag"])).pk
    except NotATag as refused:
        raise Invalid(Problem("unknown_variety", str(refused))) from None


def laboratory_said(row: Model, project: Model) -> Row:
    assert isinstance(row, Laboratory)
    return {"slug": row.slug, "name": row.name}


def laboratory_found(row: Row, project: Model) -> int:
    return _laboratory(row["slug"], row["name"]).pk


def model_said(row: Model, project: Model) -> Row:
    """With its laboratory as the project has it."""
    assert isinstance(row, TargetModel)
    assert isinstance(project, Project)
    laboratory = laboratory_of(project, row)
    return {"name": row.name, "laboratory": laboratory.slug, "laboratory_name": laboratory.name}


def model_found(row: Row, project: Model) -> int:
    """Where the installation has the model under another laboratory, the project keeps its own."""
    assert isinstance(project, Project)
    laboratory = _laboratory(row["laboratory"], row["laboratory_name"])
    name = checked(TargetModel, "name", row["name"])
    model, _made = TargetModel.objects.get_or_create(name=name, defaults={"laboratory": laboratory})
    if model.laboratory_id != laboratory.pk:
        ModelLaboratory.objects.create(project=project, target_model=model, laboratory=laboratory)
    return model.pk


def _laboratory(slug: Any, name: Any) -> Laboratory:
    defaults = {"name": checked(Laboratory, "name", name)}
    return Laboratory.objects.get_or_create(slug=checked(Laboratory, "slug", slug), defaults=defaults)[0]


def checked(model: type[Model], name: str, value: Any) -> Any:
    """A value as the field has it. Raises ValidationError."""
    column = Column(model._meta.get_field(name), None)  # type: ignore[arg-type]
    return column.read(value)


OF_PROJECTS = Contents(
    "projects",
    10,
    (
        Table(model=Project, project=""),
        Table(model=ProjectVariety, project="project"),
        Table(model=Label, project="project"),
        Table(model=ContentNote, project="project"),
        Table(model=ContentNoteSet, project="project"),
        Table(model=GuidelinesVersion, project="project"),
        Table(model=GuidelinesTranslation, project="version__project"),
        # People are raters without an account, by the pseudonym that they had; a judge's name is a model's.
        Table(
            model=Rater,
            project="project",
            instead={"name": Case(When(kind=RaterKind.HUMAN, then=F("pseudonym")), default=F("name"))},
        ),
        Table(model=Rater.varieties.through, project="rater__project"),
        Table(model=PanelLaboratory, project="rater__project"),
        Table(model=GuidelinesRead, project="rater__project"),
        Table(model=Import, project="project"),
        Table(model=ImportMapping, project="project"),
        Table(model=Dimension, project="project"),
        Table(model=QuestionType, project="project"),
        Table(model=Level, project="question__project"),
        Table(model=PromptTemplate, project="project"),
        Table(model=Prompt, project="project"),
        Table(model=Response, project="project"),
        Table(model=DerivationStep, project="project"),
        Table(model=Derivation, project="step__project"),
        Table(model=ResponsePair, project="project"),
        Table(model=Localisation, project="template__project"),
        Table(model=LocalisationDraft, project="template__project"),
    ),
    (
        LeftOut(Membership, "accounts and their rights are of an installation; who brings an archive in leads"),
        LeftOut(Invitation, "names and addresses of people"),
        LeftOut(Invitation.varieties.through, "names and addresses of people"),
        LeftOut(GuidelinesChoice, "of accounts"),
        LeftOut(GuidelinesDraft, "drafts are not published, and name who wrote them"),
        LeftOut(GuidelinesSetAside, "drafts are not published, and name who wrote them"),
        LeftOut(ApiToken, "keys of people"),
        LeftOut(AuditEvent, "who did what under their name; the log of the new project begins with its coming in"),
        LeftOut(ModelLaboratory, "said with each model that the project has texts of"),
    ),
    (
        Shared(LanguageVariety, variety_said, variety_found),
        Shared(Laboratory, laboratory_said, laboratory_found),
        Shared(TargetModel, model_said, model_found),
    ),
)
