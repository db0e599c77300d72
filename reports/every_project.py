"""What every project has, whatever kind of study it is."""

from django.utils.translation import gettext_lazy as _

from annotation.archived import OF_ANNOTATION
from annotation.casebook.indexing_jobs import IndexCases
from formats.archive.of_projects import OF_PROJECTS as ARCHIVED_PROJECTS
from formats.importing.items import Items
from formats.importing.prompt_files import Prompts
from formats.project_file.content_notes import PARTS as OF_NOTES
from formats.project_file.parts import PARTS as OF_PROJECTS
from jobs.archived import OF_JOBS
from jobs.archiving import Archiving, Restoring
from jobs.importing import ImportFile
from jobs.taking_back import TakingBack
from judging.archived import OF_JUDGES as ARCHIVED_JUDGES
from judging.deriving.cutting import CutResponses
from judging.engine.rereading_jobs import RereadingJob
from judging.engine.run_kinds import COLLECTING, JUDGING
from judging.engine.shards import RunShard
from judging.ensembles.assembly_jobs import PanelAssembly
from judging.kinds.editing.kind import Editing
from judging.project_parts import PARTS as OF_JUDGES
from judging.rewards.scoring import ScoringRollouts
from judging.translating.job import Translating
from notices.archived import OF_NOTICES
from notices.mailing import SendNotices
from projects import project_steps
from projects.navigation import Entry
from projects.steps import Step
from reports.archived import OF_REPORTS
from reports.areas import Area
from reports.costs.page import COSTS
from reports.dataset.exporting import DatasetExport
from reports.foreign_exporting import ForeignExport
from reports.frames.exporting import FrameExport
from reports.gold.exporting import GoldExport
from reports.gold.snapshot_jobs import CompareSnapshots, TakeSnapshot
from reports.groups.page import GROUP_QUALITY
from reports.planning.pilot import PLAN
from reports.signals import SIGNALS
from reports.team import TEAM
from reports.texts.dashboard import TEXTS
from reports.warming import WarmFigures
from screening.archived import OF_SCREENING as ARCHIVED_SCREENING
from screening.background.project_part import PARTS as OF_BACKGROUND
from screening.project_parts import PARTS as OF_SCREENING
from screening.quiz.kinds.choice import Choice
from screening.quiz.kinds.true_false import TrueFalse
from workflow import steps as of_work
from workflow.archived import OF_WORK as ARCHIVED_WORK
from workflow.project_parts import PARTS as OF_WORK

EVERY_PROJECT = Area(
    name="",
    project_parts=(*OF_PROJECTS, *OF_NOTES, *OF_WORK, *OF_SCREENING, *OF_BACKGROUND, *OF_JUDGES),
    archived=(
        ARCHIVED_PROJECTS,
        OF_JOBS,
        OF_NOTICES,
        ARCHIVED_WORK,
        OF_ANNOTATION,
        ARCHIVED_JUDGES,
        ARCHIVED_SCREENING,
        OF_REPORTS,
    ),
    judge_kinds=(Editing(),),
    question_kinds=(TrueFalse(), Choice()),
    formats=(Items, Prompts),
    dashboards=(COSTS, TEXTS, GROUP_QUALITY),
    figured_pages=(SIGNALS, TEAM, PLAN),
    jobs=(
        ImportFile(),
        TakingBack(),
        SendNotices(),
        IndexCases(),
        Archiving(),
        Restoring(),
        RunShard(JUDGING, _("Judging")),
        RunShard(COLLECTING, _("Collecting responses")),
        PanelAssembly(),
        CutResponses(),
        RereadingJob(),
        ScoringRollouts(),
        Translating(),
        GoldExport(),
        FrameExport(),
        DatasetExport(),
        ForeignExport(),
        TakeSnapshot(),
        CompareSnapshots(),
        WarmFigures(),
    ),
    menu=(
        Entry(0, _("Overview"), "project", "project.read"),
        Entry(5, _("Guidelines"), "guidelines", "project.read"),
        Entry(6, _("Questions and answers"), "question-log", "project.read", under="guidelines"),
        Entry(7, _("Edit"), "guidelines-edit", "project.edit", under="guidelines"),
        Entry(10, _("My work"), "work", "work.claim"),
        Entry(11, _("What happened to my marks"), "my-feedback", "work.claim", under="work"),
        Entry(11, _("My questions"), "my-questions", "work.claim", under="work"),
        Entry(11, _("Bookmarks and notes"), "my-remarks", "work.claim", under="work"),
        Entry(12, _("My time"), "my-time", "work.claim", under="work"),
        Entry(13, _("About you"), "about-me", "work.claim", under="work"),
        Entry(20, _("Import"), "import", "data.import"),
        Entry(25, _("People"), "people", "people.read"),
        Entry(26, _("Background of people"), "background", "people.read", under="people"),
        Entry(27, _("Groups of people"), "rater-groups", "project.edit", under="people"),
        Entry(28, _("Quality of groups"), "group-quality", "dashboard.read", under="people"),
        Entry(30, _("Work"), "stages", "project.edit", first=_("Stages")),
        Entry(35, _("Progress"), "progress", "dashboard.read", under="stages"),
        Entry(36, _("Questions of raters"), "questions", "item.read", under="stages"),
        Entry(39, _("Working time"), "working-time", "answers.reopen", under="stages"),
        Entry(39, _("What people are told"), "feedback-rules", "project.edit", under="stages"),
        Entry(40, _("Team"), "team", "dashboard.read", under="stages"),
        Entry(41, _("Signals"), "signals", "dashboard.read", under="stages"),
        Entry(42, _("Plan a study"), "plan", "dashboard.read", under="stages"),
        Entry(43, _("Texts"), "text-results", "dashboard.read", under="stages"),
        Entry(50, _("Judges"), "judges", "judges.run"),
        Entry(51, _("Prompts of judges"), "judge-prompts", "judges.run", under="judges"),
        Entry(54, _("Derived texts"), "derived", "judges.run", under="judges"),
        Entry(52, _("Panels"), "panels", "judges.run", under="judges"),
        Entry(53, _("Cost and speed"), "judge-costs", "dashboard.read", under="judges"),
        Entry(80, _("Jobs"), "jobs", "jobs.run"),
        Entry(90, _("Settings"), "project-settings", "project.edit"),
        Entry(91, _("Labels"), "labels", "project.edit", under="project-settings"),
        Entry(91, _("Project file"), "project-file", "project.edit", under="project-settings"),
        Entry(92, _("Languages"), "languages", "project.edit", under="project-settings"),
        Entry(93, _("Laboratories"), "laboratories", "project.edit", under="project-settings"),
        Entry(95, _("Audit log"), "audit", "audit.read", under="project-settings"),
    ),
    setup_steps=(
        Step(25, _("Invite people"), "people", project_steps.people),
        Step(30, _("Plan the work"), "stages", of_work.planning),
        Step(35, _("Watch the progress"), "progress", of_work.progress),
    ),
)
