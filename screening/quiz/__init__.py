"""Quizzes: kinds of questions, how they are asked, taken and graded, and what the answers say of the questions."""
