from argparse import ArgumentParser
from typing import Any

from benchmark.importing.answers import BenchmarkAnswers
from benchmark.importing.columns import Columns, read_columns
from benchmark.importing.command import BenchmarkImportCommand
from formats.benchmark_answer import BenchmarkAnswer
from formats.importing.registry import Importer


class Command(BenchmarkImportCommand):
    help = (
        "Import answers to a benchmark that models gave elsewhere (JSONL, CSV, TSV, Parquet, and the files of "
        "lm-evaluation-harness, HELM and lighteval): all or nothing."
    )
    kind = BenchmarkAnswers.kind

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--set", default="", metavar="SLUG", help="question set of lines that name none")
        parser.add_argument("--configuration", default="", metavar="SLUG", help="configuration of lines that name none")

    def configuration(self, options: dict[str, Any]) -> Any:
        columns = self.columns(options["columns"])

        def configure(importer: Importer) -> None:
            assert isinstance(importer, BenchmarkAnswers)
            importer.set_slug, importer.configuration = options["set"], options["configuration"]
            importer.columns = columns

        return configure

    def columns(self, path: str | None) -> Columns:
        return self.read(path, lambda text: read_columns(text, BenchmarkAnswer)) if path else Columns()
