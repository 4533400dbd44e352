"""Prime fields, transforms, polynomials."""

import pickle

import numpy as np
import pytest

import limbforge as lf

P = 998244353


def test_fields():
    field = lf.Field(P)
    assert (field.modulus, field.k, field.adicity, repr(field)) == (P, 119, 23, f"Field({P})")
    assert pow(field.root, 2**23, P) == 1 != pow(field.root, 2**22, P)
    for order in (1, 2, 8, 2**23):
        root = field.root_of_unity(order)
        assert pow(root, order, P) == 1 and (order == 1 or pow(root, order // 2, P) == P - 1)
    assert (
        field == lf.Field(P) != lf.Field(97)
        and hash(field) == hash(lf.Field(P))
        and pickle.loads(pickle.dumps(field)) == field
    )
    assert lf.Field(97, 28).root == 28
    for call, text in (
        (lambda: lf.Field(15), "composite"),
        (lambda: lf.Field(97, 2), "order"),
        (lambda: field.root_of_unity(5), "expected 2\\^k"),
    ):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(OverflowError):
        lf.Field(2**64 + 13)


@pytest.mark.parametrize("points", [2, 3, 8, 96, 1024])
@pytest.mark.parametrize("wrap", ["cyclic", "negacyclic"])
def test_transforms(points, wrap):
    # 3 divides p - 1 of the first: 2^64 - 2^32 + 1.
    field = lf.Field(18446744069414584321 if points % 3 == 0 else 4179340454199820289)
    p, draw = field.modulus, np.random.default_rng(points)
    x, y = draw.integers(0, p, (2, 3, points), dtype=np.uint64)
    fx = lf.ntt(field, x, wrap=wrap)
    assert (
        fx.shape == (3, points)
        and fx.dtype == np.uint64
        and lf.intt(field, fx, wrap=wrap).tolist() == x.tolist()
    )
    if points <= 96:
        w, order = (
            (field.root_of_unity(points), points)
            if wrap == "cyclic"
            else (field.root_of_unity(2 * points), 2 * points)
        )
        step = (lambda i, j: i * j) if wrap == "cyclic" else (lambda i, j: i * (2 * j + 1))
        row = x[1].tolist()
        assert fx[1].tolist() == [
            sum(c * pow(w, step(i, j) % order, p) for i, c in enumerate(row)) % p for j in range(points)
        ]
        product = [a * b % p for a, b in zip(fx[1].tolist(), lf.ntt(field, y, wrap=wrap)[1].tolist())]
        found = lf.intt(field, np.array(product, np.uint64), wrap=wrap).tolist()
        sign, expected = (1 if wrap == "cyclic" else -1), [0] * points
        for i, a in enumerate(row):
            for j, b in enumerate(y[1].tolist()):
                expected[(i + j) % points] += a * b * (sign if i + j >= points else 1)
        assert found == [c % p for c in expected]


def test_values_that_have_no_transform():
    field = lf.Field(97)
    for values, keywords, error, text in (
        ([1, 2, 3, 4, 5], {}, ValueError, "expected 2\\^k or 3\\*2\\^k points"),
        ([97, 0], {}, ValueError, "value 0 is 97; expected a residue below 97"),
        ([-1, 0], {}, ValueError, "expected residues from 0 to p - 1, found -1"),
        ([1.5, 0], {}, TypeError, "expected integers, found float64"),
        ([0] * 64, {}, ValueError, "no root of unity of order 64"),
        ([0] * 32, {"wrap": "negacyclic"}, ValueError, "no root of unity of order 64"),
        (3, {}, ValueError, "shape"),
        ([1, 2], {"wrap": "x"}, ValueError, "wrap: expected 'cyclic'"),
    ):
        with pytest.raises(error, match=text):
            lf.ntt(field, values, **keywords)
    with pytest.raises(TypeError, match="field: expected a Field"):
        lf.ntt(97, [1, 2])


def times(a, b, p):
    found = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[i + j] = (found[i + j] + x * y) % p
    return found


def test_polynomials():
    field, draw = lf.Field(P), np.random.default_rng(5)
    polys = [draw.integers(1, P, n, dtype=np.uint64).tolist() for n in (1, 2, 7, 60, 200)]
    products = lf.poly.mul(field, polys, polys[::-1])
    assert [p.tolist() for p in products] == [times(a, b, P) for a, b in zip(polys, polys[::-1])]
    for product, a in zip(products, polys):
        quotient, rest = lf.poly.divmod(field, product, a)
        assert lf.poly.mul(field, quotient, a).tolist() == product.tolist() and rest.tolist() == []
    a, b, c = polys[2], polys[3], [5, 1]
    gcd = lf.poly.gcd(field, times(a, c, P), times(b, c, P)).tolist()
    assert gcd[-1] == 1 and all(lf.poly.divmod(field, gcd, c)[1].tolist() == [] for _ in "x")
    assert [q.tolist() for q, _ in lf.poly.divmod(field, polys, [1])] == polys
    assert lf.poly.mul(field, [], [1, 2]).tolist() == []
    with pytest.raises(ZeroDivisionError, match="pair 1: division by the zero polynomial"):
        lf.poly.divmod(field, [[1], [1]], [[1], [0]])
    with pytest.raises(ValueError, match="2 polynomials and 3"):
        lf.poly.mul(field, [[1]] * 2, [[1]] * 3)
