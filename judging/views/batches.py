"""What the pages of a run and of a collection share: both are a batch of calls that goes on by itself and can be stopped.

Each keeps its own words and its own rules; here is only what a reader would otherwise read twice.
"""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet, TextChoices
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.vary import vary_on_headers

from projects.requests import SignedInRequest

CALLS_PER_PAGE = 20
