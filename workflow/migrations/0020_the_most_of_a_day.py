import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0025_case_books"),
        ("workflow", "0019_remarks_beside_answers"),
    ]

    operations = without_triggers(
        migrations.CreateModel(
            name="OwnLimits",
            fields=[
                (
                    "rater",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="own_limits",
                        serialize=False,
                        to="projects.rater",
                    ),
                ),
                (
                    "items_per_day",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10000),
                        ],
                        verbose_name="most items a day",
                    ),
                ),
                (
                    "minutes_per_day",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1440),
                        ],
                        verbose_name="most minutes a day",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "own limits",
            },
        ),
        migrations.AddField(
            model_name="timerules",
            name="items_per_day",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(10000),
                ],
                verbose_name="most items a day",
            ),
        ),
        migrations.AddField(
            model_name="timerules",
            name="minutes_per_day",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1440),
                ],
                verbose_name="most minutes a day",
            ),
        ),
        migrations.AddConstraint(
            model_name="timerules",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("items_per_day", None),
                        models.Q(("items_per_day__gte", 1), ("items_per_day__lte", 10000)),
                        _connector="OR",
                    ),
                    models.Q(
                        ("minutes_per_day", None),
                        models.Q(("minutes_per_day__gte", 1), ("minutes_per_day__lte", 1440)),
                        _connector="OR",
                    ),
                ),
                name="time_day_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="ownlimits",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("items_per_day", None),
                        models.Q(("items_per_day__gte", 1), ("items_per_day__lte", 10000)),
                        _connector="OR",
                    ),
                    models.Q(
                        ("minutes_per_day", None),
                        models.Q(("minutes_per_day__gte", 1), ("minutes_per_day__lte", 1440)),
                        _connector="OR",
                    ),
                ),
                name="own_limits_range",
            ),
        ),
    )
