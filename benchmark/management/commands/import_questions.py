from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from benchmark.importing.columns import Columns, read_columns
from benchmark.importing.command import BenchmarkImportCommand
from benchmark.importing.questions import BenchmarkQuestions
from benchmark.rule_map import RuleMap, read_rule_map, shipped
from formats.importing.registry import Importer
from projects.languages.tags import NotATag
from projects.varieties import tag_named


class Command(BenchmarkImportCommand):
    help = "Import questions of a benchmark (JSONL, CSV, TSV, Parquet) into a question set: all or nothing."
    kind = BenchmarkQuestions.kind

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--set", default="", metavar="SLUG", help="short name of the set; a new one is begun")
        parser.add_argument("--rules", metavar="FILE", help="rule map: JSON, rules by skill and format")
        parser.add_argument("--variety", default="", metavar="TAG", help="language variety of questions that name none")

    def configuration(self, options: dict[str, Any]) -> Any:
        rule_map = self.rule_map(options["rules"])
        columns = self.columns(options["columns"])
        tag = options["variety"]
        try:
            tag = tag and tag_named(tag)
        except NotATag as refused:
            raise CommandError(f"--variety: {refused}") from None

        def configure(importer: Importer) -> None:
            assert isinstance(importer, BenchmarkQuestions)
            importer.set_slug, importer.variety_tag = options["set"], tag
            importer.rule_map, importer.columns = rule_map, columns

        return configure

    def rule_map(self, path: str | None) -> RuleMap:
        return self.read(path, read_rule_map) if path else shipped()

    def columns(self, path: str | None) -> Columns:
        return self.read(path, read_columns) if path else Columns()
