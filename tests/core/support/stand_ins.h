// Small systems that stand in for those to come, each asking one thing of the contract that two bodies do
// not: a list of bodies whose number changes, a stepper of its own, no invariant but a balance of power, a
// closed form beside the integrated motion, a portrait on a sphere, equilibria that are born and exchange
// their stability at known values.
#pragma once

#include "core/model/kind.h"

namespace casimir::test {

const Kind&
beadsKind(); // N masses on springs of their own: parameters, coordinates and quantities depend on a list
const Kind& implicitKind();  // a pendulum that moves only by its own implicit stepper
const Kind& drivenKind();    // a driven oscillator: its energy changes by the power of the drive
const Kind& exactKind();     // an oscillator by integration or in closed form
const Kind& rigidBodyKind(); // the free rigid body, its portrait on the sphere of momenta

// One degree of freedom whose equilibria have a normal form (choice "form") in r − shift: pitchfork, fold,
// transcritical, hopf, and the bead on a turning hoop, whose coordinate is an angle. The alias "beyond" is r
// − shift.
const Kind& normalFormKind();

} // namespace casimir::test
