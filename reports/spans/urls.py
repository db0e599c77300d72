"""The list that figures of error spans lead to."""

from django.urls import path

from reports.spans import views

urlpatterns = [
    path("p/<slug:slug>/responses/", views.responses, name="responses"),
]
