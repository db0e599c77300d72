"""Scores from 0 to 10 of answers to benchmark questions: the fixed rules, and those a question names.

Source: K. Ouda, "ABBL: An Advanced Benchmark and Leaderboard for Comprehensive Evaluation of Arabic Language
Models", 2025; sections 3.1, 3.2 and 3.4, table 6. What the paper leaves open is decided in docs/benchmark.md.
"""
