from django.urls import URLPattern, URLResolver, path

from providers.views import providers, served_models

urlpatterns: list[URLPattern | URLResolver] = [
    path("providers/", providers.providers, name="providers"),
    path("providers/add/", providers.add, name="provider-add"),
    path("providers/<int:pk>/", providers.provider, name="provider"),
    path("providers/models/", providers.map_model, name="map-model"),
    path("providers/<int:pk>/models/", served_models.models, name="provider-models"),
    path("providers/<int:pk>/models/fetch/", served_models.fetch, name="provider-models-fetch"),
    path("providers/<int:pk>/models/listed/", served_models.listed, name="provider-models-listed"),
    path("providers/<int:pk>/models/add/", served_models.add, name="served-model-add"),
    path("providers/models/<int:pk>/", served_models.model, name="served-model"),
    path("providers/models/<int:pk>/test/", served_models.test, name="served-model-test"),
    path("providers/models/<int:pk>/take-over/", served_models.take_over, name="served-model-take-over"),
    path("providers/models/<int:pk>/remove/", served_models.remove, name="served-model-remove"),
]
