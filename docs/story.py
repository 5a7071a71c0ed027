"""The scenario that all pictures of a session show: its task, what was said, and the rows that answer it."""

from session import events as e
from session.values.answers import rows_of
from session.values.clock import Stamp

AT = Stamp("desk", 0, 0)
TASK = (
    "You want to go from Boston to Denver in the afternoon, and to have dinner on board. Find out which flights there "
    "are, and which of them serves dinner."
)
SAID = "what flights leave boston for denver in the afternoon"
FLIGHTS = rows_of(
    ["airline", "flight", "departs", "arrives", "meal"],
    [
        ["United Airlines", 343, "12:15 pm", "2:20 pm", "lunch"],
        ["Continental Airlines", 1217, "2:30 pm", "4:50 pm", "snack"],
        ["United Airlines", 953, "4:55 pm", "7:10 pm", "dinner"],
        ["Delta Air Lines", 217, "5:40 pm", "8:05 pm", "dinner"],
    ],
)
SQL = "SELECT airline, flight, departs, arrives, meal FROM flight WHERE origin = 'BOS' AND destination = 'DEN'"


def task() -> e.ScenarioStarted:
    return e.ScenarioStarted(number=1, scenario="dinner", title="Dinner aloft", text=TASK, kind="trip")
