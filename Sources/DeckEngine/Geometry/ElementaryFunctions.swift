// The C library's functions are all the engine takes from outside: they have no state and no clock.
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Both at once, exact for no turn, so that a card at rest has the identity matrix.
func sineAndCosine(_ angle: Radians) -> (sine: Double, cosine: Double) {
    angle.value == 0 ? (0, 1) : (sin(angle.value), cos(angle.value))
}

/// e to the power of `exponent`.
func exponential(_ exponent: Double) -> Double {
    exp(exponent)
}
