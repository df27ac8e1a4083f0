import Foundation

/// SplitMix64 and what follows from it.
public struct Random {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  public mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }

  public mutating func normal() -> Double {
    let radius = (-2 * log(uniform(.leastNonzeroMagnitude, 1))).squareRoot()
    return radius * cos(2 * .pi * uniform(0, 1))
  }
}
