"""English function words and phrases shared by all domains: asking, politeness, comparison, conjunction, negation.

Nothing here names a thing of a domain. Each phrase is listed once, in the group for its function.
"""

from __future__ import annotations

from collections.abc import Sequence

ASKING = """
show|show me|show us|read|read me|read out|read off|run through
pull up|bring up|call up|dig up|dig out|rattle off|spell out
let me hear|walk me through|read back|fetch|fetch me|list me|pick out|single out
list|list all|give|give me|give us|tell me|tell us|find|find me|display|print|get|get me
what|which
what is|what are|what was|what were|which is|which are|what about|how about|do you have|do you have any|are there
are there any|is there|is there a|is there any|i want|i would like|i need|we need|we want|iam looking for|looking for
iam after|we are after|let me see|can you find|can you show|could you tell|name|iam interested in
i would like to see|i would like to know
i would like information on|information on|information about|i want to see|i want to know|provide|provide me
tell me about
who|whose|how many|count|number of|the number of|i require|request|requesting|please list|bring up|what kind of
what kinds of|what type of|what types of|what sort of|which kind of|which type of|kind of|type of|types of
kinds of|a list of|table of|a table of|the table of|the list of|a display of
list of|any|do they have|does it have|what does|identify|please give me|i will take|enumerate|can i get|could i get
can you tell me|can i have|could i have|may i have|show me all|all of|all the|are any|am looking for|is any
""".replace("\n", "|")

WISHING = (
    "i want|i would like|i need|we need|we want|iam looking for|looking for|iam interested in|is there"
    "|are there|is there a|"
    "are there any|do you have|do you have any|find|i would like to see|any|is any|are any|am looking for"
)
COUNTING = "how many|count|number of|the number of|count the|count of|how many different"

FILLERS = """
please|thank you|thanks|thank you very much|thanks a lot|hello|hi|hey|good morning|good afternoon|sir|ma am
the|a|an|some|all|of|that|which|who|is|are|was|were|be|been|being|do|does|did|will|would|can|could|should|shall
may|might
i|you|we|they|it|he|she|me|us|them|my|your|our|their|his|her|its|this|these|those|there|here|so|now|also|too
just|only|really|very|actually|possibly|perhaps|maybe|kindly|simply|want|need|like|have|has|had|get|see|know|if
whether
in|on|at|for|with|by|as|to|into|about|regarding|concerning|want to|like to|need to|have to|going to
would like to
would like|wish|wish to|able to|possible|available|currently|right now|information|info|details|detail|data
anything|something
any|each|every|both|one|ones|same|such|else|other|different|various|let us|let|go|going|goes|take|takes|taking|make
makes|making|use|using|used|offer|offers|offered|serve|serves|served|provide|provided|provides|looking|look
find out|find
tell|show|give|list|display|interested|interest|prefer|preferably|able|ever|still|yes|no i|ok|and also|as well as
as well
how|what|when|where|why|from|than|even|possible to|in order to|in the|on the|at the|of the|for the|to the
with the|i think
what would be|where is|question|try|say|said|called|named|named as|again|back|again please|trying to|planning to
plan to|hoping to
hope to|way|whole|entire|complete|give me a|more|total of|kind|kinds|type|types|sort|number|numbers|his
do not mind|either|either one|whichever one
some of|most of|that is|that are|which is|which are|who is|who are|there is|there are|not sure|soon|along|along with
according to|including|includes|include|following|respectively|do that|within|exist|exists|existing|whatever|up
out|belonging
located|possess|belong|iam|next|coming|week|next week|of next week|this week|meet|meets|requirements|criteria
call|per|between the|at all|by the way|certain|particular|specific
first of all|people|in the database|in your database|represented|on record|listed|in the system|anybody|anyone
somebody|someone|thing|things|set|sets|choose|select|check|check on|look up|help|help me|another|but|right|wanted
planning|plan|arrange|arranging|buy|inform|inform me|put|sure|during|have got|got
though|in the company|in the firm|in the organization
yeah|yep|i guess|i suppose|what have you got|have you got|which ones have you got|everything
rather|would rather|if possible|if at all possible|if i can help it|if she can help it|if he can help it|if we can help it
if you can|if you could|ideally|hopefully|i hope|i wonder|by any chance|for me|while you are at it|alright|all right|okay
down|somewhere|basically|honestly|probably|presumably|anyway|anyhow|though|quickly|quite|pretty|kinda|sorta|cheers|somehow
went|gone|happen to|happens to|supposed to|got to|gets to|would love|would love to|fancy|end up|ends up|turn out|turns out
on the books|on your books|on file|on record|by chance|in particular
a bit|a little|kind of thing|sort of thing|wondering|for instance|for example|for starters|over there|round there|around there
my boss|my colleague|my colleagues|my parents|my uncle|my aunt|my partner|my neighbour|my neighbor
my mother|my father|my mom|my dad|my wife|my husband|my son|my daughter|my sister|my brother|my friend
""".replace("\n", "|")

COMPARING = {
    "<": "before|earlier than|prior to|until|till|up to|less than|under|below|fewer than|lower than"
    "|cheaper than|smaller than|lighter than|shallower than|narrower than|slower than"
    "|sooner than|younger than|shorter than|not exceeding|that is less than|no later|not over|beneath|ahead of"
    "|kids under|children under|youngsters under|kids younger than|children younger than"
    "|since before|before the start of|before the beginning of",
    "by": "by",
    "<=": "less than or equal to|equal to or less than|under or equal to|no later than|not later than"
    "|no more than|not more than|at most|maximum of|a maximum of"
    "|at or before|on or before",
    ">": "after|later than|past|more than|over|above|greater than|higher than|exceeding|in excess of"
    "|older than|longer than|heavier than|deeper than|wider than|taller than|faster than|dearer than|more expensive than"
    "|bigger than|larger than|beyond|following|adults over|seniors over|adults older than",
    ">=": "greater than or equal to|more than or equal to|no earlier than|not earlier than|not before"
    "|no sooner than|at least|no less than|not less than|from|starting at"
    "|since|since the start of|since the beginning of|from the start of|from the beginning of"
    "|beginning at|minimum of|a minimum of|at or after|on or after|any time after|anytime after",
    "around": "around|about|approximately|near|close to|roughly|at about|at around|at approximately|around about"
    "|near to|nearly|in the vicinity of|close to about|somewhere around|right around|right about",
    "between": "between|in between|anywhere between",
    "=": "at|exactly|equal to|of exactly|is|equals|of",
}  # fmt: skip

TRAILING = {
    ">=": "or later|or after|or more|and up|or above|or greater|or higher|or over|and above|at the earliest"
    "|or thereafter|onwards|onward|or better",
    "<=": "or earlier|or before|or less|or under|or below|or fewer|and under|at the latest|or sooner"
    "|or cheaper|at most|maximum|tops",
    "around": "or so|or thereabouts|ish",
}

NEGATING = (
    "not|no|outside|outside of|without|not counting|not including|without counting"
    "|except|except for|excluding|other than|besides|but not|never|do not|does not|are not"
    "|is not|rather than|did not|nothing|none|apart from|aside from|anything but|everything but|all but|anyone but|any but"
    "|everybody but|everyone but"
    "|but for|save for|with the exception of|avoid|avoiding|avoids|exclude|excludes|skip|skipping|leaving out|leave out|omit"
    "|omitting|ignore|ignoring|barring|as opposed to|instead of|in place of|hate|hates|dislike|cannot|can not|must not|refuse to"
)
MOOT = (
    "unless|neither|nor|not only|not just|not necessarily|not always|not even|with or without|whether or not|or not|regardless"
    "|regardless of|no matter|irrespective of|even if|even though|just like|similar to|similar|same as"
)
"""Words that leave the truth of a condition open or change its scope; a request with one of them is not understood."""

ALSO = "and|and then|then|as well as|plus|and also|together with|along with|&|with"
EITHER = "or|and or|or else|either"
RESTARTING = (
    "no|i mean|no i mean|sorry|make that|no make that|excuse me|correction|no wait|wait no|or rather|no sorry|i meant|no i meant"
    "|sorry i meant|no sorry i meant|i meant to say|i should say|i should have said|i wanted to say|scratch that|strike that"
    "|no scratch that|no actually|actually no|well i mean|or i mean|let me correct that|my mistake|my bad|i beg your pardon"
    "|wait i mean|wait i meant"
    "|nope|nope make that|beg your pardon|wait make that"
)
REFERRING = (
    "those|these|them|which of those|which of these|which of them|of those|of these|of them|that one|the same|"
    "same one|same thing|the same thing|it|they|the ones|which ones|any of those|any of them|do any of those|do any of them|"
    "do they|are they|does it|those ones|the first one|that group|this group|that lot|this lot|the lot of them|all those"
)
CONTINUING = (
    "same question for|the same question for|same question|same again for|the same again for|same again|ditto for|same deal for"
    "|the same list for|same list for|that same list for|the same list but for|same question about|the same question about"
    "|repeat that for|do that for|do the same for|now the same for|likewise for|do it for|the same thing in"
    "|same thing in|the same in|same in|the same list in|same question but|same again but|same thing for|the same thing for"
    "|same for|the same for|same thing|the same thing"
    "|what about|how about|and what about|and how about|and|and also|same but|the same but|same thing but|the same thing but"
    "|what if|or|also|then|instead"
)
RETURNING = "back to|going back to|go back to|the earlier|returning to|return to|the previous|as before|again"
EXPLAINING = (
    "mean|means|meaning|the meaning of|meaning of|stand for|stands for|explain|describe|define|definition of"
    "|abbreviation|signify|signifies"
)
EXTREMES = {
    "max": "most|highest|largest|greatest|maximum|biggest|latest|last|longest|newest",
    "min": "least|lowest|smallest|fewest|minimum|earliest|first|shortest|oldest|soonest",
}
AGGREGATES = {
    "share": "percentage of|what percentage of|percent of|what percent of|share of|proportion of|fraction of",
    "avg": "average|the average|mean|average of",
    "sum": "altogether|in total|all together|in all|all told|sum|total|the sum of|sum of|sum the|the total|add up"
    "|total of|sum of the",
    "max": "maximum|highest|largest|greatest|biggest",
    "min": "minimum|lowest|smallest|least",
}


def phrases(group: str) -> tuple[str, ...]:
    """Return the phrases of a group as written, without blanks and duplicates."""
    return tuple(dict.fromkeys(p.strip() for p in group.split("|") if p.strip()))


def with_article(cues: Sequence[str]) -> list[str]:
    """ "To the" beside "to", "started at the" beside "started at": the preposition would be passed over with the article."""
    phrasal = [
        cue
        for cue in cues
        if cue == "to" or (cue.endswith((" to", " at", " in")) and not cue.startswith(("be ", "back ")))
    ]
    return [f"{cue} the" for cue in phrasal]
