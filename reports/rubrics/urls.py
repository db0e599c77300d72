"""The graded responses that figures of rubrics lead to."""

from django.urls import path

from reports.rubrics import views

urlpatterns = [
    path("p/<slug:slug>/rubric-results/responses/", views.graded_responses, name="rubric-responses"),
    path("p/<slug:slug>/rubric-results/responses/<uuid:response>/", views.graded_response, name="rubric-response"),
]
