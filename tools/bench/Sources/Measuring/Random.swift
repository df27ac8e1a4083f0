import Foundation

/// A SplitMix64 generator, with the distributions of the benchmarks.
public struct Random {
  private var state: UInt64

  /// Creates a generator; equal seeds yield equal sequences.
  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// Returns a uniformly distributed number from `low` up to `high`, exclusive.
  public mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }

  /// Returns a number with the standard normal distribution, by the Box-Muller transform.
  public mutating func normal() -> Double {
    let radius = (-2 * log(uniform(.leastNonzeroMagnitude, 1))).squareRoot()
    return radius * cos(2 * .pi * uniform(0, 1))
  }
}
