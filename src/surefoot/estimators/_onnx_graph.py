"""The class labels that an ONNX graph names, read out of its bytes.

ONNX Runtime says nothing about the attributes of a graph's nodes, and the package that does is large for one list. So
the few fields on the way there are read from the protocol-buffer encoding itself: a sequence of (key, value), where a
value that is a message, a text or packed numbers comes with its length.
"""

from __future__ import annotations

from collections.abc import Iterator

from surefoot.errors import InputError

_GRAPH, _NODE, _OPERATOR, _ATTRIBUTE = 7, 1, 4, 5
_NAME, _INTS, _STRINGS = 1, 8, 9
_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5


def classes_of(content: bytes, k: int | None) -> tuple[str | int, ...]:
    """Labels of the k classes in the order of the probabilities; empty where the graph does not say.

    The last node that names k labels makes the model's outputs; those before it are parts, such as the members of an
    ensemble. Without k the labels are those of the node that turns probabilities into dictionaries.
    """
    found: tuple[str | int, ...] = ()
    for graph in _messages(content, _GRAPH):
        for node in _messages(graph, _NODE):
            makes_maps = b"".join(_messages(node, _OPERATOR)) == b"ZipMap"
            for attribute in _messages(node, _ATTRIBUTE):
                if b"".join(_messages(attribute, _NAME)).startswith(b"classlabels"):
                    labels = _labels(attribute)
                    found = labels if (makes_maps if k is None else len(labels) == k) else found
    return found


def _labels(attribute: bytes) -> tuple[str | int, ...]:
    """The texts of an attribute, or its whole numbers, which may be packed."""
    labels: list[str | int] = []
    for field, value in _fields(attribute):
        if field == _STRINGS and isinstance(value, bytes):
            labels.append(value.decode("utf-8", "replace"))
        elif field == _INTS and isinstance(value, int):
            labels.append(_signed(value))
        elif field == _INTS and isinstance(value, bytes):
            at = 0
            while at < len(value):
                number, at = _varint(value, at)
                labels.append(_signed(number))
    return tuple(labels)


def _messages(content: bytes, wanted: int) -> Iterator[bytes]:
    """The values of one field that have a length."""
    for field, value in _fields(content):
        if field == wanted and isinstance(value, bytes):
            yield value


def _fields(content: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message: their numbers and values.

    >>> list(_fields(bytes([0x08, 0x96, 0x01, 0x12, 0x02, 0x68, 0x69])))
    [(1, 150), (2, b'hi')]
    """
    at = 0
    while at < len(content):
        key, at = _varint(content, at)
        field, kind = key >> 3, key & 7
        if kind == _VARINT:
            number, at = _varint(content, at)
            yield field, number
            continue
        if kind == _LENGTH:
            size, at = _varint(content, at)
        elif kind in (_FIXED64, _FIXED32):
            size = 8 if kind == _FIXED64 else 4
        else:
            raise InputError(
                "the ONNX model is damaged: it holds a field of an unknown kind; export it again"
            )
        yield field, content[at : at + size]
        at += size


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, lowest first, and where it ends."""
    number = shift = 0
    while at < len(content):
        byte = content[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at
    raise InputError("the ONNX model is damaged: it ends inside a number; export it again")


def _signed(number: int) -> int:
    """Negative numbers are stored as their two's complement in 64 bits."""
    return number - (1 << 64) if number >> 63 else number
