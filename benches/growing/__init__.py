"""The cases of `benches/growth`: what grows, and the verbs that are asked."""
from . import dimensions, files, jobs, languages, situations

ALL = [*dimensions.CASES, *situations.CASES, *files.CASES, *languages.CASES, *jobs.CASES]
