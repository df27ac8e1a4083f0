import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// Arcs of circles as lines, in WKT and WKB.
@Suite(.tags(.untrusted)) struct CurveTests {
  private func positions(_ geometry: Geometry) -> [(x: Double, y: Double)] {
    geometry.withView { view in
      (0..<view.vertexCount).map { (view.longitude($0), view.latitude($0)) }
    }
  }

  /// Three positions on a line, written with few decimals, are no arc of a circle that is larger than
  /// the earth.
  @Test(arguments: [1, 2, 3, 6], [3305] as [UInt64])
  func positionsOnALineStayOnIt(decimals: Int, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let scale = pow(10, Double(decimals))
    func text(_ number: Int) -> String { "\(Double(number) / scale)" }
    for _ in 0..<2000 {
      let (x, y) = (
        Int(random.double(-100...100) * scale), Int(random.double(-60...60) * scale)
      )
      let (stepX, stepY) = (Int(random.double(-9...9)), Int(random.double(-9...9)))
      guard stepX != 0 || stepY != 0 else { continue }
      let (middle, end) = (random.double(1...5).rounded(), random.double(6...9).rounded())
      let points = [0, Int(middle), Int(end)].map {
        "\(text(x + $0 * stepX)) \(text(y + $0 * stepY))"
      }
      let arc = "CIRCULARSTRING (\(points.joined(separator: ", ")))"
      #expect(positions(try Geometry(wkt: arc)).count == 3, "\(arc), seed \(seed)")
    }
  }

  @Test func emptyHolesOfCurvedPolygons() throws {
    let polygon = try Geometry(wkt: "CURVEPOLYGON ((0 0, 4 0, 4 4, 0 0), EMPTY)")
    #expect(polygon == (try Geometry(wkt: "POLYGON ((0 0, 4 0, 4 4, 0 0))")))
  }

  /// A random circle and three of its points, in order of their angle.
  @Test(arguments: [3304] as [UInt64]) func chordsStayCloseToTheArc(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<300 {
      let (x, y, radius) = (
        random.double(-100...100), random.double(-50...50), random.double(0.001...20)
      )
      let start = random.double(-3...3)
      let isLeft = random.chance(0.5)
      let (middle, end) = (random.double(0.1...3), random.double(3.1...6))
      let points = [0, middle, end].map { turn -> (Double, Double) in
        let angle = start + (isLeft ? turn : -turn)
        return (x + radius * cos(angle), y + radius * sin(angle))
      }
      let text = points.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      let line = positions(try Geometry(wkt: "CIRCULARSTRING (\(text))"))
      #expect(line.count >= Int(end * 180 / .pi), "\(text), seed \(seed)")
      #expect(points.allSatisfy { point in line.contains { $0 == point } }, "\(text)")
      var turned = 0.0
      for (one, other) in zip(line, line.dropFirst()) {
        let (middleX, middleY) = ((one.x + other.x) / 2 - x, (one.y + other.y) / 2 - y)
        let distance = hypot(middleX, middleY)
        #expect(distance > radius * (1 - 4e-5) && distance < radius * (1 + 1e-9), "\(text)")
        let cross = (one.x - x) * (other.y - y) - (one.y - y) * (other.x - x)
        turned += asin(max(-1, min(1, cross / (radius * radius))))
      }
      #expect(abs(abs(turned) - end) < 1e-6 && (turned > 0) == isLeft, "\(text), seed \(seed)")
    }
  }

  @Test func anArcThatEndsWhereItBeginsIsACircle() throws {
    let circle = try Geometry(wkt: "CURVEPOLYGON (CIRCULARSTRING (5 1, 7 1, 5 1))")
    #expect(circle.kind == .polygon && abs(circle.planarArea - .pi) < 0.001)
  }

  @Test func compoundCurvesAreJoined() throws {
    let text = "COMPOUNDCURVE Z ((0 0 1, 2 0 3), CIRCULARSTRING Z (2 0 3, 3 1 4, 4 0 5))"
    let line = try Geometry(wkt: text)
    let found = positions(line)
    #expect(found.count == 182 && line.kind == .lineString)
    #expect(found[0] == (0, 0) && found[1] == (2, 0) && found[181] == (4, 0))
    #expect(line.withView { $0.altitude(91) } == 4 && line.withView { $0.altitude(46) } == 3.5)
  }

  /// The bytes of geometries as PostGIS and GDAL write them: little-endian, ISO numbers of kinds.
  private struct WKB {
    private(set) var bytes: [UInt8] = []

    init(_ code: UInt32, _ parts: [WKB]) {
      header(code, parts.count)
      for part in parts { bytes += part.bytes }
    }

    init(_ code: UInt32, _ positions: [(Double, Double)]) {
      header(code, positions.count)
      append(positions)
    }

    init(_ code: UInt32, rings: [[(Double, Double)]]) {
      header(code, rings.count)
      for ring in rings {
        append(UInt32(ring.count))
        append(ring)
      }
    }

    private mutating func header(_ code: UInt32, _ count: Int) {
      bytes.append(1)
      append(code)
      append(UInt32(count))
    }

    private mutating func append<T>(_ value: T) {
      withUnsafeBytes(of: value) { bytes += $0 }
    }

    private mutating func append(_ positions: [(Double, Double)]) {
      for (x, y) in positions {
        append(x)
        append(y)
      }
    }
  }

  @Test func binaryCurvesAreThoseOfText() throws {
    let line = WKB(2, [(0, 0), (2, 0)])
    let arc = WKB(8, [(2, 0), (3, 1), (4, 0)])
    let ring = [(0.0, 0.0), (4, 0), (0, 4), (0, 0)]
    let circle = WKB(8, [(5, 1), (7, 1), (5, 1)])
    let square = WKB(3, rings: [ring])
    for (wkb, text) in [
      (arc, "CIRCULARSTRING (2 0, 3 1, 4 0)"),
      (WKB(9, [line, arc]), "COMPOUNDCURVE ((0 0, 2 0), CIRCULARSTRING (2 0, 3 1, 4 0))"),
      (WKB(10, [circle]), "CURVEPOLYGON (CIRCULARSTRING (5 1, 7 1, 5 1))"),
      (WKB(11, [line, arc]), "MULTICURVE ((0 0, 2 0), CIRCULARSTRING (2 0, 3 1, 4 0))"),
      (
        WKB(12, [square, WKB(10, [circle])]),
        "MULTISURFACE (((0 0, 4 0, 0 4, 0 0)), CURVEPOLYGON (CIRCULARSTRING (5 1, 7 1, 5 1)))"
      ),
      (WKB(15, [square]), "POLYHEDRALSURFACE (((0 0, 4 0, 0 4, 0 0)))"),
      (WKB(16, [WKB(17, rings: [ring])]), "TIN (((0 0, 4 0, 0 4, 0 0)))"),
    ] {
      #expect(try Geometry(wkb: wkb.bytes) == Geometry(wkt: text), "\(text)")
    }
  }

  @Test func binaryMembersOfOtherKindsAreRefused() {
    let line = WKB(2, [(0, 0), (2, 0)])
    for (wkb, part) in [
      (WKB(9, [WKB(9, [line])]), "expected a LineString or a CircularString"),
      (WKB(12, [line]), "expected a Polygon or a CurvePolygon"),
      (WKB(8, [(0, 0), (1, 1)]), "expected 3, 5, 7, … positions of arcs"),
      (WKB(13, [line]), "expected the number of a kind of geometry, 1 to 12 or 15 to 17"),
    ] {
      let error = #expect(throws: GeometryError.self) { try Geometry(wkb: wkb.bytes) }
      #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }
  }
}
