from django.urls import path

from projects.api import laboratories as api_laboratories
from projects.api import views as api
from projects.views import account, health, labels, laboratories, languages, people, project, texts

urlpatterns = [
    path("", project.home, name="home"),
    path("start/", project.start, name="start"),
    path("healthz", health.alive, name="health"),
    path("readyz", health.ready, name="ready"),
    path("health/", health.page, name="health-page"),
    path("texts/<str:language>/<slug:script>.js", texts.texts, name="texts"),
    path("audit/", project.installation_audit, name="installation-audit"),
    path("account/", account.account, name="account"),
    path("account/tokens/", account.issue_token, name="issue-token"),
    path("account/tokens/<int:pk>/revoke/", account.revoke_token, name="revoke-token"),
    path("invitation/<str:token>/", people.accept_invitation, name="accept-invitation"),
    path("projects/new/", project.create, name="project-create"),
    path("p/<slug:slug>/", project.overview, name="project"),
    path("p/<slug:slug>/settings/", project.settings, name="project-settings"),
    path("p/<slug:slug>/archive/", project.archive, name="project-archive"),
    path("p/<slug:slug>/labels/", labels.labels, name="labels"),
    path("p/<slug:slug>/guidelines/", project.guidelines, name="guidelines"),
    path("p/<slug:slug>/guidelines/<int:number>/read/", project.guidelines_read, name="guidelines-read"),
    path("p/<slug:slug>/people/", people.people, name="people"),
    path("p/<slug:slug>/people/invite/", people.invite_person, name="invite"),
    path("p/<slug:slug>/people/<int:pk>/roles/", people.roles, name="roles"),
    path("p/<slug:slug>/invitations/<int:pk>/withdraw/", people.withdraw_invitation, name="withdraw-invitation"),
    path("p/<slug:slug>/laboratories/", laboratories.laboratories, name="laboratories"),
    path("p/<slug:slug>/laboratories/<int:pk>/", laboratories.settle_laboratory, name="laboratory-settle"),
    path("p/<slug:slug>/languages/", languages.languages, name="languages"),
    path("p/<slug:slug>/languages/add/", languages.add_language, name="language-add"),
    path("p/<slug:slug>/languages/<int:pk>/", languages.change_language, name="language-change"),
    path("p/<slug:slug>/audit/", project.audit, name="audit"),
    path("api/v1/projects/", api.ProjectList.as_view(), name="api-projects"),
    path("api/v1/varieties/", api.VarietyList.as_view(), name="api-varieties"),
    path("api/v1/varieties/<str:tag>/", api.VarietyDetail.as_view(), name="api-variety"),
    path("api/v1/projects/<slug:slug>/", api.ProjectDetail.as_view(), name="api-project"),
    path("api/v1/projects/<slug:slug>/responses/", api.ResponseList.as_view(), name="api-responses"),
    path(
        "api/v1/projects/<slug:slug>/laboratories/",
        api_laboratories.LaboratorySettling.as_view(),
        name="api-laboratories",
    ),
    path("api/v1/projects/<slug:slug>/raters/", api.RaterList.as_view(), name="api-raters"),
]
