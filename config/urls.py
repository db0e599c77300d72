"""Every address, room by room."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

urlpatterns = [
    path("", include("projects.urls")),
    path("", include("formats.urls")),
    path("", include("jobs.urls")),
    path("", include("notices.urls")),
    path("", include("workflow.urls")),
    path("", include("rubrics.urls")),
    path("", include("benchmark.urls")),
    path("", include("annotation.urls")),
    path("", include("providers.urls")),
    path("", include("judging.urls")),
    path("", include("screening.urls")),
    path("", include("reports.urls")),
    path("accounts/", include("allauth.urls")),
    path("language/", include("django.conf.urls.i18n")),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("api/v1/docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
]

handler400 = "projects.views.errors.bad_request"
handler403 = "projects.views.errors.not_allowed"
handler404 = "projects.views.errors.not_found"
handler429 = "projects.views.errors.too_many"  # allauth's name for it
handler500 = "projects.views.errors.server_error"
