from django.urls import path

from screening.views import taking

urlpatterns = [
    path("p/<slug:slug>/quiz/<int:quiz>/", taking.introduction, name="quiz"),
    path("p/<slug:slug>/quiz/<int:quiz>/begin", taking.begin, name="quiz-begin"),
    path("p/<slug:slug>/paused/<int:stage>/", taking.paused, name="paused"),
    path("quiz-attempts/<uuid:attempt>/", taking.show, name="attempt"),
    path("quiz-attempts/<uuid:attempt>/answers/<int:position>", taking.save, name="attempt-save"),
    path("quiz-attempts/<uuid:attempt>/submit", taking.submit, name="attempt-submit"),
]
