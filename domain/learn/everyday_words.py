"""Everyday words for tables and columns: synonyms, and the verbs used with them.

Each entry covers a word in names of tables or columns; `curtain learn` writes those that apply to `domain.toml`, to be
edited.
"""

from __future__ import annotations

ALIKE = (
    "medication|medicine|drug", "doctor|physician", "movie|film", "car|automobile|vehicle", "customer|client",
    "worker|employee",
    "student|pupil", "purchase|order", "invoice|bill", "appointment|booking", "journey|trip|ride", "picture|image|photo",
    "job|position", "shop|store", "firm|company", "dish|meal", "ship|vessel|boat", "song|track", "illness|disease",
    "lorry|truck", "flat|apartment", "prescription|prescribed|prescribe", "reservation|reserved", "subscription|subscribed",
    "salesperson|salesman|sales rep", "match|game|fixture", "instructor|teacher", "class|course", "guest|visitor",
    "pet|animal", "author|writer", "vet|veterinarian", "object|item|piece|artefact|artifact|work|artwork",
    "institution|organisation|organization", "exhibition|exhibit", "port|harbour|harbor",
    "crew|crew member", "member|reader|borrower", "event|activity", "checkout|loan", "hold|reservation", "rider|cyclist",
    "team|squad", "supplier|vendor", "greenhouse|glasshouse", "house|home", "diagnosis|condition",
    "insurer|insurance company", "accident|incident", "lecturer|professor", "donor|giver", "volunteer|helper",
    "tenant|renter",
    "photograph|photo", "concert|gig", "band|group", "engineer|technician", "lesson|session", "parcel|package",
    "warehouse|depot",
    "project|job", "department|unit|division", "contract|agreement", "venue|place", "recipe|dish", "property|house",
)  # fmt: skip
"""Synonyms for what tables hold; where both are names in a database, neither stands for the other."""
DONE = {
    "rental": "rented|rent|rents|hired out", "payment": "paid|pay|pays",
    "order": "ordered|order|orders|placed|place|bought|buy|buys|purchased|sold",
    "booking": "booked|book|books", "reservation": "reserved|booked|reserve",
    "hold": "reserved|on hold|waiting for|put on hold",
    "prescription": "prescribed|prescribe|prescribes",
    "loan": "loaned|borrowed|borrow|borrows|lent|lend|lends|loaned out|lent out|on loan",
    "checkout": "checked out|borrowed|borrow|borrows|taken out|lent|lent out|took out|check out",
    "admission": "admitted", "purchase": "purchased|bought|buy|buys", "sale": "sold|sell|sells|bought|buy|buys",
    "invoice": "bought|buy|buys|invoiced|billed",
    "visit": "visited|visits|seen|saw|been seen|been in|came in|come in|brought in", "review": "reviewed",
    "repair": "repaired|fixed|mended", "delivery": "delivered|deliver|delivers",
    "shipment": "shipped|ship", "treatment": "treated|treat|treats", "donation": "donated|donate|gave",
    "inspection": "inspected|inspect", "rating": "rated|rate", "registration": "registered|signed up",
    "enrollment": "enrolled|taking|takes", "enrolment": "enrolled|taking|takes", "subscription": "subscribed",
    "sighting": "seen|sighted|spotted|see|saw", "goal": "scored|score|scores", "vote": "voted", "lease": "leased|rented",
    "assignment": "assigned", "check": "checked", "service": "serviced", "translation": "translated",
    "examination": "examined", "exam": "examined",
    "appointment": "seen|saw|sees|see|seeing|had an appointment|booked|been booked",
    "vaccination": "vaccinated|been vaccinated|jabbed", "exhibition": "exhibited|on show|on display",
    "sailing": "sailed|sail|sails", "trip": "ridden|rode|ride|rides|travelled|traveled", "ride": "ridden|rode|ride",
    "programme": "performed|played|sung|sang", "session": "trained", "vaccine": "vaccinated",
    "performance": "performed", "screening": "screened|shown", "attendance": "attendance|attended|attend", "race": "raced",
    "result": "raced|took part|competed", "accident": "had an accident|crashed", "injury": "injured|hurt|been hurt",
    "harvest": "harvested|picked", "planting": "planted", "test": "tested", "lesson": "taught", "call": "called|rang|phoned",
    "complaint": "complained", "fine": "fined", "transfer": "transferred", "claim": "claimed|made a claim",
    "maintenance": "maintained", **dict.fromkeys(("award", "prize", "medal"), "won|win|wins|awarded|received"),
}  # fmt: skip
"""Verbs for the event that a row of a table records."""
PEOPLE = frozenset([
    "owner", "mechanic", "manager", "player", "ranger", "teacher", "patient", "doctor", "nurse", "author", "actor",
    "employee", "staff", "student", "pupil", "member", "driver", "client", "person", "physician", "singer",
    "guest", "customer", "rider", "captain", "volunteer", "donor", "artist", "vet", "curator", "trainer", "athlete", "tenant",
    "landlord", "lawyer", "judge", "candidate", "applicant", "referee", "musician", "composer", "chef", "cook", "waiter",
    "officer",
    "child", "parent", "participant", "speaker", "lecturer", "professor", "tutor", "scientist", "researcher", "engineer",
    "technician", "clerk", "cashier", "farmer", "gardener", "breeder", "swimmer", "runner", "cyclist", "voter", "crew",
    "sailor",
    "borrower", "subscriber", "buyer", "seller", "trainee", "apprentice", "consultant", "therapist", "surgeon", "midwife",
    "agent", "instructor", "coach", "writer", "director", "worker", "resident", "user",
])  # fmt: skip
"""Names of tables whose rows are people."""
EVENTS = frozenset(["event", "show", "concert", "performance", "screening", "exhibition", "activity", "programme"])
WHATS_ON = ("what is on at", "what is on in", "what is happening", "what is going on", "anything on at")
ANIMALS = frozenset([
    "pet", "animal", "horse", "dog", "cat", "cow", "bull", "sheep", "goat", "pig", "bird", "puppy", "kitten", "foal", "calf",
    "pony", "rabbit", "beast", "creature", "specimen", "elephant", "livestock", "fish", "hen",
])  # fmt: skip
_LEAVING = "leave|leaves|leaving|depart|departs|departing|set off|sets off|set sail|sets sail"
_COMING = "arrive|arrives|arriving|get in|gets in"
_OPENING = "open|opens|opening|opened"
_CLOSING = "close|closes|closing|closed|shut|shuts"
STARTING = "start|starts|starting|started|begin|begins|beginning|began"
ENDING = "end|ends|ending|ended|finish|finishes|finishing|finished"
VERBS = {
    "birth": "born|born in|born on", "death": "died|died in|passed away", "deceased": "died|dead|passed away",
    "died": "died|dead",
    **dict.fromkeys(("start", "starts", "begin", "begins"), STARTING), **dict.fromkeys(("end", "ends"), ENDING),
    **dict.fromkeys(("departs", "departure", "leaves"), _LEAVING), "departed": f"{_LEAVING}|left",
    **dict.fromkeys(("arrives", "arrival", "arrived"), _COMING),
    "opens": _OPENING, "opening": _OPENING, "open": _OPENING, "closes": _CLOSING, "closing": _CLOSING,
    "hire": "hired|joined|join|hired in|been here|worked here|started"
    "|started work|taken on|start here|started here|begin here|began here|start work",
    "release": "released|released in|came out",
    "publication": "published|published in", "price": "cost|costs|costing|priced|cheaper than|dearer than",
    **dict.fromkeys(("cost", "fee", "fare", "charge"), "cost|costs|costing|charge|charges|charging|cheaper than|dearer than"),
    "height": "tall|high|taller than|higher than", "elevation": "high|higher than",
    **dict.fromkeys(("length", "distance"), "long|longer than|shorter than"),
    "duration": "long|lasting|last|lasts|take|takes|taking|took|longer than|shorter than",
    "runtime": "long|lasting|last|lasts|run|runs|longer than|shorter than",
    "width": "wide|wider than|narrower than",
    **dict.fromkeys(("milliseconds", "seconds"), "long|lasting|last|lasts|longer than|shorter than"),
    "kickoff": "kicked off|kick off|kicks off|kicking off|starting",
    "depth": "deep|deeper than|shallower than", "weight": "weigh|weighs|weighing|heavy|heavier than|lighter than",
    "area": "big|large|size|bigger than|larger than|smaller than",
    "speed": "fast|go|goes|top speed|faster than|slower than", "age": "old|aged",
    "population": "inhabitants|people|residents",
    **dict.fromkeys(("salary", "wage", "pay"), "earn|earns|earning|making|makes|paid"),
    "capacity": "seats|places|hold|holds|carry|carries", "stock": "in stock|left|on hand|remaining",
    **dict.fromkeys(("owed", "owing", "debt", "arrears", "outstanding"), "owe|owes|owed|owing"),
    **dict.fromkeys(("value", "valued", "valuation"), "worth|valued at|valued"), "insured": "insured for|insured at|insured",
    "amount": "amount|worth|paid|pay|pays", "attendance": "attendance|attended|attend|came|attendees",
    "visitors": "visitors|visited|came|attended",
    "delay": "delay|late|delayed", "points": "points|score|scores|scored|scoring", **dict.fromkeys(("score", "grade",
    "mark", "marks"), "scored|got|graded"),
    "published": "came out|appeared", **dict.fromkeys(("acquired", "acquisition"),
    "got|bought|purchased|obtained|acquired in"),
    **dict.fromkeys(("bought", "purchased"), "bought|purchased|acquired|got"),
    "joined": "joined|join|signed up|been here|been a member", "since": "since|been with us|been a customer",
    **dict.fromkeys(("founded", "established", "founding"), "founded|established|set up|started"),
    "built": "constructed|launched", "due": "due back", "returned": "brought back|came back|handed back", "out": "taken out",
    **dict.fromkeys(("expiry", "expires", "expiration"), "expire|expires|run out|runs out|expired"),
    "made": "painted|created|dates from", "quantity": "quantity|left|bought|sold", "sown": "planted",
    "renewals": "renewals|renewed", "lead": "deliver|delivers", "finish": "finish|finishes|finished",
}  # fmt: skip
"""Verbs and adjectives before or after a value, by a word in the column's name."""
