"""The people the stories are about, as fixtures.

Nour leads; Mona and Karim annotate Egyptian Arabic; Rafia and Tanvir annotate Bengali; Hana is an expert
validator; Salma writes rubrics in Egyptian Arabic, Zaid in Iraqi and Egyptian Arabic; Omar leads another project; Ada
administers the installation; Simba is a simulated judge.
"""

import pytest
from django.test import Client

from projects.models import (
    Laboratory,
    LanguageVariety,
    Membership,
    Project,
    Prompt,
    Rater,
    Response,
    TargetModel,
    User,
)

PASSWORD = "a long pass phrase for tests"

EGYPTIAN = (
    "الكشري أكلة مصرية شعبية بتتعمل من الرز والعدس والمكرونة.\n\n"
    "في رمضان الناس بتاكل الكشري كل يوم على السحور، وده تقليد قديم من أيام الفراعنة."
)
BENGALI = "পহেলা বৈশাখে ঢাকার মানুষ ইলিশ মাছ আর পান্তা ভাত খায়।\n\nএই উৎসব হয় ডিসেম্বর মাসে, শীতের ছুটিতে।"


def person(email: str, name: str, **fields) -> User:
    return User.objects.create_user(email, PASSWORD, name=name, **fields)


def join(user: User, project: Project, *roles: str, varieties: tuple[str, ...] = (), expert: bool = False) -> User:
    for role in roles:
        Membership.objects.create(user=user, project=project, role=role)
    if {"annotator", "validator", "author"} & set(roles):
        rater = Rater.objects.create(project=project, kind="human", name=user.name, user=user, is_expert=expert)
        rater.varieties.set(LanguageVariety.objects.filter(tag__in=varieties))
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def add_response(project: Project, key: str, text: str, tag: str, model: str = "Nile-7B") -> Response:
    from projects.anchors import sha256

    laboratory, _ = Laboratory.objects.get_or_create(slug="delta-lab", defaults={"name": "Delta Lab"})
    target_model, _ = TargetModel.objects.get_or_create(name=model, defaults={"laboratory": laboratory})
    variety = LanguageVariety.objects.get(tag=tag)
    prompt_text = f"Question of {key}"
    prompt = Prompt.objects.create(
        project=project, key=f"p-{key}", text=prompt_text, text_sha256=sha256(prompt_text), variety=variety
    )
    return Response.objects.create(
        project=project,
        prompt=prompt,
        target_model=target_model,
        variety=variety,
        key=key,
        text=text,
        text_sha256=sha256(text),
    )


@pytest.fixture
def project(db) -> Project:
    return Project.objects.create(slug="feasts", name="Feasts")


@pytest.fixture
def other_project(db) -> Project:
    return Project.objects.create(slug="weddings", name="Weddings")


@pytest.fixture
def nour(project) -> User:
    return join(person("nour@example.org", "Nour Haddad"), project, "lead")


@pytest.fixture
def mona(project) -> User:
    return join(person("mona@example.org", "Mona Adel"), project, "annotator", varieties=("ar-EG",))


@pytest.fixture
def karim(project) -> User:
    return join(person("karim@example.org", "Karim Samir"), project, "annotator", varieties=("ar-EG",))


@pytest.fixture
def rafia(project) -> User:
    return join(person("rafia@example.org", "Rafia Khatun"), project, "annotator", varieties=("bn-BD",))


@pytest.fixture
def tanvir(project) -> User:
    return join(person("tanvir@example.org", "Tanvir Ahmed"), project, "annotator", varieties=("bn-BD",))


@pytest.fixture
def hana(project) -> User:
    user = person("hana@example.org", "Hana Yusuf")
    return join(user, project, "validator", varieties=("ar-EG", "bn-BD"), expert=True)


@pytest.fixture
def salma(project) -> User:
    return join(person("salma@example.org", "Salma Fathy"), project, "author", varieties=("ar-EG",))


@pytest.fixture
def zaid(project) -> User:
    return join(person("zaid@example.org", "Zaid Kareem"), project, "author", varieties=("ar-IQ", "ar-EG"))


@pytest.fixture
def omar(other_project) -> User:
    return join(person("omar@example.org", "Omar Said"), other_project, "lead")


@pytest.fixture
def ada(db) -> User:
    return person("ada@example.org", "Ada Admin", is_superuser=True)


@pytest.fixture
def simba(project) -> Rater:
    laboratory, _ = Laboratory.objects.get_or_create(slug="simulated", defaults={"name": "Simulated"})
    return Rater.objects.create(
        project=project, kind="judge", name="Simba", model="simba-1", laboratory=laboratory, is_simulated=True
    )


@pytest.fixture
def koshari(project) -> Response:
    return add_response(project, "koshari", EGYPTIAN, "ar-EG")


@pytest.fixture
def boishakh(project) -> Response:
    return add_response(project, "boishakh", BENGALI, "bn-BD")
