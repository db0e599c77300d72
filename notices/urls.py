from django.urls import path

from notices import views

urlpatterns = [
    path("notices/", views.notices, name="notices"),
    path("notices/<int:pk>/go/", views.go, name="notice-go"),
    path("notices/read/", views.read, name="notices-read"),
    path("notices/switches/", views.switches, name="notice-switches"),
]
