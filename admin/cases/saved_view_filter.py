"""A saved list of cases as a filter, outside a request: as whoever saved it would see it now (pure)."""

from urllib.parse import parse_qsl

from admin.cases.query import Asker, CaseQuery, parse_case_query


def query_of_view(query: str, asker: Asker) -> CaseQuery:
    """`query` as it stands in the address of the list, and in `SavedView`."""
    # As in a request, the first of several values counts.
    return parse_case_query(dict(reversed(parse_qsl(query, keep_blank_values=True))), asker)
