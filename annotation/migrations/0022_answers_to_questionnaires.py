from django.db import migrations, models
from django.db.models import CASCADE, PROTECT, Q

from projects.triggers import Trigger, create, drop

PROJECT_OF_STAGE = "(SELECT project_id FROM workflow_stage WHERE id = NEW.stage_id)"
OTHER_PROJECT = " OR ".join(
    f"(SELECT project_id FROM {table} WHERE id = NEW.{column}) <> {PROJECT_OF_STAGE}"
    for table, column in (
        ("projects_rater", "rater_id"),
        ("projects_response", "response_id"),
        ("projects_responsepair", "pair_id"),
        ("projects_prompt", "prompt_id"),
    )
)
WITHIN_PROJECT = Trigger(
    "questionnaire_answer_within_project",
    "annotation_questionnaireanswer",
    "INSERT",
    OTHER_PROJECT,
    "an answer stays within one project",
)
SUBJECTS = ("response", "pair", "prompt")


def belonging(to, *, on_delete=CASCADE, null=True):
    options = {"blank": True, "null": True} if null else {}
    return models.ForeignKey(on_delete=on_delete, related_name="questionnaire_answers", to=to, **options)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0021_answers_name_their_import"),
        ("projects", "0020_points_are_of_labels"),
        ("workflow", "0015_layout_of_questionnaires"),
    ]

    operations = [
        migrations.CreateModel(
            name="QuestionnaireAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.PositiveSmallIntegerField(default=1)),
                ("answers", models.JSONField(default=dict)),
                ("is_check", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("assignment", belonging("workflow.assignment", on_delete=PROTECT)),
                ("pair", belonging("projects.responsepair")),
                ("prompt", belonging("projects.prompt")),
                ("rater", belonging("projects.rater", on_delete=PROTECT, null=False)),
                ("response", belonging("projects.response")),
                ("stage", belonging("workflow.stage", on_delete=PROTECT, null=False)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(response__isnull=False, pair__isnull=True, prompt__isnull=True)
                        | Q(response__isnull=True, pair__isnull=False, prompt__isnull=True)
                        | Q(response__isnull=True, pair__isnull=True, prompt__isnull=False),
                        name="questionnaire_answer_one_subject",
                    ),
                    *(
                        models.UniqueConstraint(
                            fields=("stage", subject, "rater", "round"),
                            name=f"questionnaire_answer_of_{subject}_once",
                        )
                        for subject in SUBJECTS
                    ),
                ],
            },
        ),
        migrations.RunPython(create(WITHIN_PROJECT), drop(WITHIN_PROJECT)),
    ]
