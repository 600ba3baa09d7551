"""A saved list of cases as a filter, outside a request: as its author would see it now (pure)."""

from urllib.parse import parse_qsl

from admin.cases.query import Asker, CaseQuery, parse_case_query


def query_of_view(query: str, asker: Asker) -> CaseQuery:
    """Parse `query`, the query string of the list as kept in `SavedView`."""
    # As in a request, the first of several values counts.
    return parse_case_query(dict(reversed(parse_qsl(query, keep_blank_values=True))), asker)
