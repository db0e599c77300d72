import os
import secrets
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from demo.jobs import SCALES, failed_before, in_words, load_generated, queue_demo
from demo.loading import load_by_hand
from projects.models import Membership, Project, Rater, Role
from projects.terminal import ProgressBar

SIGN_INS = "demo-sign-ins.txt"


class Command(BaseCommand):
    help = "Load the demonstration project, or a generated one at the size of a study. Says so where it is there."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--scale", choices=["demo", *SCALES], default="demo")
        parser.add_argument("--unjudged", action="store_true", help="leave the judges of perle to be run")
        parser.add_argument(
            "--queue", action="store_true", help="have a worker load it; asked again, say how far it is"
        )
        parser.add_argument("--password", help="of all demo people; default: DEMO_PASSWORD, else one is made up")

    def handle(self, *args: Any, scale: str, password: str | None, unjudged: bool, queue: bool, **options: Any) -> None:
        if Project.objects.filter(slug=scale).exists():
            self.stdout.write(_("The project “%(slug)s” is already there; nothing was changed.") % {"slug": scale})
            return
        if queue:
            if scale == "demo":
                raise CommandError(
                    _("The demo written by hand is there in a moment, with its sign-ins: leave out --queue.")
                )
            if failed := failed_before(scale):
                self.stderr.write(f"{failed.get_state_display()}: {failed.problem}")
            self.stdout.write(in_words(queue_demo(scale, judged=not unjudged)))
            return
        if scale != "demo":
            project = self.load(scale, judged=not unjudged)
            self.stdout.write(_("The generated project “%(slug)s” is loaded.") % {"slug": project.slug})
            return
        if settings.PRODUCTION and not password:
            message = _("These accounts sign in with a shared password. In production, choose it with --password.")
            raise CommandError(message)
        password = password or os.environ.get("DEMO_PASSWORD") or secrets.token_urlsafe(9)
        project = load_by_hand(password)
        self.stdout.write(_("The project “%(slug)s” is loaded.") % {"slug": project.slug})
        self.say_sign_ins(project, password)

    def load(self, scale: str, judged: bool) -> Project:
        with ProgressBar(sys.stderr) as bar:
            return load_generated(scale, judged, lambda lines, bytes_read, size: bar.show(lines, None, ""))

    def say_sign_ins(self, project: Project, password: str) -> None:
        """Print who can sign in; an embedded installation keeps it in a file that its owner alone can read."""
        lines = sign_ins(project, password)
        if not settings.PRODUCTION:
            path = Path(settings.DATA_DIR) / SIGN_INS
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for line in lines:
            self.stdout.write(line)


def sign_ins(project: Project, password: str) -> list[str]:
    """A line for each person: their address, their roles, and the languages that they are given work in."""
    memberships = Membership.objects.filter(project=project).select_related("user").order_by("id")
    roles: dict[str, list[str]] = {}
    for membership in memberships:
        roles.setdefault(membership.user.email, []).append(str(Role(membership.role).label).lower())
    raters = (
        Rater.objects.filter(project=project, user__isnull=False).prefetch_related("varieties").select_related("user")
    )
    languages = {
        rater.user.email: ", ".join(variety.local_name for variety in rater.varieties.all())
        for rater in raters.prefetch_related("varieties")
        if rater.user
    }
    lines = [
        f"  {email:<24} {', '.join(labels)}" + (f" · {languages[email]}" if languages.get(email) else "")
        for email, labels in roles.items()
    ]
    return [*lines, _("  password of all: %(password)s") % {"password": password}]
