"""Did a model see the questions? What probes ask of it, how its replies are read, and what follows.

docs/contamination.md says why they are as they are. Nothing here calls anybody: `judging/probing` puts the
questions to endpoints.
"""
