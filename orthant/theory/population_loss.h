#pragma once

#include "orthant/core/matrix.h"

// The losses of the paper as sums over a whole, known distribution, and the factorisation losses they equal up to a
// constant. Written out term by term on purpose: these are the two sides of identities that must hold to 1e-10, so
// neither side is computed from the other. Work: N M k. Sizes that do not fit are std::invalid_argument.

namespace orthant::theory {

// L_sp(f) = -2 E_(x,x+) f(x).f(x+) + E_x,x- (f(x).f(x-))^2 for the joint P(x, x') [N, N] and features f [N, k];
// negatives are drawn independently from the joint's marginals. With f >= 0 this is the loss of NCL.
double spectral_loss(const Matrix64& joint, const Matrix64& features);

// The same for two modalities: joint P_M(v, l) [V, L], features [V, k] and [L, k].
double spectral_loss(const Matrix64& joint, const Matrix64& vision, const Matrix64& language);

// ||A - F F^T||_F^2 for A [N, N], F [N, k], and ||A - W H^T||_F^2 for A [N, M], W [N, k], H [M, k].
// L_MF(F) = L_sp(f) + ||Abar||_F^2 when A = Abar and F_x = sqrt(P(x)) f(x).
double factorization_loss(const Matrix64& a, const Matrix64& f);
double factorization_loss(const Matrix64& a, const Matrix64& w, const Matrix64& h);

}  // namespace orthant::theory
