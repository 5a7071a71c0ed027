"""Words of everyday life by field of meaning: people, feelings, occasions, the body, work, opinions, talk.

People surround a request with them; no answer depends on such a word unless the domain itself knows it, and the domain's own
words always come first. Words are listed with their common forms; `in_everyday_use` also accepts plurals and endings.
"""

from __future__ import annotations

from functools import lru_cache


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


PEOPLE = word_set(
    """
    gramps pops kin chairman chairwoman director president manager goalie captain choir club band squad youngest oldest eldest
    mother father mom mum dad mama papa mommy daddy mummy parents parent wife husband spouse hubby fiance fiancee bride
    groom partner girlfriend boyfriend son daughter child children kid kids boy boys girl girls baby babies toddler twin
    twins triplets infant teenager teenagers brother sister sibling siblings bro sis uncle aunt auntie cousin cousins niece
    nephew nieces nephews grandmother grandfather grandma grandpa granny gran nana grandson granddaughter grandchildren
    grandkids grandparents grandchild godson goddaughter godmother godfather stepson stepdaughter stepmother stepfather
    in-laws inlaws relatives relative family families folks friend friends buddy buddies pal pals mate mates roommate
    roommates flatmate neighbor neighbors neighbour neighbours colleague colleagues coworker coworkers boss bosses teacher
    professor tutor coach lawyer accountant landlord client clients customer customers guest guests classmate classmates
    teammate teammates team lady ladies gentleman gentlemen man men woman women guy guys fella fellow fellows person people
    somebody someone crowd gang crew bunch couple widow widower bachelor retiree pensioner senior seniors student students
    grandad granddad missus mister sweetheart darling ex girlfriends everyone everybody assistant secretary supervisor
    """
)
"""Those whom a speaker tells of. A domain may know some of them, as a register of personnel does."""

ADDRESS = word_set(
    """
    dear hon honey sir madam maam sweetie sweetheart darling buddy pal mate love dearie miss mister folks friend operator
    dude bro chum guys yall chief doc fellow
    """
)
"""Forms of address, which may stand at the beginning, at the end, or after a greeting."""

FEELINGS = word_set(
    """
    happy glad sad sorry afraid scared nervous worried anxious excited thrilled tired exhausted sleepy bored angry mad cross
    upset annoyed impatient desperate lonely homesick curious confused lost embarrassed ashamed proud grateful thankful
    hopeful delighted pleased relieved crazy nuts keen fond eager frightened terrified fear fears worry worries hate hates
    hated love loves loved enjoy enjoys enjoyed miss misses missed adore adores dread dreads dreading fancy hope hoping wish
    trust fun mood stress stressed stressful frazzled overwhelmed flustered frustrated patience temper nerves heart dream
    dreaming dreamed scare scares bother bothers bothered bothering spoil spoiled treat treating deserve deserves regret
    surprise surprised surprising surprises
    """
)

OCCASIONS = word_set(
    """
    wedding weddings anniversary birthday funeral baptism christening graduation reunion honeymoon engagement party parties
    celebration bachelor holiday holidays vacation vacations getaway cruise festival concert recital show game match
    tournament championship race marathon regatta competition contest convention conference congress seminar workshop
    symposium meeting meetings appointment interview interviews exam exams test tests class classes lecture lectures lesson
    lessons practice rehearsal audition ceremony mass service church temple synagogue mosque parade picnic barbecue dinner
    lunch brunch supper breakfast gathering visit trip trips tour outing adventure journey weekend christmas easter
    thanksgiving hanukkah passover carnival ballgame opera theater theatre museum exhibition fair zoo camp retreat deal talk
    speech presentation trial hearing audit inspection review deadline shift surgery operation checkup therapy chess
    baseball football soccer hockey basketball tennis golf skiing sailing surfing surf fishing hunting hiking camping
    shopping swimming prom dance date anniversary bingo choir bridge poker gig
    """
)

LIFE = word_set(
    """
    live lives lived living born raised grew married marry marries marrying divorced divorce retired retire retires retiring
    moved move moving settled settle die died dead passed pass late widowed pregnant expecting deployed stationed studying
    study studied graduating graduate graduated working work works worked hired fired quit volunteer volunteering save
    saving saved saver broke poor rich pension budget allowance luggage suitcase suitcases bags bag baggage pack packing
    packed sleep sleeps sleeping slept asleep awake wake wakes waking rest resting relax relaxing unwind wait waiting waits
    hurry hurrying hurried rush rushing rushed run running late early pick picking picked picks drop dropping dropped meet
    meeting meets met join joins joining visit visits visiting visited see seeing watch watching hear attend attends
    attending celebrate celebrating help helps helping helped cook cooking clean cleaning garden gardening paint painting
    read reading write writing play plays playing played swim ski hike fish surf sail golf shop camp sing dance bury hug
    kiss babysit cheer stay stays staying stayed sit sitting stand standing lie lying walk walking drive drives driving bike
    promise promised promises swore sworn invite invited invites ask asked asking call called calling calls phone phoned
    lost lose loses losing found forget forgot forgotten remember remembers remind mislaid misplaced left broke broken plan
    plans planned planning think thinks thinking thought decide decided deciding believe figure figured wonder start starts
    started starting finish finished finishing end ends begin begins began get gets got getting bring brings bringing
    brought keep keeps kept hold holding come comes came new old older young younger little big tiny grown busy sick ill
    well fine healthy home house apartment flat place town country village farm island mountains mountain beach seaside lake
    coast ocean sea snow sun sunshine weather rain fog city downtown neighborhood habit habits creature life lifetime way
    ways years year months weeks days ago lately recently nowadays always usually never often sometimes once twice already
    finally soon yet again tonight job jobs career office company business firm industry work trade living union military
    army navy marines service school college university campus homework essay thesis paper report project projects
    assignment assignments presentation file files folder form forms paperwork record records desk notes note list chart
    sheet newsletter budget money cash expense expenses account accounts invoice taxes insurance church god doing done make
    making made quarterly monthly weekly annual yearly numbers figures statistics bus
    """
)
"""Verbs and nouns of what happens in people's lives and at their work."""

BODY = word_set(
    """
    hip knee knees back leg legs foot feet ankle arm shoulder neck heart stomach head ear ears eye eyes hand hands cane
    walker wheelchair crutches crutch stroller pacemaker cast hearing asthma allergies allergy diabetes arthritis migraine
    headache cold flu pain pains sore stiff weak bad poorly dizzy seasick airsick claustrophobic blind deaf glasses memory
    voice
    """
)

OPINIONS = word_set(
    """
    lovely marvelous marvellous wonderful fabulous fantastic brilliant splendid superb terrific awesome amazing excellent
    great good nice sweet cool super neat perfect fine grand smashing gorgeous beautiful delightful charming incredible
    unbelievable interesting funny odd strange weird terrible awful horrible dreadful ridiculous silly crazy insane
    outrageous shocking pity shame bummer plenty goodness gracious heavens mercy boy man jeepers golly darn dang shoot
    crikey blimey awfully terribly dreadfully frightfully absolutely certainly definitely totally completely obviously
    clearly naturally frankly seriously honestly truly surely indeed simply nicely badly sadly luckily unfortunately
    fortunately thankfully hopefully apparently supposedly presumably exactly precisely roughly basically literally actually
    evidently important urgent necessary convenient handy useful helpful difficult hard easy tough tricky simple complicated
    proper decent right wrong true real sure
    """
)

TALK = word_set(
    """
    listen look see say says said saying tell tells told telling talk talking speak speaking mean means meant know knows
    knew known question questions answer answers idea ideas word words thing things stuff matter matters sort kind bit lot
    deal reason reasons purpose sake curiosity trouble favor favour kindness mind humor humour bear guess suppose reckon
    understand understood hear heard pardon beg excuse apologize apologise apologies sorry thanks thank please hello hi hey
    morning afternoon evening bonjour hola ciao aloha howdy greetings bye goodbye ha haha ugh yay hooray hurrah whoopee
    phone line connection
    """
)

FIELDS = (PEOPLE, ADDRESS, FEELINGS, OCCASIONS, LIFE, BODY, OPINIONS, TALK)
EVERYDAY = frozenset(word for field in FIELDS for word in field)
_ENDINGS = ("s", "es", "d", "ed", "ing", "ly", "er")
_SHORTEST = 3


@lru_cache(4096)
def in_everyday_use(word: str) -> bool:
    """Return whether a word, or the word it is a form of, belongs to everyday life.

    >>> in_everyday_use("grandchildren"), in_everyday_use("hugging"), in_everyday_use("sprocket")
    (True, True, False)
    """
    if word in EVERYDAY:
        return True
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _SHORTEST:
            continue
        doubled = stem[:-1] if stem[-1] == stem[-2] else stem
        if {stem, doubled, f"{stem}e"} & EVERYDAY:
            return True
    return False
