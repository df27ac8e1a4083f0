import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Functions of geometries in formulas, against the methods of `Geometry` and values known by heart.
@Suite struct GeometryFormulaTests {
  private static let columns = [
    column("n", .int), column("name", .string), column("location", .point),
    column("shape", .geometry), column("area", .polygon),
  ]

  private static let texts = [
    "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))",
    "LINESTRING (0 0, 1 0, 1 1)", "POINT Z (7 47 300)", "MULTIPOINT ((0 0), (2 2))",
    "GEOMETRYCOLLECTION EMPTY", "MULTILINESTRING ((0 0, 1 1), (1 1, 2 0))",
  ]

  private static let square = "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))"

  private func withTable(_ body: (Table) throws -> Void) throws {
    let temporary = try TemporaryStore()
    let write = try temporary.store.beginWrite()
    _ = try write.createTable("Thing", columns: Self.columns)
    try write.commit()
    try temporary.store.write { transaction in
      let writer = try #require(transaction.table("Thing"))
      let square = try Geometry(wkt: Self.square)
      for (index, text) in Self.texts.enumerated() {
        try writer.insert([
          .int(Int64(index)), .string("row \(index)"),
          .point(Position(latitude: Double(index), longitude: 10, altitude: -5)),
          .geometry(try Geometry(wkt: text).bytes), .geometry(square.bytes),
        ])
      }
      try writer.insert([.int(99), .null, .null, .null, .null])
    }
    let snapshot = try temporary.store.snapshot()
    try body(try #require(snapshot.table("Thing")))
  }

  private static func values(_ text: String, of table: Table) throws -> [Value] {
    let formula = try Formula(parsing: text).bound(to: table.schema)
    let results = try FormulaEvaluator(formula, on: table).evaluate(Array(0...texts.count)[...])
    return (0...texts.count).map { results.value($0) }
  }

  /// A formula, and the result by the method for each geometry.
  private static let shapes: [(String, @Sendable (Geometry) throws -> Geometry)] = [
    ("shape", { $0 }), ("buffer(shape, 5km)", { try $0.buffer(.kilometers(5)!) }),
    ("ST_Buffer(shape, 500)", { try $0.buffer(.meters(500)!) }),
    ("convexHull(shape)", { try $0.convexHull() }), ("CONVEXHULL(shape)", { try $0.convexHull() }),
    ("envelope(shape)", { try $0.envelope() }), ("boundary(shape)", { $0.boundary() }),
    ("reverse(shape)", { $0.reversed() }), ("force2D(shape)", { $0.withoutAltitudes() }),
    ("makeValid(shape)", { try $0.repaired() }),
    ("simplify(shape, 1mi)", { try $0.simplified(within: .miles(1)!) }),
    ("densify(shape, 50 * 1km)", { try $0.densified(to: .kilometers(50)!) }),
    ("intersection(shape, area)", { try $0.intersection(Geometry(wkt: square)) }),
    ("union(shape, area)", { try $0.union(Geometry(wkt: square)) }),
    ("difference(area, shape)", { try Geometry(wkt: square).difference($0) }),
    ("symmetricDifference(shape, area)", { try $0.symmetricDifference(Geometry(wkt: square)) }),
    ("intersection(shape, geometry('\(square)'))", { try $0.intersection(Geometry(wkt: square)) }),
    ("if(n >= 0, shape, area)", { $0 }), ("coalesce(null, shape, area)", { $0 }),
    ("convexHull(buffer(shape, 1km))", { try $0.buffer(.kilometers(1)!).convexHull() }),
  ]

  @Test(arguments: shapes.indices) func newShapes(_ index: Int) throws {
    let (text, method) = Self.shapes[index]
    try withTable { table in
      let found = try Self.values(text, of: table)
      for (row, wkt) in Self.texts.enumerated() {
        let expected = try method(Geometry(wkt: wkt))
        #expect(found[row] == .geometry(expected.bytes), "\(text) of \(wkt)")
      }
      #expect(found.last == .null, "\(text) of null")
    }
  }

  @Test func numbersAndTexts() throws {
    try withTable { table in
      func check(_ text: String, _ expected: [Value], ofNull last: Value = .null) throws {
        #expect(try Self.values(text, of: table) == expected + [last], "\(text)")
      }
      try check("vertices(shape)", [10, 3, 1, 2, 0, 4].map { .int($0) })
      try check("ST_NPoints(shape)", [10, 3, 1, 2, 0, 4].map { .int($0) })
      try check("parts(shape)", [1, 1, 1, 2, 0, 2].map { .int($0) })
      try check("isEmpty(shape)", [false, false, false, false, true, false].map { .bool($0) })
      try check("isValid(shape)", Self.texts.map { _ in .bool(true) })
      try check("asText(shape)", Self.texts.map { .string($0) })
      try check(
        "geometryType(shape)",
        ["Polygon", "LineString", "Point", "MultiPoint", "GeometryCollection", "MultiLineString"]
          .map { .string($0) })
      try check("x(shape)", [.null, .null, .double(7), .null, .null, .null])
      try check("x(location) + y(location)", (0..<6).map { .double(10 + Double($0)) })
      try check(
        "hex(force2D(shape)) || name IS NULL", Self.texts.map { _ in .bool(false) },
        ofNull: .bool(true))
      try check(
        "geohash(location, 4)",
        (0..<6).map { .string(Self.geohash(10, latitude: Double($0))) })
      try check(
        "area(shape)",
        try Self.texts.map { .double(try Geometry(wkt: $0).area) })
      try check("length(shape)", try Self.texts.map { .double(try Geometry(wkt: $0).length) })
      try check("length(name)", Self.texts.map { _ in .int(5) })
      try check(
        "perimeter(area) > 2 * 100km AND distance(area, area) == 0",
        Self.texts.map { _ in .bool(true) }, ofNull: .bool(false))
    }
  }

  /// Relations to the square, against the methods and by hand.
  @Test func relations() throws {
    try withTable { table in
      let names = [
        "intersects", "disjoint", "within", "contains", "touches", "crosses", "overlaps", "equals",
      ]
      // A polygon with a hole, a line along the corner, a point outside, two corners, nothing, lines.
      let expected: [[String]] = [
        ["intersects", "overlaps"], ["intersects", "within", "crosses"], ["disjoint"],
        ["intersects", "within", "touches"], [], ["intersects", "within", "crosses"],
      ]
      for name in names {
        let found = try Self.values("\(name)(shape, area)", of: table)
        for (row, text) in Self.texts.enumerated() where name != "crosses" {
          #expect(found[row] == .bool(expected[row].contains(name)), "\(name) \(text)")
        }
        #expect(found.last == .null)
      }
      let square = try Geometry(wkt: Self.square)
      for (name, holds) in [
        ("touches", { @Sendable in try $0.touches(square) }),
        ("crosses", { try $0.crosses(square) }), ("overlaps", { try $0.overlaps(square) }),
        ("equals", { try $0.equals(square) }),
      ] as [(String, @Sendable (Geometry) throws -> Bool)] {
        let found = try Self.values("\(name)(shape, area)", of: table)
        for (row, text) in Self.texts.enumerated() {
          #expect(try found[row] == .bool(holds(Geometry(wkt: text))), "\(name) \(text)")
        }
      }
      let same = try Self.values("relate(area, area, 'T*F**FFF*')", of: table)
      #expect(same.dropLast().allSatisfy { $0 == .bool(true) })
      #expect(throws: FormulaError.self) {
        _ = try Self.values("relate(area, area, 'T*')", of: table)
      }
    }
  }

  /// The first four characters of a geohash, bit by bit.
  private static func geohash(_ longitude: Double, latitude: Double) -> String {
    let digits = Array("0123456789bcdefghjkmnpqrstuvwxyz")
    var (west, east, south, north) = (-180.0, 180.0, -90.0, 90.0)
    var hash = ""
    for character in 0..<4 {
      var code = 0
      for bit in 0..<5 {
        let isEast = (character * 5 + bit).isMultiple(of: 2)
        let middle = isEast ? (west + east) / 2 : (south + north) / 2
        let isUpper = (isEast ? longitude : latitude) >= middle
        code = code * 2 + (isUpper ? 1 : 0)
        switch (isEast, isUpper) {
        case (true, true): west = middle
        case (true, false): east = middle
        case (false, true): south = middle
        case (false, false): north = middle
        }
      }
      hash.append(digits[code])
    }
    return hash
  }

  @Test func points() throws {
    try withTable { table in
      let centroids = try Self.values("centroid(shape)", of: table)
      for (row, text) in Self.texts.enumerated() {
        let expected = try Geometry(wkt: text).centroid.map {
          Value.point(Position(latitude: $0.latitude, longitude: $0.longitude))
        }
        guard row != 2 else { continue }
        #expect(centroids[row] == expected ?? .null)
      }
      let middle = try Self.values("lineInterpolate(shape, 0.5)", of: table)
      guard case .point(let position) = middle[1] else {
        Issue.record("a line has a middle")
        return
      }
      #expect(abs(position.longitude - 1) < 0.01 && abs(position.latitude) < 0.01)
      #expect(middle[0] == .null && middle.last == .null)
    }
  }

  @Test(arguments: [
    ("buffer(shape)", "buffer takes 2 or 3 arguments, not 1."),
    ("buffer(name, 5km)", "'name' is of type string; buffer takes a geometry there."),
    ("buffer(shape, '5km')", "'5km' is of type string; buffer takes a length such as 5km there."),
    ("buffer(shape, 5kn)", "'kn' is not a unit of a length"),
    ("intersection(shape, 5)", "'5' is of type int; intersection takes a geometry there."),
    ("bufer(shape, 5km)", "There is no function 'bufer'. Did you mean buffer?"),
    ("geohash(location, 1.5)", "'1.5' is of type double; geohash takes an int there."),
    ("shape + 1", "'shape' is of type geometry; '+' takes numbers."),
    ("upper(shape)", "'shape' is of type geometry; upper takes a string."),
  ]) func errors(_ text: String, _ message: String) throws {
    try withTable { table in
      do throws(PredicateError) {
        _ = try Formula(parsing: text).bound(to: table.schema)
        Issue.record("'\(text)' is not a formula")
      } catch {
        #expect("\(error)".contains(message), "\(text): \(error)")
      }
    }
  }

  @Test func failuresNameTheRow() throws {
    try withTable { table in
      let formula = try Formula(parsing: "simplify(shape, 0 - n * 1km)").bound(to: table.schema)
      let evaluator = FormulaEvaluator(formula, on: table)
      let error = #expect(throws: FormulaError.self) { try evaluator.evaluate([0, 1, 2]) }
      #expect(error?.key == 1)
      #expect(error?.message.contains("the length is -1000.0 m") == true)
      // The next batch is right again.
      #expect(throws: Never.self) { try evaluator.evaluate([0]) }
    }
  }

  @Test func lengthsAreMetres() throws {
    try withTable { table in
      let units: [(String, Double)] = [
        ("5km", 5000), ("1.5mi", 2414.016), ("2nmi", 3704), ("10ft", 3.048), ("3yd", 2.7432),
        ("7m", 7), ("-2km", -2000), ("1km -500m", 500),
      ]
      for (text, metres) in units {
        let value = try Self.values(text, of: table)[0]
        guard case .double(let found) = value else {
          Issue.record("\(text) is \(value)")
          continue
        }
        #expect(abs(found - metres) < 1e-9, "\(text)")
      }
    }
  }
}
