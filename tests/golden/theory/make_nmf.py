"""Writes nmf.npz: what NumPy and scikit-learn make of one small matrix. Run with a Python that has both.

a [30, 20] has exact zeros; w0, h0 is a positive start. mu and kl are the losses of 40 plain multiplicative updates (W,
then H) from there, cd_error is ||A - W H^T||_F after scikit-learn's coordinate descent, nndsvd_w and nndsvd_h are its
NNDSVD start, singular_values NumPy's.
"""

from pathlib import Path

import numpy as np
from sklearn.decomposition import NMF
from sklearn.decomposition._nmf import _initialize_nmf

RANK = 4


def multiplicative(a, w, h, kl):
    def loss():
        x = w @ h.T
        if not kl:
            return ((a - x) ** 2).sum()
        positive = a > 0
        return (a[positive] * np.log(a[positive] / x[positive])).sum() - a.sum() + x.sum()

    losses = [loss()]
    for _ in range(40):
        if kl:
            w = w * ((a / (w @ h.T)) @ h) / h.sum(0)
            h = h * ((a / (w @ h.T)).T @ w) / w.sum(0)
        else:
            w = w * (a @ h) / (w @ (h.T @ h))
            h = h * (a.T @ w) / (h @ (w.T @ w))
        losses.append(loss())
    return np.array(losses)


def main():
    rng = np.random.default_rng(5)
    a = rng.gamma(0.4, 1.0, (30, RANK)) @ rng.gamma(0.4, 1.0, (20, RANK)).T + 0.05 * rng.random((30, 20))
    a[rng.random(a.shape) < 0.3] = 0
    w0, h0 = rng.random((30, RANK)) + 0.1, rng.random((20, RANK)) + 0.1
    model = NMF(RANK, init="nndsvd", solver="cd", tol=1e-8, max_iter=5000).fit(a)
    nndsvd_w, nndsvd_h = _initialize_nmf(a, RANK, init="nndsvd", random_state=0)
    np.savez_compressed(
        Path(__file__).parent / "nmf.npz",
        a=a,
        w0=w0,
        h0=h0,
        mu=multiplicative(a, w0, h0, kl=False),
        kl=multiplicative(a, w0, h0, kl=True),
        cd_error=np.array([model.reconstruction_err_]),
        nndsvd_w=nndsvd_w,
        nndsvd_h=np.ascontiguousarray(nndsvd_h.T),
        singular_values=np.linalg.svd(a, compute_uv=False),
    )


if __name__ == "__main__":
    main()
