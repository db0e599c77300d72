"""What models are asked to judge and what they said: prompts, judges, runs, shards, calls, panels, rewards."""

from judging.models.calls import ANSWERED, Call, CallState, Signal
from judging.models.collecting import CollectionCall, CollectionState
from judging.models.judges import Effort, Granularity, Judge, Orders, Shots, Target
from judging.models.panels import Panel, PanelMember, PanelRule
from judging.models.prompts import JudgePrompt, PromptVersion
from judging.models.rewards import Reward, Rollout, RolloutState
from judging.models.runs import PausedBecause, Purpose, Run, RunSet, RunState, Shard, SubmissionHold
from judging.models.targets import MAX_REPLICATES, DifficultyModel, SystemPrompt, TargetEndpoint

__all__ = [
    "ANSWERED",
    "MAX_REPLICATES",
    "Call",
    "CallState",
    "CollectionCall",
    "CollectionState",
    "DifficultyModel",
    "Effort",
    "Granularity",
    "Judge",
    "JudgePrompt",
    "Orders",
    "Panel",
    "PanelMember",
    "PanelRule",
    "PausedBecause",
    "PromptVersion",
    "Purpose",
    "Reward",
    "Rollout",
    "RolloutState",
    "Run",
    "RunSet",
    "RunState",
    "Shard",
    "Shots",
    "Signal",
    "SubmissionHold",
    "SystemPrompt",
    "Target",
    "TargetEndpoint",
]
