"""manage.py try_model MODEL@PROVIDER [--take-over]"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from providers.capabilities import FLAGS
from providers.client.keys import KeyMissing
from providers.command_line import model_at
from providers.models import ServedModel
from providers.problem_texts import in_words
from providers.trying import take_over_found, try_model

SEEN = {True: "yes", False: "no", None: "not seen"}


class Command(BaseCommand):
    help = "Ask a model once and say what it takes, what it cost and how long it needed. Keeps what was found."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("model", metavar="MODEL@PROVIDER", help="for example gpt-4o@openai")
        parser.add_argument("--take-over", action="store_true", help="make what is found what is known of the model")

    def handle(self, *args: Any, model: str, take_over: bool, **options: Any) -> None:
        served = self.find(model)
        try:
            result = try_model(served)
        except KeyMissing as missing:
            raise CommandError(f"No key named {missing} is set here. Nothing was asked.") from None
        if result["problem"]:
            raise CommandError(f"{served.name} did not answer. {in_words(result['problem'])}")
        self.say(result)
        if take_over:
            changed = take_over_found(served)
            self.stdout.write(f"Taken over:  {', '.join(changed) or 'nothing new'}")

    def find(self, setup: str) -> ServedModel:
        """The model's row, made where there is none. A model's name may hold an @, a provider's may not."""
        name, provider = model_at(setup)
        served, _created = ServedModel.objects.get_or_create(provider=provider, name=name)
        return served

    def say(self, result: dict[str, Any]) -> None:
        cost = "no price is known" if result["cost"] is None else f"${result['cost'] / 1e9:.9f}"
        accepted = {True: "", False: " (NOT the model that was asked)", None: ""}[result["is_accepted"]]
        self.stdout.write(f"Answered by: {result['model'] or 'not said'}{accepted}")
        self.stdout.write(f"Laboratory:  {result['laboratory'] or 'not known'}")
        self.stdout.write(f"Cost:        {cost}")
        self.stdout.write(f"Latency:     {result['latency_ms']} ms, {result['requests']} requests")
        tokens = [result[f"{side}_tokens"] for side in ("prompt", "completion", "reasoning")]
        self.stdout.write("Tokens:      {} in, {} out, {} thought".format(*("?" if n is None else n for n in tokens)))
        for name in FLAGS:
            label = str(ServedModel._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
            self.stdout.write(f"  {label}: {SEEN[result['flags'].get(name)]}")
