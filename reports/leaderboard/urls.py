"""Pages of a benchmark beside its dashboard: what models answered, the checks of its questions, and the open board."""

from django.urls import path

from reports.leaderboard import checks, flagging, open_views, probing, versions, views
from reports.leaderboard.api import Leaderboard
from reports.leaderboard.defence_api import FlagList, ProbeList

SET = "p/<slug:slug>/question-sets/<slug:question_set>/<int:version>/"
PAGE = "p/<slug:slug>/leaderboard/"
OPEN = "boards/<slug:board>/"

urlpatterns = [
    path(f"{SET}checks/", checks.question_checks, name="question-checks"),
    path(f"{SET}changes/", checks.question_changes, name="question-changes"),
    path(f"{SET}compared/<int:later>/", versions.question_versions, name="question-versions"),
    path(f"{PAGE}radar/", views.radar, name="board-radar"),
    path(f"{PAGE}compare/", views.compare, name="board-compare"),
    path(f"{PAGE}settings/", views.settings, name="board-settings"),
    path(f"{PAGE}models/<slug:configuration>/", views.configuration, name="board-configuration"),
    path(f"{PAGE}models/<slug:configuration>/report/", views.report, name="board-report"),
    path(f"{PAGE}flags/", flagging.flags, name="board-flags"),
    path(f"{PAGE}flags/find/", flagging.find, name="board-flags-find"),
    path(f"{PAGE}flags/<int:flag>/decide/", flagging.decide_flag, name="board-flag-decide"),
    path(f"{PAGE}probes/", probing.probes, name="board-probes"),
    path(f"{PAGE}probes/<int:probe>/", probing.probe, name="board-probe"),
    path("api/v1/projects/<slug:slug>/flags/", FlagList.as_view(), name="api-flags"),
    path("api/v1/projects/<slug:slug>/probes/", ProbeList.as_view(), name="api-probes"),
    path("api/v1/projects/<slug:slug>/leaderboard/", Leaderboard.as_view(), name="api-leaderboard"),
    path(OPEN, open_views.page, name="open-board"),
    path(f"{OPEN}embed/", open_views.embed, name="open-board-embed"),
    path(f"{OPEN}board.json", open_views.board_json, name="open-board-json"),
    path(f"{OPEN}board.csv", open_views.board_csv, name="open-board-csv"),
    path(f"{OPEN}board.parquet", open_views.board_parquet, name="open-board-parquet"),
]
