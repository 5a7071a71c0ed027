"""Talk around a request is set aside; what could restrict the answer is not, however much it sounds like talk."""

import pytest

from domain.english.chat.set_aside import without_chat
from domain.english.engine import Engine

PLAIN = "show me flights from boston to denver"
BEFORE = (
    "good morning dear",
    "lovely and",
    "goodness that is plenty",
    "oh my",
    "marvelous",
    "hello hon",
    "my daughter has a chess tournament so",
    "my son is getting married and",
    "we are a family of four and",
    "my boys are crazy about airplanes so",
    "i used to fly for a living you know so humor me",
    "i'm just putting together a report",
    "my boss wants to know",
    "since my mother died i am rather lonely so",
    "it is my birthday so",
    "i'm an old lady and my eyes are bad so tell me",
    "my brother in law is a pilot so i wonder",
    "to tell you the truth",
    "silly question but",
    "sorry to bother you",
    "be so kind and",
    "my wife and i are celebrating our anniversary",
    "you know we promised the twins mickey mouse so",
    "i have never done this before so please be patient",
    "my roommate just lost her job and",
)
AFTER = (
    "to see my grandchildren",
    "to visit my aunt",
    "for my sister's wedding",
    "for a funeral",
    "for church",
    "so i can tell my sister",
    "so that my wife does not worry",
    "because my wife hates waiting",
    "because i get so nervous",
    "my roommate's picking me up",
    "i am in a rush",
    "she is so excited",
    "by the way",
    "if you'd be so good",
    "if it's no trouble",
    "so to speak",
    "with my bad hip",
    "for my file",
    "please dear",
    "to surprise my husband",
    "to give a talk",
    "for the school project",
    "bless your heart",
    "to bury my uncle",
    "my mother is waiting",
    "because of my boss",
    "i have a cousin there",
    "in order to meet my professor",
    "for work",
    "we are so happy",
    "if you ask me",
    "for goodness sake",
    "to celebrate our anniversary",
    "i've got family there",
    "my kids are getting impatient",
)
RESTRICTIONS = (
    "near the sea",
    "with a window",
    "that serve sushi",
    "with seats left",
    "with room for my wheelchair",
    "where i can bring my dog",
    "that my sister took",
    "that my company pays for",
    "my boss likes",
    "i took yesterday",
    "i have booked",
    "my husband recommended",
    "that are good for my back",
    "with a movie",
    "with my favorite pilot",
    "for students",
    "for the disabled",
    "for a group of ten",
    "without a layover hotel",
    "because of the strike",
    "i can take with a toddler",
    "since the merger",
    "after my meeting",
    "before the game",
    "during the convention",
    "around my birthday",
    "in time for the wedding",
    "to see the eclipse from the window",
    "i want a window seat",
    "i hate propellers",
    "i need a vegetarian meal",
    "i can't sit next to smokers",
    "my wife must have an aisle seat",
    "my dog has to come along",
    "we are a party of nine and must sit together",
    "i am allergic to peanuts",
    "i get seasick in turbulence",
    "that leave when the kids are asleep",
    "as long as the crew speaks french",
    "unless my sister is on it",
    "if my card works",
    "so that i can see the mountains",
    "so i can connect to anchorage",
    "to connect to a cruise ship",
    "because i need to be there by six",
    "as my ticket is refundable",
    "i do not want to fly eastern",
    "we would like to fly delta",
    "my wife wants first class",
    "my son has to leave before noon",
    "i have to be there by six",
    "no dogs please",
    "quiet ones",
    "on a new plane",
    "on a lovely plane",
    "with good food",
    "with free drinks for my friends",
    "at a student discount",
    "operated by a friend",
    "which are rarely late",
    "for my pension plan members",
    "i can afford",
    "with my frequent flyer miles",
    "on which my bike travels free",
)


def sql(air: Engine, said: str) -> str:
    readings = air.ask(said).readings
    return readings[0].sql if readings else ""


@pytest.mark.parametrize("talk", BEFORE)
def test_talk_before_a_request_leaves_its_answer_as_it_is(air: Engine, talk: str) -> None:
    assert sql(air, f"{talk} {PLAIN}") == sql(air, PLAIN)


@pytest.mark.parametrize("talk", AFTER)
def test_talk_after_a_request_leaves_its_answer_as_it_is(air: Engine, talk: str) -> None:
    assert sql(air, f"{PLAIN} {talk}") == sql(air, PLAIN)


@pytest.mark.parametrize("restriction", RESTRICTIONS)
def test_a_restriction_that_sounds_like_talk_is_read_or_marked_or_prevents_an_answer(
    air: Engine, restriction: str
) -> None:
    readings = air.ask(f"{PLAIN} {restriction}").readings
    assert not readings or readings[0].unused or readings[0].sql != sql(air, PLAIN)


def test_words_of_a_clause_that_nothing_accounts_for_are_marked_on_the_reading(air: Engine) -> None:
    answered = air.ask("you know we promised the twins mickey mouse so what flies from detroit to orlando on saturdays")
    assert answered.readings[0].sql == sql(air, "what flies from detroit to orlando on saturdays")
    assert {"mickey", "mouse"} <= {*answered.readings[0].unused}


def test_a_place_told_before_a_request_is_where_there_is(air: Engine) -> None:
    told = "my son is stationed in seattle and i want to surprise him can i fly there nonstop from san francisco"
    assert sql(air, told) == sql(air, "can i fly to seattle nonstop from san francisco")


def test_values_of_a_story_do_not_restrict_when_the_request_repeats_them(air: Engine) -> None:
    told = "my daughter has a tournament in houston so could you show me what goes from kansas city to houston"
    assert sql(air, told) == sql(air, "show me what goes from kansas city to houston")


def test_values_of_a_story_stay_when_the_request_lacks_them(air: Engine) -> None:
    told = "my daughter has a tournament in houston so could you show me what goes from kansas city"
    assert "houston" in without_chat(told, air.items).text


def test_a_request_for_somebody_else_is_read_as_the_speakers_own(air: Engine) -> None:
    wanted = sql(air, "i need boston to dallas on tuesday")
    assert wanted
    assert sql(air, "mister brandt needs boston to dallas on tuesday") == wanted
    assert sql(air, "my mother in law needs boston to dallas on tuesday") == wanted


def test_words_of_the_domain_win_over_everyday_life(library: Engine) -> None:
    assert without_chat("my sister is the author of clouds so who wrote rivers", library.items).text == (
        "my sister is the author of clouds so who wrote rivers"
    )


def test_nothing_but_talk_stays_as_it_is(air: Engine) -> None:
    for talk in ("lovely", "oh dear", "my roommate is picking me up", "because my wife hates waiting"):
        assert without_chat(talk, air.items).text == talk


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "our choir is singing out there so which flights go from boston to denver",
            "which flights go from boston to denver",
        ),
        ("he's got soccer in the morning so what leaves boston after three p m", "what leaves boston after three p m"),
        (
            "the kids are in school till four so which flights from boston go after five",
            "which flights from boston go after five",
        ),
        (
            "my wife won a trip to orlando so what is there out of boston on a monday",
            "what is there from boston on a monday to orlando",
        ),
        ("we are taking a cruise from miami so what gets there from boston", "what gets to miami from boston"),
        ("i'm just calling to ask which flights go from boston to denver", "which flights go from boston to denver"),
    ],
)
def test_the_conclusion_of_a_premise_is_the_request(air: Engine, said: str, meant: str) -> None:
    assert sql(air, meant)
    assert sql(air, said) == sql(air, meant)


def test_a_wish_in_a_premise_stays_in_sight(air: Engine) -> None:
    answered = air.ask("i need a wheelchair ramp so which flights go from boston to denver")
    assert not answered.readings or {"ramp"} <= {*answered.readings[0].unused}
    assert without_chat(
        "i do not want to fly delta so which flights go from boston to denver", air.items
    ).text.startswith("i do")


def test_a_degree_is_no_premise(air: Engine) -> None:
    for said in ("which flights are so cheap that anyone can go", "is it so far from boston to denver"):
        assert without_chat(said, air.items).text == said
