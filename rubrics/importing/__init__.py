"""Rubrics and grades made elsewhere, and gold files of rubrics projects.

lines.py knows the fields of a line, rubrics.py and grades.py store them, gold.py reads back what was exported by
way of both.
"""
