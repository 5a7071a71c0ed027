"""Ground transportation from an airport to a city that it serves, and what it costs."""

from domain.database.table_shape import Row

from .places import AIRPORTS, CITIES, Service

_RAPID_TRANSIT = frozenset(("ATL", "BOS", "CLE", "DCA", "JFK", "OAK", "ORD", "PHL", "STL", "BWI", "MDW", "MIA"))


def rows() -> dict[str, list[Row]]:
    """The table ground_service; fares in whole dollars."""
    return {
        "ground_service": [
            (city.code, service.airport, transport, fare)
            for city in CITIES
            for service in city.services
            for transport, fare in _offered(service)
        ]
    }


def _offered(service: Service) -> list[tuple[str, int]]:
    rank = AIRPORTS[service.airport].rank
    offered = [("TAXI", 4 + service.miles * 3 // 2), ("RENTAL CAR", 28 + rank)]
    if rank >= 3:
        offered.append(("LIMOUSINE", 6 + service.miles * 3 // 5))
    if service.airport in _RAPID_TRANSIT:
        offered.append(("RAPID TRANSIT", 1 + service.miles // 20))
    if rank >= 8 and service.miles >= 8:
        offered.append(("AIR TAXI OPERATION", 55 + 4 * service.miles))
    return offered
