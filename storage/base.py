"""The metadata of all tables, with a naming convention so that migrations can name what they change."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, DateTime, Integer, LargeBinary, MetaData, Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase

NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text(),
        bytes: LargeBinary(),
        int: Integer(),
        datetime: DateTime(timezone=True),
        list[str]: ARRAY(Text()),
        list[int]: ARRAY(Integer()),
        dict[str, Any]: JSONB(),
        list[dict[str, Any]]: JSONB(),
        dict[str, int]: JSONB(),
        dict[str, list[str]]: JSONB(),
    }


BigKey = BigInteger
