"""The rated pairs and responses that figures of ratings lead to."""

from django.urls import path

from reports.ratings import views

urlpatterns = [
    path("p/<slug:slug>/rating-results/pairs/", views.rated_pairs, name="rated-pairs"),
    path("p/<slug:slug>/rating-results/pairs/<int:pair>/", views.rated_pair, name="rated-pair"),
    path("p/<slug:slug>/rating-results/responses/<uuid:response>/", views.rated_response, name="rated-response"),
]
