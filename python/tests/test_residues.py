"""Residues that stay where an engine computes."""

import numpy as np
import pytest
from test_device import ENGINES

import limbforge as lf

PRIMES = [97, 998244353, 2**64 - 2**32 + 1]


@pytest.mark.parametrize("device", ENGINES)
@pytest.mark.parametrize("p", PRIMES)
def test_chains_of_transforms(p, device):
    field, draw = lf.Field(p), np.random.default_rng(1)
    a, b = (draw.integers(0, p, (5, 32), np.uint64) for _ in range(2))
    x, y = (lf.residues(field, words, engine=device) for words in (a, b))
    assert (x.shape, len(x), x.field) == ((5, 32), 5, field) and x.to_host().tolist() == a.tolist()
    for wrap in ("cyclic", "negacyclic"):
        if wrap == "negacyclic" and field.adicity < 6:
            continue
        found = lf.ntt(field, x, wrap=wrap)
        assert found.to_host().tolist() == lf.ntt(field, a, wrap=wrap, engine="cpu").tolist()
        assert lf.intt(field, found, wrap=wrap).to_host().tolist() == a.tolist()
        product = lf.intt(field, found * lf.ntt(field, y, wrap=wrap), wrap=wrap).to_host()
        sign = 1 if wrap == "cyclic" else -1
        for u, v, row in zip(a.tolist(), b.tolist(), product.tolist()):
            exact = [0] * 32
            for i, j in np.ndindex(32, 32):
                exact[(i + j) % 32] += u[i] * v[j] * (sign if i + j >= 32 else 1)
            assert row == [c % p for c in exact]


@pytest.mark.parametrize("device", ENGINES)
@pytest.mark.parametrize("p", PRIMES)
def test_arithmetic(p, device):
    field, draw = lf.Field(p), np.random.default_rng(2)
    a, b, row = (draw.integers(0, p, shape, np.uint64) for shape in ((4, 6), (4, 6), (6,)))
    x, y, z = (lf.residues(field, words, engine=device) for words in (a, b, row))
    a, b, row = (words.astype(object) for words in (a, b, row))
    for found, expected in (
        (x + y, a + b),
        (x - y, a - b),
        (x * y, a * b),
        (x + z, a + row),
        (z + x, a + row),
        (x - z, a - row),
        (z - x, row - a),
        (z * x, row * a),
        (x + 5, a + 5),
        (2**70 - x, 2**70 - a),
        (-3 * x, -3 * a),
        (-x, -a),
        (x - True, a - 1),
    ):
        assert found.to_host().tolist() == (expected % p).tolist() and found.shape == (4, 6)
    assert (x.reshape(24) + 1).shape == (24,) and x.reshape(2, 2, 6).to_host().shape == (2, 2, 6)
    assert (lf.residues(field, np.zeros((0, 6), int), engine=device) + z).shape == (0, 6)


@pytest.mark.parametrize("device", ENGINES)
@pytest.mark.parametrize("p", PRIMES)
def test_polynomials(p, device):
    field, draw = lf.Field(p), np.random.default_rng(3)
    a, b = draw.integers(0, p, (3, 9), np.uint64), draw.integers(1, p, (3, 4), np.uint64)
    x, y = (lf.residues(field, words, engine=device) for words in (a, b))
    product = lf.poly.mul(field, x, y)
    expected = lf.poly.mul(field, list(a), list(b), engine="cpu")
    assert product.shape == (3, 12)
    assert [np.trim_zeros(row, "b").tolist() for row in product.to_host()] == [
        row.tolist() for row in expected
    ]
    quotient, rest = lf.poly.divmod(field, x, y)
    assert (quotient.shape, rest.shape) == ((3, 6), (3, 3))
    whole = lf.poly.mul(field, quotient, y)
    assert (whole.to_host()[:, 3:] == a[:, 3:]).all()
    assert ((whole.to_host()[:, :3].astype(object) + rest.to_host()) % p == a[:, :3]).all()
    assert (
        lf.poly.gcd(field, product, lf.residues(field, np.pad(b, ((0, 0), (0, 8))), engine=device))
        .to_host()[:, 3]
        .tolist()
        == [1] * 3
    )


def test_residues_that_do_not_go_together():
    field, other = lf.Field(97), lf.Field(998244353)
    x, y = lf.residues(field, [1, 2, 3, 4]), lf.residues(other, [1, 2, 3, 4])
    for call, error, text in (
        (lambda: lf.residues(field, [97]), ValueError, "97"),
        (lambda: lf.residues(field, [-1]), ValueError, "values % p are residues"),
        (lambda: lf.residues(field, 3), ValueError, "one dimension or more"),
        (lambda: lf.residues(97, [3]), TypeError, "field: expected a Field"),
        (lambda: x + y, ValueError, "97|998244353"),
        (lambda: x + 1.5, TypeError, "unsupported operand"),
        (lambda: x + [1, 2, 3, 4], TypeError, "unsupported operand"),
        (lambda: x + lf.residues(field, [1, 2]), ValueError, r"shapes \[4\] and \[2\]"),
        (lambda: lf.ntt(other, x), ValueError, "expected the field of the residues"),
        (lambda: lf.ntt(field, x, engine="cpu"), TypeError, "leave out engine"),
        (lambda: lf.ntt(field, x, wrap="no"), ValueError, "wrap: expected"),
        (lambda: lf.ntt(field, x.reshape(2, 2).reshape(4, 1) + 0).reshape(3), ValueError, "shape"),
        (lambda: lf.ntt(field, lf.residues(field, [1, 2, 3, 4, 5])), ValueError, "5"),
        (lambda: lf.poly.mul(field, x, [1]), TypeError, "beside other polynomials"),
        (lambda: lf.poly.mul(field, x, x, engine="cpu"), TypeError, "leave out engine"),
        (lambda: lf.poly.mul(field, x, x.reshape(2, 2)), ValueError, "as many of both"),
        (lambda: lf.poly.divmod(field, x, x * 0), ValueError, "leading|0"),
        (
            lambda: lf.poly.divmod(field, x.reshape(2, 2), lf.residues(field, [[1, 2, 3]] * 2)),
            ValueError,
            "2|3",
        ),
        (lambda: bool(len(lf.residues(field, [1]).reshape())), TypeError, "no length"),
    ):
        with pytest.raises(error, match=text):
            call()
    assert "modulo 97" in repr(x) and x.device_name
