from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from benchmark.importing.columns import Columns, read_columns
from benchmark.importing.parquet import ParquetLines
from benchmark.importing.questions import BenchmarkQuestions
from benchmark.rule_map import RuleMap, read_rule_map, shipped
from formats.importing.command import ImportCommand
from formats.importing.registry import Importer
from formats.reading import FORMATS, Source
from projects.models import LanguageVariety
from projects.problems import Invalid

PARQUET = "parquet"


class Command(ImportCommand):
    help = "Import questions of a benchmark (JSONL, CSV, TSV, Parquet) into a question set: all or nothing."
    kind = BenchmarkQuestions.kind
    formats = (*FORMATS, PARQUET)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--set", default="", metavar="SLUG", help="short name of the set; a new one is begun")
        parser.add_argument("--rules", metavar="FILE", help="rule map: JSON, rules by skill and format")
        parser.add_argument("--columns", metavar="FILE", help="column map: JSON, their names and ours")
        parser.add_argument("--variety", default="", metavar="TAG", help="language variety of questions that name none")

    def configuration(self, options: dict[str, Any]) -> Any:
        rule_map = self.rule_map(options["rules"])
        columns = self.columns(options["columns"])
        tag = options["variety"]
        if tag and not LanguageVariety.objects.filter(tag=tag).exists():
            raise CommandError(_("The language variety “%(tag)s” is not known.") % {"tag": tag})

        def configure(importer: Importer) -> None:
            assert isinstance(importer, BenchmarkQuestions)
            importer.set_slug, importer.variety_tag = options["set"], tag
            importer.rule_map, importer.columns = rule_map, columns

        return configure

    def rule_map(self, path: str | None) -> RuleMap:
        return self.read(path, read_rule_map) if path else shipped()

    def columns(self, path: str | None) -> Columns:
        return self.read(path, read_columns) if path else Columns()

    def read(self, path: str, reader: Any) -> Any:
        """What stands in a file beside the questions; CommandError with every problem of it."""
        try:
            return reader(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(_("%(path)s cannot be read: %(reason)s.") % {"path": path, "reason": error}) from None
        except Invalid as refused:
            raise CommandError("\n".join(f"{path}, {problem}" for problem in refused.problems)) from None

    def source(self, source: Source, file_format: str) -> tuple[Source, str]:
        if file_format != PARQUET:
            return source, file_format
        try:
            return Source(ParquetLines(source.file), source.name), "jsonl"  # type: ignore[arg-type]
        except Invalid as refused:
            raise CommandError(str(refused)) from None
