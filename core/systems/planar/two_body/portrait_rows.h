// The inner loops of the two-body portrait: nodes of one level curve at a time, in vector code. What the
// numbers mean is said in two_body_portrait.cpp.
#pragma once

#include <cstddef>

namespace casimir::planar {

// What the librations of two bodies share, and one of them.
struct LibrationRow {
    double foldedInertia, coupling, straightDeterminant; // S_-, D, Delta_e
    double halfMomentum;                                 // -(I1~ - I2~) mu/2, so that nu0 = halfMomentum/S
    double k, kPrime, amplitude;
};

// At the nodes sin u, cos u >= 0 of a quarter: psi in [0, pi), and nu = nu0 +- a rise that is not negative.
// None of the arrays may overlap another, here and below.
void librationRow(const LibrationRow& row, const double* sinU, const double* cosU, std::size_t n, double* psi,
                  double* upper, double* lower);

// nu = nu0 +- factor sqrt(base + wave c2) at every node.
void rotationRow(const double* c2, const double* nu0, const double* factor, std::size_t n, double base,
                 double wave, double* upper, double* lower);

// Points (origin + side x, y) of n nodes into `out`, which has room for 2 n numbers; backwards: the last node
// first.
void writePoints(const double* x, const double* y, std::size_t n, double origin, double side, double* out);
void writePointsBackwards(const double* x, const double* y, std::size_t n, double origin, double side,
                          double* out);

} // namespace casimir::planar
