import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// The program `tools/s2-oracle`, which asks S2.
private enum S2Oracle {
  /// The answers of S2 about two geometries.
  struct Answer {
    let intersects: Bool
    let isWithin: Bool
    let radians: Double
  }

  /// The built program; nil without a C++ compiler or without the headers of S2.
  static let program: URL? = {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "cairn-s2-oracle-\(ProcessInfo.processInfo.processIdentifier)")
    let source = Repository.root.appendingPathComponent("tools/s2-oracle/oracle.cpp").path
    let compiler = try? Command.launch(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["c++", "-std=c++17", "-w", "-o", path.path, source, "-ls2"], input: nil, environment: [:],
      folder: nil)
    return compiler?.code == 0 ? path : nil
  }()

  static let reason = "S2 was not asked: no C++ compiler, or libs2-dev is not installed"

  static func answers(_ pairs: [(Geometry, Geometry)]) throws -> [Answer] {
    let program = try #require(program)
    let input = pairs.map { "\($0.0.wkt)\t\($0.1.wkt)\n" }.joined()
    let outcome = try Command.launch(program, [], input: input, environment: [:], folder: nil)
    try #require(outcome.code == 0, "\(outcome.errors)")
    return try outcome.lines.map { line in
      let parts = line.split(separator: " ")
      return Answer(
        intersects: parts[0] == "1", isWithin: parts[1] == "1",
        radians: try #require(Double(parts[2])))
    }
  }
}

/// Geodesic relations and distances of random geometries of every kind, compared with S2.
@Suite struct S2OracleTests {
  /// Below this angle, positions are the same here, but not to S2.
  private static let smallest = 1e-12

  @Test(
    .enabled(if: S2Oracle.program != nil, Comment(rawValue: S2Oracle.reason)),
    arguments: 1...3 as ClosedRange<UInt64>)
  func randomPairs(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pairs = try (0..<500).map { _ in try Self.pair(&random) }
    let answers = try S2Oracle.answers(pairs)
    try #require(answers.count == pairs.count)
    for (index, (pair, answer)) in zip(pairs, answers).enumerated() {
      let (one, other) = pair
      let note: Comment = "seed \(seed) pair \(index) \(one.wkt) \(other.wkt)"
      let distance = try #require(one.distance(to: other)).radians
      #expect(abs(distance - answer.radians) <= answer.radians * 1e-9 + 1e-13, note)
      if answer.radians > 0, answer.radians < Self.smallest { continue }
      let matcher = try GeodesicMatcher(other)
      let (intersects, isWithin) = one.withView {
        (matcher.holds(.intersects, $0), matcher.holds(.within, $0))
      }
      #expect(intersects == answer.intersects, note)
      #expect(isWithin == answer.isWithin, note)
      let reverse = try GeodesicMatcher(one)
      #expect(other.withView { reverse.holds(.contains, $0) } == answer.isWithin, note)
    }
  }

  /// Two geometries that are near each other, or share vertices or whole outlines.
  private static func pair(_ random: inout SplitMix64) throws -> (Geometry, Geometry) {
    var center = random.location()
    // A ring about a pole has all of its vertices on one meridian.
    while abs(center.latitude) == 90 { center = random.location() }
    let size = random.pick([1e-5, 1e-3, 0.05, 0.3])
    let outline = random.geodesicRing(about: center, radius: size, count: random.int(3...30))
    let one = try geometry(outline, about: center, size, &random)
    switch random.int(0...4) {
    case 0: return (try geometry(outline, about: center, size, &random), one)
    case 1:
      let start = random.int(0...outline.count - 2)
      return (.lines([Array(outline[start...].prefix(random.int(2...5)))]), one)
    case 2: return (.points([random.pick(outline)]), one)
    default:
      let place = center.location(
        bearing: random.double(0...6), angle: size * random.double(0...2.5))
      let other = size * random.pick([0.1, 0.5, 1])
      let ring = random.geodesicRing(about: place, radius: other, count: random.int(3...30))
      return (try geometry(ring, about: place, other, &random), one)
    }
  }

  /// A geometry of any kind along a ring. The parts of collections are apart.
  private static func geometry(
    _ outline: [GeoPoint], about center: GeoPoint, _ size: Double, _ random: inout SplitMix64
  ) throws -> Geometry {
    let far = center.location(bearing: random.double(0...6), angle: size * 3)
    let second = random.geodesicRing(about: far, radius: size, count: random.int(3...8))
    switch random.int(0...7) {
    case 0: return .points([random.pick(outline)])
    case 1: return .points(Array(outline.prefix(4)))
    case 2: return .lines([Array(outline.dropLast())])
    case 3: return .lines([Array(outline.dropLast()), second])
    case 4: return .polygons([[outline], [second]])
    case 5:
      let hole = random.geodesicRing(about: center, radius: size * 0.05, count: 5)
      return .polygons([[outline] + (outline.count > 12 ? [hole] : [])])
    case 6:
      return try Geometry(members: [.polygons([[outline]]), .lines([second]), .points([far])])
    default: return .polygons([[outline]])
    }
  }
}
