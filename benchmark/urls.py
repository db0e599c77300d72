from django.urls import URLPattern, URLResolver, path

from benchmark import api, cards_api, editing_api, errata_api, verified_accounts_api, versions_api
from benchmark.views import (
    cards,
    checks,
    editing,
    errata,
    pages,
    question_check,
    scoring,
    screening,
    shuffling,
    verified_accounts,
)

SET = "p/<slug:slug>/question-sets/<slug:question_set>/<int:version>/"
CONFIGURATION = "p/<slug:slug>/models/configuration/<slug:configuration>/"
OF_PROJECT = "api/v1/projects/<slug:slug>/"
API = f"{OF_PROJECT}question-sets/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/question-sets/", pages.question_sets, name="question-sets"),
    path(SET, pages.question_set, name="question-set"),
    path(f"{SET}freeze/", pages.freeze_set, name="question-set-freeze"),
    path(f"{SET}export/", pages.export_set, name="question-set-export"),
    path(f"{SET}answers/export/", pages.export_answers, name="benchmark-answers-export"),
    path(f"{SET}new-version/", pages.begin_version, name="question-set-version"),
    path(f"{SET}shuffle/", shuffling.shuffle_options, name="question-set-shuffle"),
    path(f"{SET}unsolved/", screening.unsolved, name="question-set-unsolved"),
    path(f"{SET}score/", scoring.score_set, name="question-set-score"),
    path("p/<slug:slug>/question-sets/baselines/", scoring.baselines, name="benchmark-baselines"),
    path(f"{SET}questions/<int:question>/", pages.question, name="benchmark-question"),
    path(f"{SET}questions/<int:question>/edit/", editing.edit_question, name="benchmark-question-edit"),
    path(f"{SET}questions/<int:question>/drop/", editing.drop_question, name="benchmark-question-drop"),
    path(f"{SET}checks/keep/", checks.keep_all, name="question-checks-keep"),
    path(f"{SET}checks/<int:check>/take-over/", checks.take_over_check, name="question-check-take-over"),
    path(f"{SET}questions/<int:question>/decide/", checks.decide, name="question-check-decide"),
    path(f"{SET}questions/<int:question>/report/", errata.report_erratum, name="erratum-report"),
    path("p/<slug:slug>/models/", cards.model_cards, name="model-cards"),
    path("p/<slug:slug>/models/new/", cards.add_card, name="model-card-add"),
    path("p/<slug:slug>/models/card/<slug:card>/", cards.model_card, name="model-card"),
    path("p/<slug:slug>/models/card/<slug:card>/edit/", cards.edit_card, name="model-card-edit"),
    path("p/<slug:slug>/models/configuration/new/", cards.add_configuration, name="configuration-add"),
    path(f"{CONFIGURATION}edit/", cards.edit_configuration, name="configuration-edit"),
    path(f"{CONFIGURATION}decide/", cards.decide, name="configuration-decide"),
    path("p/<slug:slug>/errata/", errata.errata, name="errata"),
    path("p/<slug:slug>/errata/<uuid:erratum>/", errata.erratum, name="erratum"),
    path(f"{SET}errata/apply/", errata.apply_to_version, name="errata-apply"),
    path("tasks/<uuid:assignment>/own-answer", question_check.reveal, name="question-check-reveal"),
    path("api/v1/projects/<slug:slug>/errata/", errata_api.ErratumList.as_view(), name="api-errata"),
    path(
        "api/v1/projects/<slug:slug>/errata/<uuid:erratum>/decide/",
        errata_api.DecideErratum.as_view(),
        name="api-erratum-decide",
    ),
    path("verified-accounts/", verified_accounts.verified_accounts, name="verified-accounts"),
    path(
        "verified-accounts/<int:pk>/take-back/",
        verified_accounts.take_back_view,
        name="verified-account-remove",
    ),
    path("api/v1/verified-accounts/", verified_accounts_api.VerifiedAccounts.as_view(), name="api-verified-accounts"),
    path(
        "api/v1/verified-accounts/<int:pk>/",
        verified_accounts_api.VerifiedAccountView.as_view(),
        name="api-verified-account",
    ),
    path(f"{OF_PROJECT}model-cards/", cards_api.CardList.as_view(), name="api-model-cards"),
    path(f"{OF_PROJECT}model-cards/<slug:card>/", cards_api.CardView.as_view(), name="api-model-card"),
    path(f"{OF_PROJECT}configurations/", cards_api.ConfigurationList.as_view(), name="api-configurations"),
    path(
        f"{OF_PROJECT}configurations/<slug:configuration>/",
        cards_api.ConfigurationView.as_view(),
        name="api-configuration",
    ),
    path(
        f"{OF_PROJECT}configurations/<slug:configuration>/decide/",
        cards_api.Decide.as_view(),
        name="api-configuration-decide",
    ),
    path(API, api.QuestionSetList.as_view(), name="api-question-sets"),
    path(f"{API}<slug:question_set>/<int:version>/score/", api.ScoreSet.as_view(), name="api-question-set-score"),
    path(f"{API}<slug:question_set>/<int:version>/freeze/", api.FreezeSet.as_view(), name="api-question-set-freeze"),
    path(f"{API}<slug:question_set>/<int:version>/export/", api.ExportSet.as_view(), name="api-question-set-export"),
    path(
        f"{API}<slug:question_set>/<int:version>/answers/export/",
        api.ExportAnswers.as_view(),
        name="api-benchmark-answers-export",
    ),
    path(
        f"{API}<slug:question_set>/<int:version>/next-version/",
        versions_api.NextVersion.as_view(),
        name="api-question-set-version",
    ),
    path(
        f"{API}<slug:question_set>/<int:version>/shuffle/",
        versions_api.ShuffledOptions.as_view(),
        name="api-question-set-shuffle",
    ),
    path(f"{OF_PROJECT}baselines/", versions_api.Baselines.as_view(), name="api-baselines"),
    path(
        f"{API}<slug:question_set>/<int:version>/unsolved/",
        api.Unsolved.as_view(),
        name="api-question-set-unsolved",
    ),
    path(
        f"{API}<slug:question_set>/<int:version>/exposures/",
        api.ExposureList.as_view(),
        name="api-question-exposures",
    ),
    path(
        f"{API}<slug:question_set>/<int:version>/questions/reword/",
        editing_api.RewordQuestion.as_view(),
        name="api-benchmark-question-reword",
    ),
    path(
        f"{API}<slug:question_set>/<int:version>/questions/drop/",
        editing_api.DropQuestion.as_view(),
        name="api-benchmark-question-drop",
    ),
    path(
        f"{API}<slug:question_set>/<int:version>/questions/", api.QuestionList.as_view(), name="api-benchmark-questions"
    ),
]
