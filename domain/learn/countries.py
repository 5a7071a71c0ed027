"""Spoken names of countries in columns of names, adjectives or codes: Irish for Ireland, Danes for DEN."""

from __future__ import annotations

from collections.abc import Sequence

from domain.english.model.domain import Literal

# name|adjective|people|codes
_COUNTRIES = """
Argentina|Argentinian,Argentine|Argentines|ARG,AR
Australia|Australian|Australians|AUS,AU
Austria|Austrian|Austrians|AUT,AT
Belgium|Belgian|Belgians|BEL,BE
Brazil|Brazilian|Brazilians|BRA,BR
Bulgaria|Bulgarian|Bulgarians|BUL,BGR,BG
Canada|Canadian|Canadians|CAN,CA
Chile|Chilean|Chileans|CHI,CHL,CL
China|Chinese|the Chinese|CHN,CN
Colombia|Colombian|Colombians|COL,CO
Croatia|Croatian|Croats|CRO,HRV,HR
Cuba|Cuban|Cubans|CUB,CU
Czech Republic,Czechia|Czech|Czechs|CZE,CZ
Denmark|Danish|Danes|DEN,DNK,DK
Egypt|Egyptian|Egyptians|EGY,EG
England|English|the English|ENG
Estonia|Estonian|Estonians|EST,EE
Ethiopia|Ethiopian|Ethiopians|ETH,ET
Finland|Finnish|Finns|FIN,FI
France|French|the French|FRA,FR
Germany|German|Germans|GER,DEU,DE
Ghana|Ghanaian|Ghanaians|GHA,GH
Greece|Greek|Greeks|GRE,GRC,GR
Hungary|Hungarian|Hungarians|HUN,HU
Iceland|Icelandic|Icelanders|ISL,IS
India|Indian|Indians|IND,IN
Indonesia|Indonesian|Indonesians|INA,IDN,ID
Iran|Iranian|Iranians|IRI,IRN,IR
Ireland|Irish|the Irish|IRL,IE
Israel|Israeli|Israelis|ISR,IL
Italy|Italian|Italians|ITA,IT
Jamaica|Jamaican|Jamaicans|JAM,JM
Japan|Japanese|the Japanese|JPN,JP
Kenya|Kenyan|Kenyans|KEN,KE
Latvia|Latvian|Latvians|LAT,LVA,LV
Lithuania|Lithuanian|Lithuanians|LTU,LT
Luxembourg|Luxembourgish|Luxembourgers|LUX,LU
Mexico|Mexican|Mexicans|MEX,MX
Morocco|Moroccan|Moroccans|MAR,MA
Netherlands,Holland,The Netherlands|Dutch|the Dutch|NED,NLD,NL
New Zealand|New Zealand|New Zealanders|NZL,NZ
Nigeria|Nigerian|Nigerians|NGR,NGA,NG
Norway|Norwegian|Norwegians|NOR,NO
Pakistan|Pakistani|Pakistanis|PAK,PK
Peru|Peruvian|Peruvians|PER,PE
Philippines|Filipino,Philippine|Filipinos|PHI,PHL,PH
Poland|Polish|Poles|POL,PL
Portugal|Portuguese|the Portuguese|POR,PRT,PT
Romania|Romanian|Romanians|ROU,RO
Russia|Russian|Russians|RUS,RU
Scotland|Scottish,Scotch|Scots|SCO
Serbia|Serbian|Serbs|SRB,RS
Singapore|Singaporean|Singaporeans|SGP,SIN,SG
Slovakia|Slovak,Slovakian|Slovaks|SVK,SK
Slovenia|Slovenian,Slovene|Slovenes|SLO,SVN,SI
South Africa|South African|South Africans|RSA,ZAF,ZA
South Korea,Korea|South Korean,Korean|Koreans|KOR,KR
Spain|Spanish|Spaniards|ESP,ES
Sweden|Swedish|Swedes|SWE,SE
Switzerland|Swiss|the Swiss|SUI,CHE,CH
Taiwan|Taiwanese|the Taiwanese|TPE,TWN,TW
Thailand|Thai|Thais|THA,TH
Turkey|Turkish|Turks|TUR,TR
Ukraine|Ukrainian|Ukrainians|UKR,UA
United Kingdom,Britain,Great Britain|British|Britons|GBR,UK,GB
United States,America,United States of America|American|Americans|USA,US
Vietnam|Vietnamese|the Vietnamese|VIE,VNM,VN
Wales|Welsh|the Welsh|WAL
"""
_FEWEST = 0.6


def countries_called(values: Sequence[object]) -> dict[str, Literal]:
    """Return synonyms for values that are mostly countries, by name, adjective or code; empty otherwise."""
    rows = [[cell.split(",") for cell in line.split("|")] for line in _COUNTRIES.split("\n") if line]
    texts = [value for value in values if isinstance(value, str)]
    known = {
        value: row for value in texts for row in rows if any(value.lower() == w.lower() for cell in row for w in cell)
    }
    if not texts or len(known) < _FEWEST * len(texts) or len(known) < 2:
        return {}
    called: dict[str, Literal] = {}
    for value, (names, adjectives, people, _) in known.items():
        words = [*names, *adjectives, *people]
        called |= {word.lower(): value for word in words if word.lower() != value.lower()}
    return called
