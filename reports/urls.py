from django.urls import URLPattern, URLResolver, path

from reports import api
from reports.views import gold, graded, rated, responses, results, signals, team

urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/results/", results.results, {"page": "results"}, name="results"),
    path("p/<slug:slug>/results/<slug:table_id>.csv", results.table_csv, {"page": "results"}, name="results-csv"),
    path("p/<slug:slug>/results/<slug:table_id>.json", results.table_json, {"page": "results"}, name="results-json"),
    path("p/<slug:slug>/rubric-results/", results.results, {"page": "rubric-results"}, name="rubric-results"),
    path(
        "p/<slug:slug>/rubric-results/<slug:table_id>.csv",
        results.table_csv,
        {"page": "rubric-results"},
        name="rubric-results-csv",
    ),
    path(
        "p/<slug:slug>/rubric-results/<slug:table_id>.json",
        results.table_json,
        {"page": "rubric-results"},
        name="rubric-results-json",
    ),
    path("p/<slug:slug>/rubric-results/responses/", graded.graded_responses, name="rubric-responses"),
    path(
        "p/<slug:slug>/rubric-results/responses/<uuid:response>/",
        graded.graded_response,
        name="rubric-response",
    ),
    path("p/<slug:slug>/rating-results/", results.results, {"page": "rating-results"}, name="rating-results"),
    path(
        "p/<slug:slug>/rating-results/<slug:table_id>.csv",
        results.table_csv,
        {"page": "rating-results"},
        name="rating-results-csv",
    ),
    path(
        "p/<slug:slug>/rating-results/<slug:table_id>.json",
        results.table_json,
        {"page": "rating-results"},
        name="rating-results-json",
    ),
    path("p/<slug:slug>/rating-results/raters/", results.results, {"page": "rater-results"}, name="rater-results"),
    path(
        "p/<slug:slug>/rating-results/raters/<slug:table_id>.csv",
        results.table_csv,
        {"page": "rater-results"},
        name="rater-results-csv",
    ),
    path(
        "p/<slug:slug>/rating-results/raters/<slug:table_id>.json",
        results.table_json,
        {"page": "rater-results"},
        name="rater-results-json",
    ),
    path("p/<slug:slug>/rating-results/pairs/", rated.rated_pairs, name="rated-pairs"),
    path("p/<slug:slug>/rating-results/pairs/<int:pair>/", rated.rated_pair, name="rated-pair"),
    path("p/<slug:slug>/rating-results/responses/<uuid:response>/", rated.rated_response, name="rated-response"),
    path("p/<slug:slug>/judges/costs/", results.results, {"page": "judge-costs"}, name="judge-costs"),
    path(
        "p/<slug:slug>/judges/costs/<slug:table_id>.csv",
        results.table_csv,
        {"page": "judge-costs"},
        name="judge-costs-csv",
    ),
    path(
        "p/<slug:slug>/judges/costs/<slug:table_id>.json",
        results.table_json,
        {"page": "judge-costs"},
        name="judge-costs-json",
    ),
    path("p/<slug:slug>/responses/", responses.responses, name="responses"),
    path("p/<slug:slug>/team/", team.team, name="team"),
    path("p/<slug:slug>/signals/", signals.signals, name="signals"),
    path("p/<slug:slug>/gold/", gold.gold_page, name="gold"),
    path("p/<slug:slug>/gold/file/", gold.gold_file, name="gold-file"),
    path("p/<slug:slug>/gold/prepare/", gold.gold_prepare, name="gold-prepare"),
    path("p/<slug:slug>/gold/card/", gold.gold_card, name="gold-card"),
    path("api/v1/projects/<slug:slug>/gold/", gold.GoldApi.as_view(), name="api-gold"),
    path("api/v1/projects/<slug:slug>/gold/files/", gold.GoldFiles.as_view(), name="api-gold-files"),
    path("api/v1/projects/<slug:slug>/agreement/", api.Agreement.as_view(), name="api-agreement"),
]
