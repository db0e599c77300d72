"""The area of questionnaires: tasks whose screen is made of parts."""
