"""Everything that cardenvs asks of Numba: the decorators, the bit intrinsics and the compile cache.

No other file imports numba. With `NUMBA_DISABLE_JIT=1` the same functions run as plain Python; the tests hold both
ways to the same hashes.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic, overload

__all__ = [
    "INTERPRETED",
    "add64",
    "borrow",
    "clear_64",
    "clear_rest",
    "ctz",
    "entry",
    "inner",
    "mul64",
    "outer",
    "overload",
    "popcount",
    "prefetch",
    "records",
    "widen",
]

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""True when the compiled functions run as plain Python (`NUMBA_DISABLE_JIT=1`)."""

_MASK64 = (1 << 64) - 1
_LINE = 64
"""Bytes of a cache line."""
_A = TypeVar("_A")
_F = TypeVar("_F", bound=Callable[..., Any])


def _source_hash() -> str:
    """Hash of the package's source: Numba does not see that a callee in another module has changed."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    pages = set(Path(__file__).parent.glob("*_v[0-9]*.py"))
    for path in sorted(set(Path(__file__).parent.rglob("*.py")) - pages):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> str | None:
    """A writable folder for compiled code, or None: then every process compiles for itself.

    `CARDENVS_CACHE` names the parent folder; the default is the user's cache folder, then the temporary folder.
    """
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    given = os.environ.get("CARDENVS_CACHE")
    for parent in [Path(given)] if given else [user, Path(tempfile.gettempdir())]:
        folder = parent / "cardenvs" / _source_hash()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
        except OSError:
            continue
    return None


_CACHE = None if INTERPRETED else _cache_folder()


_COMPILED_ONLY = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Wrappers for callers that are not compiled take more than half of the time in which a small function is compiled."""


def inner(function: _F) -> _F:
    """Compile a function that only compiled code calls; LLVM inlines it."""
    return numba.njit(forceinline=True, **_COMPILED_ONLY)(function)


def outer(function: _F) -> _F:
    """Compile a function that only compiled code calls, and seldom: it stays a call, which keeps compiling short.

    It is compiled once: all its integers are int64. Numba would compile it anew for each width and for each constant.
    """
    compiled = numba.njit(**_COMPILED_ONLY)(function)
    if not INTERPRETED:
        given = compiled.get_call_template

        def get_call_template(args: Iterable[types.Type], kws: dict[str, types.Type]) -> Any:
            return given([_widened(arg) for arg in args], {name: _widened(arg) for name, arg in kws.items()})

        compiled.get_call_template = get_call_template
    return compiled


def _widened(given: types.Type) -> types.Type:
    """The type of an argument as an outer function takes it."""
    given = types.unliteral(given)
    return types.int64 if isinstance(given, types.Integer) and given.signed else given


@contextmanager
def _config(**settings: Any) -> Iterator[None]:
    """Numba's settings while we decorate or compile; whoever else compiles in this process waits, and keeps its own."""
    with global_compiler_lock:
        before = {name: getattr(numba.config, name) for name in settings}
        for name, value in settings.items():
            setattr(numba.config, name, value)
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(numba.config, name, value)


def entry(function: _F) -> _F:
    """Compile a function that Python calls: cached on disk, and without the GIL, so that threads run beside it."""
    if INTERPRETED:
        return numba.njit(function)
    # Numba reads the folder once, while it decorates.
    with _config(CACHE_DIR=_CACHE or ""):
        compiled = numba.njit(nogil=True, cache=_CACHE is not None)(function)
    compile_for = compiled.compile

    def compile_scalar(signature: Any) -> Any:
        # Loops over seats or suits are short: vectorised, with the checks that takes, a step lasts a fifteenth longer.
        with _config(LOOP_VECTORIZE=0):
            return compile_for(signature)

    compiled.compile = compile_scalar
    return compiled


def records(count: int, dtype: np.dtype) -> np.ndarray:
    """Zeroed array `[count]` of game records; interpreted code reads fields as attributes, so it gets a recarray.

    It begins at a cache line, and so does every record that is whole lines long.
    """
    memory = np.zeros(count * dtype.itemsize + _LINE, np.uint8)
    first = -memory.ctypes.data % _LINE
    array = memory[first : first + count * dtype.itemsize].view(dtype)
    return array.view(np.recarray) if INTERPRETED else array


if INTERPRETED:

    def borrow(array: _A) -> _A:
        """The same array; compiled code does not count references to it."""
        return array

    def widen(source: Any, row: Any, at: int) -> None:
        """Write the 64 entries of int8 `source` to int16 `row[at : at + 64]`."""
        row[at : at + 64] = source

    def clear_64(row: Any, at: int) -> None:
        """Write 64 zeros to int16 `row[at : at + 64]`."""
        row[at : at + 64] = 0

    def clear_rest(array: Any, at: int) -> None:
        """Write zeros to `array[at:]`."""
        array[at:] = 0

    def prefetch(array: Any, index: int, lines: int) -> None:
        """Ask for the first 64-byte lines of `array[index]`, about to be used; does nothing past the end."""

    def ctz(bits: Any) -> Any:
        """Index of the lowest set bit of a nonzero uint64."""
        value = int(bits)
        return (value & -value).bit_length() - 1

    def popcount(bits: Any) -> Any:
        """Number of set bits of a uint64."""
        return int(bits).bit_count()

    def add64(a: Any, b: Any) -> Any:
        """a + b modulo 2**64."""
        return np.uint64((int(a) + int(b)) & _MASK64)

    def mul64(a: Any, b: Any) -> Any:
        """a * b modulo 2**64."""
        return np.uint64((int(a) * int(b)) & _MASK64)

else:

    @intrinsic
    def borrow(typing_context, array):  # type: ignore[no-untyped-def]
        """The same array; compiled code does not count references to it.

        Numba counts atomically each time it cuts a row out of an array: that was half of the time of a step. Whoever
        calls an entry holds the arrays until it returns.
        """

        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            view = context.make_array(signature.args[0])(context, builder, value=args[0])
            view.meminfo = context.get_constant_null(types.MemInfoPointer(types.voidptr))
            return view._getvalue()

        return array(array), codegen

    def _store(context, builder, row_type, row, at, vector):  # type: ignore[no-untyped-def]
        data = context.make_array(row_type)(context, builder, value=row).data
        place = builder.gep(data, [at])
        builder.store(vector, builder.bitcast(place, ir.PointerType(vector.type)), align=1)

    @intrinsic
    def _widen(typing_context, source, row, at):  # type: ignore[no-untyped-def]
        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            data = context.make_array(signature.args[0])(context, builder, value=args[0]).data
            narrow = ir.VectorType(ir.IntType(8), 64)
            vector = builder.load(builder.bitcast(data, ir.PointerType(narrow)), align=1)
            wide = builder.sext(vector, ir.VectorType(ir.IntType(16), 64))
            _store(context, builder, signature.args[1], args[1], args[2], wide)
            return context.get_dummy_value()

        return types.void(source, row, types.int64), codegen

    @intrinsic
    def _clear_line(typing_context, array, at):  # type: ignore[no-untyped-def]
        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            zeros = ir.Constant(ir.VectorType(ir.IntType(8), _LINE), None)
            _store(context, builder, signature.args[0], args[0], args[1], zeros)
            return context.get_dummy_value()

        return types.void(array, types.int64), codegen

    @inner
    def widen(source: Any, row: Any, at: int) -> None:
        """Write the 64 entries of int8 `source` to int16 `row[at : at + 64]`."""
        _widen(source, row, at)

    @inner
    def clear_64(row: Any, at: int) -> None:
        """Write 64 zeros to int16 `row[at : at + 64]`."""
        _clear_line(row, at)
        _clear_line(row, at + 32)

    @inner
    def clear_rest(array: Any, at: int) -> None:
        """Write zeros to `array[at:]`: a call of memset costs more than these few lines."""
        step = _LINE // array.itemsize
        last = array.shape[0] - step
        if at <= last:
            while at < last:
                _clear_line(array, at)
                at += step
            _clear_line(array, last)
        else:
            for i in range(at, array.shape[0]):
                array[i] = 0

    @intrinsic
    def _prefetch(typing_context, array, index, line):  # type: ignore[no-untyped-def]
        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            view = context.make_array(signature.args[0])(context, builder, value=args[0])
            stride = cgutils.unpack_tuple(builder, view.strides)[0]
            byte = ir.PointerType(ir.IntType(8))
            at = builder.add(builder.mul(args[1], stride), builder.shl(args[2], ir.Constant(args[2].type, 6)))
            address = builder.gep(builder.bitcast(view.data, byte), [at])
            i32 = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, i32, i32, i32])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(function, [address, i32(1), i32(3), i32(1)])
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), codegen

    @inner
    def prefetch(array: Any, index: int, lines: int) -> None:
        """Ask for the first 64-byte lines of `array[index]`, about to be used; does nothing past the end."""
        if index < array.shape[0]:
            for line in range(lines):
                _prefetch(array, index, line)

    @intrinsic
    def _cttz(typing_context, bits):  # type: ignore[no-untyped-def]
        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.cttz(args[0], context.get_constant(types.boolean, 0))

        return types.int64(types.uint64), codegen

    @intrinsic
    def _ctpop(typing_context, bits):  # type: ignore[no-untyped-def]
        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @inner
    def ctz(bits: Any) -> Any:
        """Index of the lowest set bit of a nonzero uint64."""
        return _cttz(np.uint64(bits))

    @inner
    def popcount(bits: Any) -> Any:
        """Number of set bits of a uint64."""
        return _ctpop(np.uint64(bits))

    @inner
    def add64(a: Any, b: Any) -> Any:
        """a + b modulo 2**64."""
        return np.uint64(a) + np.uint64(b)

    @inner
    def mul64(a: Any, b: Any) -> Any:
        """a * b modulo 2**64."""
        return np.uint64(a) * np.uint64(b)
