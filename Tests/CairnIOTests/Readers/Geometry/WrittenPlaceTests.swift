import CairnTestSupport
import Testing

@testable import CairnIO

/// Locations in the spellings of people, generated at random and read back.
@Suite(.tags(.untrusted)) struct WrittenPlaceTests {
  private static let seed: UInt64 = 0xCA1D
  private static let count = Soak.count(2_000, long: 200_000)

  /// Returns a whole number of hundredths of seconds, so that every spelling is exact.
  private func angle(_ limit: Int, _ random: inout SplitMix64) -> Int {
    Int.random(in: -limit * 360_000...limit * 360_000, using: &random)
  }

  private func written(_ angle: Int, _ letters: (String, String), _ random: inout SplitMix64)
    -> String
  {
    let size = abs(angle)
    let (degrees, minutes, rest) = (size / 360_000, size / 6_000 % 60, size % 6_000)
    let seconds = "\(rest / 100).\(rest % 100 < 10 ? "0" : "")\(rest % 100)"
    let letter = angle < 0 ? letters.1 : letters.0
    let sign = angle < 0 ? "-" : Bool.random(using: &random) ? "+" : ""
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "\(degrees)°\(minutes)'\(seconds)\"\(letter)"
    case 1: return "\(letter) \(degrees)° \(minutes)′ \(seconds)″"
    case 2: return "\(sign)\(degrees):\(minutes):\(seconds)"
    case 3: return "\(degrees)d\(minutes)m\(seconds)s\(letter.lowercased())"
    case 4: return "\(degrees) \(minutes) \(seconds) \(letter)"
    default: return "\(sign)\(degrees)º \(minutes)’ \(seconds)''"
    }
  }

  @Test func anglesAreReadBack() throws {
    var random = SplitMix64(seed: Self.seed)
    for _ in 0..<Self.count {
      let angle = angle(180, &random)
      let text = written(angle, ("E", "W"), &random)
      let read = try #require(AngleText(text), "\(text), seed \(Self.seed)")
      #expect(abs(read.value - Double(angle) / 360_000) < 1e-12, "\(text), seed \(Self.seed)")
      #expect(read.axis ?? .longitude == .longitude, "\(text)")
    }
  }

  @Test func pairsAreReadBack() throws {
    var random = SplitMix64(seed: Self.seed)
    for _ in 0..<Self.count {
      let (y, x) = (angle(90, &random), angle(180, &random))
      let separator = [", ", "; ", " / ", ","].randomElement(using: &random) ?? ", "
      let first = written(y, ("N", "S"), &random)
      let second = written(x, ("E", "W"), &random)
      let text = first + separator + second
      guard (AngleText(first)?.axis == nil) == (AngleText(second)?.axis == nil) else {
        #expect(PairText(text) == nil, "one has a letter: \(text), seed \(Self.seed)")
        continue
      }
      let pair = try #require(PairText(text), "\(text), seed \(Self.seed)")
      let place = try #require(pair.ordered(.latitudeFirst))
      #expect(abs(place.latitude - Double(y) / 360_000) < 1e-12, "\(text), seed \(Self.seed)")
      #expect(abs(place.longitude - Double(x) / 360_000) < 1e-12, "\(text), seed \(Self.seed)")
    }
  }

  @Test func noiseIsNotReadAsALocation() {
    var random = SplitMix64(seed: Self.seed)
    let parts = [
      "4", "8", "60", ".", ",", "°", "'", "\"", "N", "S", "E", "W", "-", "+", " ", ":", "d", "m",
      "s", "x", "(", ")", ";",
    ]
    for _ in 0..<Self.count {
      let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
      if let angle = AngleText(text) {
        #expect(text.contains(where: \.isNumber) && angle.value.isFinite, "\(text)")
        #expect(!text.contains("x") && !text.contains("("), "\(text)")
      }
      if let pair = PairText(text) {
        #expect((pair.first.axis == nil) == (pair.second.axis == nil), "\(text)")
      }
      _ = GeometryText.looksLikeOne(text)
    }
  }

  @Test func pointsInWKBAreReadBack() {
    var random = SplitMix64(seed: Self.seed)
    for _ in 0..<Self.count {
      let (x, y) = (
        Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random)
      )
      let isLittle = Bool.random(using: &random)
      let hasSystem = Bool.random(using: &random)
      let code: UInt32 = hasSystem ? 0x2000_0001 : 1
      var text = isLittle ? "01" : "00"
      text += Self.hex(code, isLittle) + (hasSystem ? Self.hex(UInt32(4326), isLittle) : "")
      text += Self.hex(x.bitPattern, isLittle) + Self.hex(y.bitPattern, isLittle)
      let geometry = withPadded(text) { GeometryText(UnsafeBufferPointer(start: $0, count: $1)) }
      #expect(geometry.content == .point(x: x, y: y, z: nil), "\(text)")
      #expect(geometry.system == (hasSystem ? 4326 : nil))
      let cut = String(text.dropLast(2))
      #expect(!GeometryText.looksLikeOne(cut), "\(cut)")
    }
  }

  private static func hex(_ value: some FixedWidthInteger, _ isLittle: Bool) -> String {
    let bytes = withUnsafeBytes(of: isLittle ? value.littleEndian : value.bigEndian, Array.init)
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}
