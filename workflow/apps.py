from django.apps import AppConfig


class WorkflowConfig(AppConfig):
    name = "workflow"

    def ready(self) -> None:
        from projects.content_notes import register
        from workflow.content_notes import follow

        register(follow)
