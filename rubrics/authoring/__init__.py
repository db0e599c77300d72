"""Phase A: a rubric is written as one draft, checked, reviewed where the project asks for it, and frozen."""
