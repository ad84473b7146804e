"""The codecs of an array, as zarr-python divides them."""

from __future__ import annotations

from typing import Any, NamedTuple

Codec = dict[str, Any]

# Codecs that make bytes of elements. What comes before are filters, what comes after compresses.
_OF_OBJECTS = ("vlen-utf8", "vlen-bytes", "vlen-array", "json2")
_SERIALIZERS = {
    "bytes", "endian", "packbits", "sharding_indexed", *_OF_OBJECTS, *(f"numcodecs.{name}" for name in _OF_OBJECTS)
}


class Codecs(NamedTuple):
    """The codecs of a chunk, in the order of encoding; if the array is sharded, of an inner chunk, with the filters
    before sharding and what compresses the shard."""

    filters: tuple[Codec, ...]
    serializer: Codec | None
    compressors: tuple[Codec, ...]
    order: str


def divided(codecs: list[Codec], fields: list[str]) -> Codecs:
    """Divides the codecs of a document. fields: where each is in a document of version 2; empty in version 3."""
    if fields:
        filters = tuple(codec for codec, field in zip(codecs, fields) if field.startswith("filters"))
        compressors = tuple(codec for codec, field in zip(codecs, fields) if field == "compressor")
        return Codecs(filters, None, compressors, "F" if "order" in fields else "C")
    outer = _divided(codecs)
    if outer.serializer is None or outer.serializer["name"] != "sharding_indexed":
        return outer
    inner = _divided(outer.serializer["configuration"]["codecs"])
    return inner._replace(
        filters=(*outer.filters, *inner.filters), compressors=(*inner.compressors, *outer.compressors)
    )


def _divided(codecs: list[Codec]) -> Codecs:
    at = next(i for i, codec in enumerate(codecs) if codec["name"] in _SERIALIZERS)
    return Codecs(tuple(codecs[:at]), codecs[at], tuple(codecs[at + 1 :]), "C")
