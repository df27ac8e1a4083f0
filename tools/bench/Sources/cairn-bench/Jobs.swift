import Cairn
import Foundation

/// The jobs of the comparison with other databases, through the public library.
struct Jobs {
  private let realm: Realm
  private let className: String
  let queries: Queries
  /// The prefixes of the names of the jobs to run; empty for all jobs.
  private let wanted: [String]

  init(store: String, className: String, queries: Queries, wanted: [String] = []) throws {
    realm = try Realm(
      configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: store), readOnly: true))
    self.className = className
    self.queries = queries
    self.wanted = wanted
  }

  /// New results at each access, because existing ones have cached their count.
  var all: Results<DynamicObject> { realm.dynamicObjects(className) }

  func run() throws {
    try countWithin()
    try countPolygons()
    try withCondition()
    try aggregate()
    try nearest()
    try everywhere()
    try join()
  }

  func report(_ job: String, _ parameters: Int, _ ask: (Int) throws -> Answer) throws {
    guard wanted.isEmpty || wanted.contains(where: job.hasPrefix) else { return }
    print(try Stopwatch().line(job, parameters: parameters, ask: ask))
    fflush(nil)
  }

  func circles(metres: Int) throws -> [GeoCircle] {
    guard let radius = Distance.meters(Double(metres)) else { throw Mistake(description: "radius") }
    return try queries.places.map { GeoCircle(center: $0, radius: radius) }
  }

  private func countWithin() throws {
    for metres in queries.radii_m {
      let circles = try circles(metres: metres)
      try report("J3 circle \(metres / 1000) km", circles.count) {
        .count(all.within(circles[$0]).count)
      }
    }
    for width in queries.boxes.keys.sorted(by: { (Double($0) ?? 0) < (Double($1) ?? 0) }) {
      let boxes = try queries.boxes(width: width)
      try report("J4 box \(width) deg", boxes.count) { .count(all.within(boxes[$0]).count) }
    }
  }

  private func countPolygons() throws {
    for (suffix, edges) in [("", GeoPolygon.Edges.planar), (" geodesic", .geodesic)] {
      for name in ["star1", "star5", "holes5", "big10k"] {
        let polygons = try queries.polygons(name, edges)
        try report("J5 polygon \(name)\(suffix)", polygons.count) {
          .count(all.within(polygons[$0]).count)
        }
      }
    }
    // A polygon caches its prepared form; these are built again each time.
    for name in ["star5", "big10k"] {
      let rings = queries.polygons[name] ?? []
      try report("J5 polygon \(name) unprepared", rings.count) {
        .count(all.within(try Queries.polygon(rings[$0], .planar)).count)
      }
    }
  }

  private func join() throws {
    let polygons = try queries.join.map { try Queries.polygon($0, .planar) }
    try report("J12 join \(polygons.count) polygons", 1) { _ in
      .keys(all.count(inEach: polygons))
    }
  }
}
