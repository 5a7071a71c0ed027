"""A play of one scenario that takes seconds: a take taken back, an answer, a canned message."""

from rehearsal.script import Ask, Canned, Ends, Script, ScriptedAct, ScriptedTurn

SHORT = Script(
    wizard="Oz",
    subject={"sex": "f", "age": 30},
    scenario=(
        ScriptedAct(
            kind="common",
            bindings={"A": "Boston", "B": "Denver", "C": "Atlanta"},
            turn=(
                ScriptedTurn(speech="wrong-button", said="oh", discard=True),
                ScriptedTurn(
                    speech="snacks",
                    said="which meals are snacks",
                    note="a private thought",
                    ask=(Ask(sql="SELECT nothing"), Ask(sql="SELECT COUNT(*) AS cities FROM city")),
                ),
                ScriptedTurn(speech="weather", said="the weather", canned=Canned("no-information", ("the weather",))),
            ),
            ends=Ends(declare="done"),
        ),
    ),
)
