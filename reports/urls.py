from django.urls import URLPattern, URLResolver, path

from reports import api

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/projects/<slug:slug>/agreement/", api.Agreement.as_view(), name="api-agreement"),
]
