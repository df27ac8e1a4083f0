import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

@Suite struct IntersectionMatrixTests {
  // MARK: Random geometries

  /// Every pair of kinds on grids where vertices and edges often coincide, by an exact oracle.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func isExactOnAGrid(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let geos = try GEOSRelations()
    for one in Geometry.Kind.allCases {
      for other in Geometry.Kind.allCases {
        for _ in 0..<Soak.count(26, long: 120) {
          let size = random.int(2...7)
          let a = try random.gridGeometry(one, size: size, scale: 1, geos)
          let isSame = random.int(0...9) == 0
          let b = isSame ? a : try random.gridGeometry(other, size: size, scale: 1, geos)
          try check(a, b)
        }
      }
    }
  }

  private func check(_ a: GridGeometry, _ b: GridGeometry) throws {
    let expected = GridMatrix(a, b).matrix
    let (one, other) = (a.geometry, b.geometry)
    let matrix = one.withView { one in other.withView { PlanarRelation.matrix(one, $0) } }
    #expect(matrix == expected, "\(a.text) to \(b.text)")
    let prepared = try #require(PlanarMatcher(.geometry(other, edges: .planar)))
    for relation in SpatialRelation.allCases {
      let answer = try Definitions.holds(relation, expected, a.dimension, b.dimension)
      one.withView { view in
        #expect(
          prepared.holds(relation, view) == answer,
          "\(relation) prepared: \(a.text) to \(b.text)")
        other.withView { other in
          #expect(
            PlanarRelation.holds(relation, view, to: other) == answer,
            "\(relation): \(a.text) to \(b.text)")
          guard let point = one.point else { return }
          let (x, y) = (point.longitude, point.latitude)
          #expect(
            PlanarRelation.holds(relation, longitude: x, latitude: y, to: other) == answer,
            "\(relation) of a location: \(a.text) to \(b.text)")
          #expect(
            prepared.holds(relation, longitude: x, latitude: y) == answer,
            "\(relation) of a location, prepared: \(a.text) to \(b.text)")
        }
      }
    }
  }

  /// GEOS agrees wherever no crossing of edges decides, whose location it rounds.
  @Test func agreesWithGEOS() throws {
    var random = SplitMix64(seed: 5)
    let geos = try GEOSRelations()
    var (count, agreed) = (0, 0)
    for one in Geometry.Kind.allCases where one != .geometryCollection {
      for other in Geometry.Kind.allCases where other != .geometryCollection {
        for _ in 0..<Soak.count(20, long: 200) {
          let a = try random.gridGeometry(one, size: 4, scale: 1, geos)
          let b = try random.gridGeometry(other, size: 4, scale: 1, geos)
          count += 1
          if try a.geometry.relate(b.geometry) == geos.matrix(a.textOfKind, b.textOfKind) {
            agreed += 1
          }
        }
      }
    }
    #expect(Double(agreed) > 0.99 * Double(count), "\(agreed) of \(count)")
  }

  // MARK: Definitions

  /// The patterns of OGC 06-103r4, by the dimensions of the two geometries.
  enum Definitions {
    static func holds(
      _ relation: SpatialRelation, _ matrix: IntersectionMatrix, _ one: Int, _ other: Int
    ) throws -> Bool {
      try patterns(relation, one, other).contains { matrix.matches(try IntersectionPattern($0)) }
    }

    private static func patterns(_ relation: SpatialRelation, _ one: Int, _ other: Int) -> [String]
    {
      switch relation {
      case .within: ["T*F**F***", "*TF**F***", "**FT*F***", "**F*TF***"]
      case .contains: ["T*****FF*", "*T****FF*", "***T**FF*", "****T*FF*"]
      case .intersects: ["T********", "*T*******", "***T*****", "****T****"]
      case .disjoint: ["FF*FF****"]
      case .touches: ["FT*******", "F**T*****", "F***T****"]
      case .crosses where one < other: ["T*T******"]
      case .crosses where one > other: ["T*****T**"]
      case .crosses: one == 1 ? ["0********"] : []
      case .overlaps where one != other: []
      case .overlaps: one == 1 ? ["1*T***T**"] : ["T*T***T**"]
      case .equals: ["T*F**FFF*"]
      }
    }
  }

  // MARK: Pairs by hand

  struct Pair {
    let one: String
    let other: String
    let matrix: String
    var relations: Set<SpatialRelation>
  }

  static let square = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))"
  static let ring = "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (3 3, 6 3, 6 6, 3 6, 3 3))"

  static let pairs = [
    Pair(one: "POINT (1 1)", other: "POINT (1 1)", matrix: "0FFFFFFF2", relations: [.equals]),
    Pair(
      one: "MULTIPOINT (1 1, 2 2)", other: "MULTIPOINT (2 2, 3 3)", matrix: "0F0FFF0F2",
      relations: [.overlaps]),
    Pair(
      one: "POINT (0 0)", other: "LINESTRING (0 0, 2 2)", matrix: "F0FFFF102", relations: [.touches]
    ),
    Pair(one: "POINT (1 1)", other: "LINESTRING (0 0, 2 2)", matrix: "0FFFFF102", relations: []),
    Pair(
      one: "MULTIPOINT (1 1, 5 5)", other: "LINESTRING (0 0, 2 2)", matrix: "0F0FFF102",
      relations: [.crosses]),
    Pair(one: "POINT (4 2)", other: square, matrix: "F0FFFF212", relations: [.touches]),
    Pair(
      one: "MULTIPOINT (2 2, 5 5)", other: square, matrix: "0F0FFF212", relations: [.crosses]),
    Pair(
      one: "LINESTRING (0 0, 2 2)", other: "LINESTRING (0 2, 2 0)", matrix: "0F1FF0102",
      relations: [.crosses]),
    Pair(
      one: "LINESTRING (0 0, 2 2)", other: "LINESTRING (1 1, 3 3)", matrix: "1010F0102",
      relations: [.overlaps]),
    Pair(
      one: "LINESTRING (0 0, 2 2)", other: "LINESTRING (2 2, 3 0)", matrix: "FF1F00102",
      relations: [.touches]),
    Pair(
      one: "LINESTRING (0 0, 1 1, 2 2)", other: "LINESTRING (2 2, 0 0)", matrix: "1FFF0FFF2",
      relations: [.equals]),
    Pair(
      one: "LINESTRING (-1 2, 5 2)", other: square, matrix: "101FF0212", relations: [.crosses]),
    Pair(
      one: "LINESTRING (0 1, 0 3)", other: square, matrix: "F1FF0F212", relations: [.touches]),
    Pair(one: "LINESTRING (1 1, 4 2)", other: square, matrix: "1FF00F212", relations: []),
    Pair(
      one: square, other: "POLYGON ((4 0, 8 0, 8 4, 4 4, 4 0))", matrix: "FF2F11212",
      relations: [.touches]),
    Pair(
      one: square, other: "POLYGON ((4 4, 8 4, 8 8, 4 8, 4 4))", matrix: "FF2F01212",
      relations: [.touches]),
    Pair(
      one: square, other: "POLYGON ((2 2, 6 2, 6 6, 2 6, 2 2))", matrix: "212101212",
      relations: [.overlaps]),
    Pair(
      one: square, other: "POLYGON ((0 4, 0 0, 2 0, 4 0, 4 4, 0 4))", matrix: "2FFF1FFF2",
      relations: [.equals]),
    Pair(
      one: ring, other: "POLYGON ((3 3, 6 3, 6 6, 3 6, 3 3))", matrix: "FF2F112F2",
      relations: [.touches]),
    Pair(one: ring, other: "POINT (4 4)", matrix: "FF2FF10F2", relations: []),
    Pair(
      one: "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((5 0, 6 0, 6 1, 5 1, 5 0)))", other: square,
      matrix: "2F2F11FF2", relations: []),
    // Two halves are the whole, and the edge between them is in its interior.
    Pair(
      one:
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 4, 0 4, 0 0)), POLYGON ((2 0, 4 0, 4 4, 2 4, 2 0)))",
      other: square, matrix: "2FFF1FFF2", relations: [.equals]),
    Pair(
      one:
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 4, 0 4, 0 0)), POLYGON ((2 0, 4 0, 4 4, 2 4, 2 0)))",
      other: "LINESTRING (2 1, 2 3)", matrix: "102FF1FF2", relations: []),
    Pair(one: "GEOMETRYCOLLECTION EMPTY", other: square, matrix: "FFFFFF212", relations: []),
    Pair(one: "POINT EMPTY", other: "POINT EMPTY", matrix: "FFFFFFFF2", relations: []),
    // The edge of the plane at 180 is not that at -180.
    Pair(
      one: "POLYGON ((170 0, 180 0, 180 9, 170 9, 170 0))",
      other: "POLYGON ((-180 0, -170 0, -170 9, -180 9, -180 0))", matrix: "FF2FF1212",
      relations: []),
  ]

  @Test func pairsOfEachDimension() throws {
    for pair in Self.pairs {
      let (one, other) = (try Geometry(wkt: pair.one), try Geometry(wkt: pair.other))
      let comment = "\(pair.one) and \(pair.other)"
      #expect(try one.relate(other) == pair.matrix, "\(comment)")
      #expect(try other.relate(one) == pair.matrix.transposed, "\(comment), the other way round")
      var found: Set<SpatialRelation> = []
      if try one.touches(other) { found.insert(.touches) }
      if try one.crosses(other) { found.insert(.crosses) }
      if try one.overlaps(other) { found.insert(.overlaps) }
      if try one.equals(other) { found.insert(.equals) }
      #expect(found == pair.relations, "\(comment)")
    }
  }

  // MARK: Patterns

  @Test func patterns() throws {
    let (one, other) = (try Geometry(wkt: Self.square), try Geometry(wkt: "POINT (1 1)"))
    #expect(try one.relate(other) == "0F2FF1FF2")
    #expect(try one.relate(other, pattern: "T*****FF*"))
    #expect(try one.relate(other, pattern: "0f2ff1ff2"))
    #expect(try !one.relate(other, pattern: "1********"))
    for text in ["", "T*F", "T*F**F****", "T*F**F**x", "T*F**F**3"] {
      #expect(throws: GeometryError.self) { try one.relate(other, pattern: text) }
    }
  }

  @Test func invalidGeometries() throws {
    let bow = try Geometry(wkt: "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))")
    let square = try Geometry(wkt: Self.square)
    #expect(throws: GeometryError.self) { try bow.touches(square) }
    #expect(throws: GeometryError.self) { try square.relate(bow) }
  }

  /// Large neighbours, which are searched by indexes.
  @Test func largeNeighbours() throws {
    func circle(_ x: Double) -> String {
      let points = (0...2000).map { step in
        let angle = Double(step % 2000) / 1000 * .pi
        return "\(x + 8 * sin(angle)) \(8 * cos(angle))"
      }
      return "POLYGON ((\(points.joined(separator: ", "))))"
    }
    let (one, apart) = (try Geometry(wkt: circle(0)), try Geometry(wkt: circle(20)))
    let next = try Geometry(wkt: circle(15))
    let around = try Geometry(
      wkt: circle(0).replacing("POLYGON ((", with: "POLYGON ((-9 -9, 9 -9, 9 9, -9 9, -9 -9), ("))
    #expect(try one.relate(apart) == "FF2FF1212")
    #expect(try one.relate(next) == "212101212")
    #expect(try one.relate(around) == "FF2F1F212")
    #expect(try one.touches(around) && around.touches(one))
    #expect(try one.overlaps(next) && !one.touches(next))
    #expect(try one.equals(one) && !one.equals(next))
  }
}

extension GridGeometry {
  /// The greatest dimension of the parts.
  fileprivate var dimension: Int {
    parts.map { part in
      switch part {
      case .point: 0
      case .line: 1
      case .polygon: 2
      }
    }.max() ?? 0
  }
}

extension String {
  /// The matrix from the side of the second geometry.
  fileprivate var transposed: String {
    let letters = Array(self)
    return String((0..<9).map { letters[$0 % 3 * 3 + $0 / 3] })
  }
}
