// Odeint's steppers of the orders measured, with what its headers need around them.
#pragma once

// g++ 12 sees uninitialised members in the constructors of Odeint's steppers; the first step sets them.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
// The header below uses it without including it.
#include <boost/numeric/odeint/util/unwrap_reference.hpp>

#include <boost/numeric/odeint/stepper/dense_output_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
// Specialises templates that the headers above declare.
#include <boost/numeric/odeint/external/eigen/eigen.hpp>

namespace casimir::bench {

namespace odeint = boost::numeric::odeint;

template <class Vector>
using OdeintDopri5 = odeint::runge_kutta_dopri5<Vector, double, Vector, double, odeint::vector_space_algebra>;
template <class Vector>
using OdeintRkf78 =
    odeint::runge_kutta_fehlberg78<Vector, double, Vector, double, odeint::vector_space_algebra>;

} // namespace casimir::bench
