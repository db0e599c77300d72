"""Pages of a benchmark beside its dashboard: what models answered, the checks of its questions, and the open board."""

from django.urls import path

from reports.leaderboard import (
    anchors,
    checks,
    checks_api,
    flagging,
    human_check,
    open_views,
    probing,
    versions,
    views,
)
from reports.leaderboard.api import Leaderboard
from reports.leaderboard.defence_api import DecideFlag, FlagList, ProbeList
from reports.leaderboard.models_api import ModelOfBoard, Radar, ReportOfModel, TwoModels
from reports.leaderboard.settings_api import BoardSettings
from reports.leaderboard.submissions import api, moderation, pages
from reports.leaderboard.versions_api import TwoVersions

SET = "p/<slug:slug>/question-sets/<slug:question_set>/<int:version>/"
API = "api/v1/projects/<slug:slug>/question-sets/<slug:question_set>/<int:version>/"
PAGE = "p/<slug:slug>/leaderboard/"
OPEN = "boards/<slug:board>/"
SUBMISSIONS = "p/<slug:slug>/submissions/"

urlpatterns = [
    path(f"{SET}checks/", checks.question_checks, name="question-checks"),
    path(f"{SET}changes/", checks.question_changes, name="question-changes"),
    path(f"{SET}compared/<int:later>/", versions.question_versions, name="question-versions"),
    path(f"{API}checks/", checks_api.CheckList.as_view(), name="api-question-checks"),
    path(f"{API}checks/rounds/", checks_api.Rounds.as_view(), name="api-question-check-rounds"),
    path(f"{API}checks/decide/", checks_api.DecideCheck.as_view(), name="api-question-check-decide"),
    path(f"{API}checks/keep/", checks_api.KeepAgreed.as_view(), name="api-question-checks-keep"),
    path(f"{API}changes/", checks_api.ChangeList.as_view(), name="api-question-changes"),
    path(f"{API}compared/<int:later>/", TwoVersions.as_view(), name="api-question-versions"),
    path(f"{PAGE}radar/", views.radar, name="board-radar"),
    path(f"{PAGE}compare/", views.compare, name="board-compare"),
    path(f"{PAGE}settings/", views.settings, name="board-settings"),
    path(f"{PAGE}models/<slug:configuration>/", views.configuration, name="board-configuration"),
    path(f"{PAGE}models/<slug:configuration>/report/", views.report, name="board-report"),
    path(f"{PAGE}draw-sample/", human_check.have_checked, name="board-human-check"),
    path("p/<slug:slug>/anchors/", anchors.anchors, name="board-anchors"),
    path("p/<slug:slug>/anchors/<int:rater>/accept/", anchors.accept, name="board-drift-accept"),
    path("api/v1/projects/<slug:slug>/anchors/", anchors.Anchors.as_view(), name="api-anchors"),
    path(
        "api/v1/projects/<slug:slug>/anchors/<int:rater>/accept/",
        anchors.AcceptDrift.as_view(),
        name="api-drift-accept",
    ),
    path(f"{PAGE}flags/", flagging.flags, name="board-flags"),
    path(f"{PAGE}flags/find/", flagging.find, name="board-flags-find"),
    path(f"{PAGE}flags/<int:flag>/decide/", flagging.decide_flag, name="board-flag-decide"),
    path(f"{PAGE}probes/", probing.probes, name="board-probes"),
    path(f"{PAGE}probes/<int:probe>/", probing.probe, name="board-probe"),
    path("api/v1/projects/<slug:slug>/flags/", FlagList.as_view(), name="api-flags"),
    path("api/v1/projects/<slug:slug>/flags/<int:flag>/decide/", DecideFlag.as_view(), name="api-flag-decide"),
    path("api/v1/projects/<slug:slug>/probes/", ProbeList.as_view(), name="api-probes"),
    path("api/v1/projects/<slug:slug>/leaderboard/", Leaderboard.as_view(), name="api-leaderboard"),
    path("api/v1/projects/<slug:slug>/leaderboard/compare/", TwoModels.as_view(), name="api-board-compare"),
    path("api/v1/projects/<slug:slug>/leaderboard/radar/", Radar.as_view(), name="api-board-radar"),
    path(
        "api/v1/projects/<slug:slug>/leaderboard/models/<slug:configuration>/report/",
        ReportOfModel.as_view(),
        name="api-board-report",
    ),
    path(
        "api/v1/projects/<slug:slug>/leaderboard/models/<slug:configuration>/",
        ModelOfBoard.as_view(),
        name="api-board-configuration",
    ),
    path("api/v1/projects/<slug:slug>/board/sample/", human_check.SampleForPeople.as_view(), name="api-board-sample"),
    path("api/v1/projects/<slug:slug>/board/", BoardSettings.as_view(), name="api-board-settings"),
    path(OPEN, open_views.page, name="open-board"),
    path(f"{OPEN}embed/", open_views.embed, name="open-board-embed"),
    path(f"{OPEN}board.json", open_views.board_json, name="open-board-json"),
    path(f"{OPEN}board.csv", open_views.board_csv, name="open-board-csv"),
    path(f"{OPEN}board.parquet", open_views.board_parquet, name="open-board-parquet"),
    path(f"{OPEN}submit/", pages.submit_model, name="open-board-submit"),
    path(f"{OPEN}submissions/", pages.submissions, name="open-board-submissions"),
    path(f"{OPEN}submissions/<uuid:uuid>/", pages.submission, name="open-board-submission"),
    path(f"{OPEN}submissions/<uuid:uuid>/withdraw/", pages.withdraw_submission, name="open-board-withdraw"),
    path(SUBMISSIONS, moderation.moderation, name="board-submissions"),
    path(f"{SUBMISSIONS}<uuid:uuid>/", moderation.moderate, name="board-submission"),
    path(f"{SUBMISSIONS}bans/<int:ban>/lift/", moderation.lift_ban, name="board-ban-lift"),
    path(f"api/v1/{OPEN}submissions/", api.BoardSubmissions.as_view(), name="api-open-board-submissions"),
    path(
        f"api/v1/{OPEN}submissions/<uuid:uuid>/withdraw/",
        api.WithdrawSubmission.as_view(),
        name="api-open-board-withdraw",
    ),
    path("api/v1/projects/<slug:slug>/submissions/", api.ModeratedSubmissions.as_view(), name="api-board-submissions"),
    path(
        "api/v1/projects/<slug:slug>/submissions/spending/",
        api.MonthsSpending.as_view(),
        name="api-board-spending",
    ),
    path("api/v1/projects/<slug:slug>/submissions/bans/", api.Bans.as_view(), name="api-board-bans"),
    path(
        "api/v1/projects/<slug:slug>/submissions/bans/<int:ban>/lift/",
        api.LiftBan.as_view(),
        name="api-board-ban-lift",
    ),
    path(
        "api/v1/projects/<slug:slug>/submissions/<uuid:uuid>/",
        api.ModerateSubmission.as_view(),
        name="api-board-submission",
    ),
]
