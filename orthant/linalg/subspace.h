#pragma once

#include "orthant/core/features.h"
#include "orthant/linalg/principal.h"

namespace orthant::linalg {

// Axes and variances of wide features [N, D] without their D x D covariance: twelve random directions are multiplied by
// it twelve times, kept orthonormal, and turned into the two that vary most (Halko, Martinsson and Tropp, "Finding
// structure with randomness", 2011). Components that vary clearly more than the thirteenth come out exact; the choice
// among nearly equal ones is arbitrary, but always the same. Takes the mean, fills in axes and variances, signs as they
// come. Memory: 24 (N + D) numbers. Same bits for any number of threads. Needs N > 0 and D >= 12.
void subspace_iteration(const Features& features, int threads, PrincipalComponents& components);

}  // namespace orthant::linalg
