#include "core/model/kind.h"

#include "core/base/error.h"

namespace casimir {

std::shared_ptr<const System> Kind::make(const Values& values) const
{
    schema.check(values);
    return factory(*this, values);
}

} // namespace casimir
