import CairnTestSupport
import Testing

@testable import CairnGeometry

/// All functions that make a geometry of another one, with geometries of any kind.
@Suite(.tags(.untrusted)) struct OperationTests {
  private static let operations: [(name: String, apply: @Sendable (Geometry) throws -> Geometry)] =
    [
      ("union", { try Geometry.union(of: [$0]) }),
      ("hull", { try $0.convexHull() }), ("concave hull", { try $0.concaveHull(ratio: 0.3) }),
      ("envelope", { try $0.envelope() }), ("rectangle", { try $0.minimumRotatedRectangle() }),
      ("boundary", { $0.boundary() }), ("precision", { try $0.withPrecision(0.5) }),
      ("reversed", { $0.reversed() }), ("lines", { try $0.lineMerged() }),
      ("flat", { $0.withoutAltitudes() }),
      ("coverage", { try Geometry.coverageUnion(of: [$0]) }),
      ("point", { try $0.pointOnSurface().map { Geometry($0) } ?? $0 }),
    ]

  /// The operations that take geometries as they are.
  private static let lenient: Set = ["boundary", "reversed", "flat"]

  /// The operations with a distance in degrees.
  private static let distances:
    [(name: String, apply: @Sendable (Geometry, Distance) throws -> Geometry)] = [
      ("simplified", { try $0.simplified(within: $1) }),
      ("topology", { try $0.simplifiedPreservingTopology(within: $1) }),
      ("inset", { try $0.inset($1) }), ("buffer", { try $0.buffer($1) }),
      ("mitre", { try $0.buffer($1, style: BufferStyle(cap: .square, join: .mitre)) }),
      ("bevel", { try $0.buffer($1, style: BufferStyle(cap: .flat, join: .bevel)) }),
    ]

  /// A result is valid, or an error says why not.
  private func check(_ name: String, of geometry: Geometry, _ apply: () throws -> Geometry) {
    do {
      let result = try apply()
      #expect(result.isValid, "\(name) of \(geometry.wkt): \(result.wkt)")
    } catch let error as GeometryError {
      #expect(!error.message.isEmpty)
      #expect(error.kind != .library, "\(name) of \(geometry.wkt): \(error)")
    } catch {
      Issue.record("\(name) of \(geometry.wkt): \(error)")
    }
  }

  @Test(arguments: [5901, 5902] as [UInt64])
  func resultsAreValid(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var valid = 0
    for round in 0..<Soak.count(120, long: 2000) {
      let given = Geometry.random(&random)
      let geometry = random.chance(0.8) ? (try? given.repaired()) ?? given : given
      if geometry.isValid { valid += 1 }
      for (name, apply) in Self.operations where geometry.isValid || !Self.lenient.contains(name) {
        check(name, of: geometry) { try apply(geometry) }
      }
      let distance = try #require(Distance.degrees([0.001, 1, 20][round % 3]))
      for (name, apply) in Self.distances.prefix(round % 20 == 0 ? 6 : 2) {
        check(name, of: geometry) { try apply(geometry, distance) }
      }
      // Large polygons may cross themselves along geodesics.
      _ = try? geometry.densified(to: try #require(.degrees(2)))
      _ = try? geometry.perimeter
      _ = try? geometry.location(atFraction: 0.5)
    }
    #expect(valid > 50)
  }

  @Test func coordinatesThatAreNoNumbersAreErrors() throws {
    for value in [Double.nan, .infinity, 200, 1e300] {
      let line = Geometry(rings: [[(0, 0), (value, 4), (4, 0), (0, 0)]])
      for (name, apply) in Self.operations
      where !Self.lenient.contains(name) {
        #expect(throws: GeometryError.self, "\(name) \(value)") { try apply(line) }
      }
      for (name, apply) in Self.distances {
        let distance = try #require(Distance.meters(5))
        #expect(throws: GeometryError.self, "\(name) \(value)") { try apply(line, distance) }
      }
      #expect(throws: GeometryError.self) { try line.densified(to: #require(.meters(5))) }
    }
  }
}
