import CairnTestSupport
import CairnValues

extension SplitMix64 {
  mutating func integer() -> Int64 {
    switch below(12) {
    case 0: .min
    case 1: .max
    case 2: Int64.min + 1
    case 3: Int64(bitPattern: next())
    case 4: 0
    default: Int64(below(2000)) - 1000
    }
  }

  mutating func double() -> Double {
    switch below(14) {
    case 0: .nan
    case 1: .infinity
    case 2: -.infinity
    case 3: -0.0
    case 4: 0
    case 5: Double(Int64.max)
    case 6: 1e300
    case 7: Double.leastNonzeroMagnitude
    case 8: Double(below(100))
    default: Double.random(in: -100...100, using: &self)
    }
  }

  mutating func word() -> String {
    pick([
      "", "a", "A", "ab", "Abc", "Zürich", "zurich", "ÉCOLE", "école", "Ж", "ж", "日本", "a b", "10",
      "9", "🎉",
    ])
  }

  mutating func text() -> String {
    (0..<below(5)).map { _ in word() }.joined(separator: pick(["", " ", "-"]))
      + (chance(0.5) ? String(below(100_000)) : "")
  }

  mutating func position() -> Position {
    let corner = chance(0.05)
    // Often whole degrees, sometimes offsets of 1e-7: points that lie on edges or coincide.
    let longitude =
      corner
      ? pick([-180.0, 180, 0, 179.9999999])
      : chance(0.3)
        ? Double(below(361) - 180) : Double.random(in: -180...180, using: &self)
    let latitude =
      corner
      ? pick([-90.0, 90, 0, 45])
      : chance(0.3)
        ? Double(below(181) - 90) : Double.random(in: -90...90, using: &self)
    return Position(
      latitude: latitude, longitude: longitude, altitude: chance(0.2) ? Double(below(100)) : 0)
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(below(256)) } }
}
