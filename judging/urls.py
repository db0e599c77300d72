from django.urls import URLPattern, URLResolver, path

from judging import api
from judging.views import judges, providers, runs

urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/judges/", judges.judges, name="judges"),
    path("p/<slug:slug>/judges/add/", judges.add, name="judge-add"),
    path("p/<slug:slug>/judges/laboratory/", judges.laboratory, name="judge-laboratory"),
    path("p/<slug:slug>/judges/<int:pk>/", judges.judge, name="judge"),
    path("p/<slug:slug>/judges/<int:pk>/run/", judges.run, name="judge-run"),
    path("p/<slug:slug>/runs/<uuid:uuid>/", runs.run, name="run"),
    path("p/<slug:slug>/runs/<uuid:uuid>/calls/", runs.calls, name="run-calls"),
    path("p/<slug:slug>/runs/<uuid:uuid>/cancel/", runs.cancel, name="run-cancel"),
    path("p/<slug:slug>/runs/<uuid:uuid>/resume/", runs.resume, name="run-resume"),
    path("p/<slug:slug>/runs/<uuid:uuid>/retry/", runs.retry, name="run-retry"),
    path("providers/", providers.providers, name="providers"),
    path("providers/add/", providers.provider, name="provider-add"),
    path("providers/<int:pk>/", providers.provider, name="provider"),
    path("providers/models/", providers.map_model, name="map-model"),
    path("api/v1/projects/<slug:slug>/runs/", api.RunList.as_view(), name="api-runs"),
    path("api/v1/projects/<slug:slug>/runs/<uuid:uuid>/", api.RunDetail.as_view(), name="api-run"),
    path("api/v1/projects/<slug:slug>/runs/<uuid:uuid>/cancel/", api.RunCancel.as_view(), name="api-run-cancel"),
    path("api/v1/projects/<slug:slug>/runs/<uuid:uuid>/resume/", api.RunResume.as_view(), name="api-run-resume"),
]
