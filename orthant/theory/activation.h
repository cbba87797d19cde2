#pragma once

namespace orthant::theory {

// How a feature follows from its parameter theta (paper 2.5).
enum class Activation {
  identity,  // f = theta: contrastive learning, features of any sign
  relu,      // f = max(theta, 0): a sample all of whose parameters are negative has no gradient and stays dead
  rep_relu,  // f = max(theta, 0) with the gradient of GELU: dead parameters near 0 can return
};

double activate(double theta, Activation activation);

// What the gradient in f is multiplied with to give that in theta.
double slope(double theta, Activation activation);

}  // namespace orthant::theory
