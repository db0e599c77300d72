from django.urls import path

from formats import views

urlpatterns = [
    path("schemas/<slug:kind>.schema.json", views.schema, name="import-schema"),
]
