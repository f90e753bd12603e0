// The statements of Chebanov's paper about chains of tops, each computed when asked from random chains by a
// route of its own.
#pragma once

#include "core/model/analysis.h"

namespace casimir::tops {

std::vector<Claim> topsClaims(unsigned seed);

} // namespace casimir::tops
