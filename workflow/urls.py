from django.urls import path

from workflow.views import items, questions, stages, surveys, task, work

urlpatterns = [
    path("p/<slug:slug>/my-work/", work.work, name="work"),
    path("p/<slug:slug>/my-work/<int:stage>/next", work.next_item, name="work-next"),
    path("session/signed-in/", work.signed_in, name="signed-in"),
    path("tasks/<uuid:assignment>/", task.show, name="task"),
    path("tasks/<uuid:assignment>/draft", task.draft, name="task-draft"),
    path("tasks/<uuid:assignment>/saved", task.saved, name="task-saved"),
    path("tasks/<uuid:assignment>/submit", task.submission, name="task-submit"),
    path("tasks/<uuid:assignment>/skip", task.skip, name="task-skip"),
    path("tasks/<uuid:assignment>/release", task.release, name="task-release"),
    path("tasks/<uuid:assignment>/amend", task.amend, name="task-amend"),
    path("p/<slug:slug>/stages/", stages.stages, name="stages"),
    path("p/<slug:slug>/stages/new/", stages.create, name="stage-create"),
    path("p/<slug:slug>/stages/<int:stage>/", stages.edit, name="stage-edit"),
    path("p/<slug:slug>/stages/<int:stage>/plan/", stages.plan, name="stage-plan"),
    path("p/<slug:slug>/stages/<int:stage>/open/", stages.set_open, name="stage-open"),
    path("p/<slug:slug>/stages/<int:stage>/lock/", stages.set_locked, name="stage-lock"),
    path("p/<slug:slug>/stages/<int:stage>/items/", items.items, name="stage-items"),
    path("p/<slug:slug>/assignments/<uuid:assignment>/reassign/", items.reassign, name="reassign"),
    path("p/<slug:slug>/assignments/<uuid:assignment>/reopen/", items.reopen, name="reopen"),
    path("p/<slug:slug>/progress/", stages.progress, name="progress"),
    path("tasks/<uuid:assignment>/questions/", questions.of_item, name="task-questions"),
    path("p/<slug:slug>/my-work/answers-read/", questions.read, name="answers-read"),
    path("p/<slug:slug>/guidelines/questions/", questions.log, name="question-log"),
    path("p/<slug:slug>/questions/", questions.questions, name="questions"),
    path("p/<slug:slug>/questions/<int:pk>/", questions.answer, name="question-answer"),
    path("p/<slug:slug>/my-work/<int:stage>/survey/", surveys.take, name="survey"),
    path("p/<slug:slug>/stages/<int:stage>/survey/", surveys.edit, name="survey-edit"),
    path("p/<slug:slug>/stages/<int:stage>/survey/answers/", surveys.results, name="survey-results"),
]
