// Loops that the compiler turns into vector code, compiled once for every x86-64 and once for wider vectors,
// of which the machine chooses at run time. Neither contracts products and sums, so both give the same bits.
#pragma once

#if defined(__GNUC__)
#define CASIMIR_ALWAYS_INLINE __attribute__((always_inline))
#else
#define CASIMIR_ALWAYS_INLINE
#endif
#define CASIMIR_INLINE inline CASIMIR_ALWAYS_INLINE

#if defined(__GNUC__) && defined(__x86_64__)
#define CASIMIR_HAS_WIDE 1
#define CASIMIR_WIDE __attribute__((target("avx2")))
#else
#define CASIMIR_HAS_WIDE 0
#define CASIMIR_WIDE
#endif

namespace casimir {

inline bool machineIsWide()
{
#if CASIMIR_HAS_WIDE
    static const bool wide = __builtin_cpu_supports("avx2");
    return wide;
#else
    return false;
#endif
}

} // namespace casimir
