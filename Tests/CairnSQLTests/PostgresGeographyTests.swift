import CairnGeometry
import CairnQuery
import CairnSQL
import CairnTestSupport
import Testing

/// The rows of a geography that are nearest to a point, by the index of PostGIS, next to the distances
/// of all rows.
@Suite(.enabled(if: PostgresCluster.isInstalled, "\(PostgresCluster.reason)"))
struct PostgresGeographyTests {
  private static let compiler = SQLCompiler(
    SQLTable(
      name: "spots",
      columns: [SQLColumn("id", type: .int), SQLColumn("spot", type: .location(.geography))],
      key: ["id"]), dialect: .postgis)

  /// The index is forced, because PostgreSQL ends a query whose index and distances disagree.
  @Test func theIndexProposesTheNearestRows() throws {
    let seed = Soak.seed(18)
    var random = SplitMix64(seed: seed)
    let server = try #require(PostgresCluster.shared)
    let spots = (0..<2000).map { _ in random.spot() }
    let queries = (0..<Soak.count(150, long: 2000)).map { _ in
      (point: random.spot(), count: 1 + random.below(30))
    }
    func sort(_ point: GeoPoint) -> [SortKey] {
      [.distance("spot", longitude: point.longitude, latitude: point.latitude, ascending: true)]
    }
    let table = Self.table(spots, schema: "geography_\(seed)")
    let single = try queries.map { point, count in
      try Self.compiler.select(columns: ["id"], sort: sort(point), limit: count).fragment
    }
    let bounds = try queries.map { point, count in
      try #require(
        try Self.compiler.nearestBound(.everyRow, sort: sort(point), count: count))
    }
    let answers = try server.run(
      table + "EXPLAIN \(bounds[0].text(.postgis));\nSELECT 'end';\n"
        + bounds.map { "\($0.text(.postgis));\n" }.joined()
        + single.map { Self.keys($0) }.joined())
    let end = try #require(answers.firstIndex(of: "end"))
    #expect(answers[..<end].joined().contains("Order By: (spot <-> "))
    let limits = answers[(end + 1)...].prefix(queries.count).compactMap { Double($0) }
    try #require(limits.count == queries.count)
    let near = try zip(queries, limits).map { query, limit in
      try #require(
        try Self.compiler.nearestRows(
          .everyRow, columns: ["id"], sort: sort(query.point), haversine: limit)
      ).fragment
    }
    let second = try server.run(
      "SET search_path = \"geography_\(seed)\", public;\n"
        + near.map { Self.keys($0) }.joined())
    let first = Array(answers.suffix(queries.count))
    for (number, query) in queries.enumerated() {
      let distances = spots.map { query.point.distance(to: $0).radians }
      // Of rows that are equally far away, those with the lesser keys are the nearest.
      let expected = distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
        .prefix(query.count)
      let last = distances[expected.last ?? 0]
      for line in [first[number], second[number]] {
        let keys = Set(line.split(separator: ",").compactMap { Int($0) })
        #expect(keys.isSuperset(of: expected), "seed \(seed): \(query)")
        // The index orders from a point up to twenty metres away, on another sphere.
        let excess = keys.filter { distances[$0] > last * 1.01 + 1e-5 }
        #expect(excess.isEmpty, "seed \(seed): \(query)")
      }
    }
  }

  private static func table(_ spots: [GeoPoint], schema: String) -> String {
    let rows = spots.enumerated().map { id, spot in
      "(\(id), ST_Point(\(spot.longitude), \(spot.latitude), 4326))"
    }
    return """
      CREATE SCHEMA "\(schema)";
      SET search_path = "\(schema)", public;
      CREATE TABLE spots (id bigint PRIMARY KEY, spot geography(Point, 4326));
      INSERT INTO spots VALUES \(rows.joined(separator: ", ")), (-1, NULL), (-2, 'POINT EMPTY');
      CREATE INDEX ON spots USING gist (spot);
      ANALYZE spots;
      SET enable_seqscan = off;
      SET enable_sort = off;

      """
  }

  /// A statement with the keys of another one in one line.
  private static func keys(_ fragment: SQLFragment) -> String {
    "SELECT coalesce(string_agg(id::text, ','), '') FROM (\(fragment.text(.postgis))) AS r;\n"
  }
}

extension SplitMix64 {
  /// A location that is often on, or hardly off, the equator, a pole, or a meridian where a geocentric
  /// coordinate is zero.
  fileprivate mutating func spot() -> GeoPoint {
    var longitude = Double.random(in: -180...180, using: &self)
    var latitude = Double.random(in: -90...90, using: &self)
    if chance(0.7) {
      longitude = pick([-180, 180, 0, 90, -90, 45, 8.5])
      latitude = pick([0, 90, -90, 45, 47.4])
    }
    let steps = [1e-15, 1e-13, 1e-12, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3]
    if chance(0.6) { longitude += pick(steps) * pick([-1, 1]) }
    if chance(0.6) { latitude += pick(steps) * pick([-1, 1]) }
    return GeoPoint(clampedLatitude: latitude, longitude: max(-180, min(180, longitude)))
  }
}
