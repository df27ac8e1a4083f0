import Cairn

/// Joins.
extension GeometryJobs {
  func pointsByCountry() -> Answer {
    let join = realm.objects(Point.self)
      .joined(
        to: realm.objects(Country.self), on: .within(\.location, \.geometry, edges: .planar))
    return .counts(join.aggregate(by: \.right.adm0_a3).map { ($0.key ?? "", $0.count) })
  }

  func pointsByCell() -> Answer {
    let join = realm.objects(Point.self)
      .joined(to: realm.objects(Cell.self), on: .within(\.location, \.geometry, edges: .planar))
    let counts = join.count(ofEach: .right).map { (number: $0.object.id ?? 0, count: $0.count) }
    let total = counts.reduce(0) { $0 + $1.count }
    return .list([.count(total), .count(counts.count), Self.fullest(counts)])
  }

  func tripsNearBuildings(_ job: GeometryJob) throws -> Task {
    let edges: GeoPolygon.Edges = job.radius == nil ? .planar : .geodesic
    let radius =
      try job.radius ?? Distance.degrees(job.need(\.degrees, named: "degrees"))
    return Task {
      let join = realm.objects(Trip.self)
        .joined(
          to: realm.objects(Building.self),
          on: .distance(\.pickup, \.geometry, radius, edges: edges))
      return Self.checked(
        join.count(ofEach: .right).map { (number: $0.object.b_buildingkey ?? 0, count: $0.count) })
    }
  }

  private static func checked(_ counts: [(number: Int, count: Int)]) -> Answer {
    .list([
      .count(counts.reduce(0) { $0 + $1.count }), .count(counts.count),
      .count(counts.reduce(0) { $0 + $1.number * $1.count }), fullest(counts),
    ])
  }

  private static func fullest(_ counts: [(number: Int, count: Int)]) -> Answer {
    let sorted = counts.sorted { ($1.count, $0.number) < ($0.count, $1.number) }
    return .list(sorted.prefix(5).map { .keys([$0.number, $0.count]) })
  }

  func buildingOverlaps() throws -> Answer {
    var pairs: [(overlap: Double, first: Int, second: Int)] = []
    let found = realm.objects(Building.self).pairs(
      on: .intersects(\.geometry, \.geometry, edges: .planar))
    for pair in found {
      guard let first = pair.left.b_buildingkey, let second = pair.right.b_buildingkey,
        let one = pair.left.geometry, let other = pair.right.geometry
      else { continue }
      let overlap = try first < second ? one.overlap(with: other) : other.overlap(with: one)
      pairs.append((overlap, min(first, second), max(first, second)))
    }
    pairs.sort { ($1.overlap, $0.first, $0.second) < ($0.overlap, $1.first, $1.second) }
    let best = pairs.prefix(5).map {
      Answer.list([.count($0.first), .count($0.second), .number($0.overlap)])
    }
    return .list([
      .count(pairs.count), .number(pairs.reduce(0) { $0 + $1.overlap }), .list(best),
    ])
  }

  func tripsBetween(_ job: GeometryJob) throws -> Task {
    switch job.class {
    case "Country": Task { .count(tripsBetween(\Country.geometry)) }
    case "Cell": Task { .count(tripsBetween(\Cell.geometry)) }
    default: throw Mistake(description: "no zones '\(job.class ?? "")'")
    }
  }

  private func tripsBetween<Zone: Object>(_ area: KeyPath<Zone, Geometry?>) -> Int {
    let (trips, zones) = (realm.objects(Trip.self), realm.objects(Zone.self))
    let pickups = trips.joined(to: zones, on: .within(\.pickup, area, edges: .planar))
    let dropoffs = trips.joined(to: zones, on: .within(\.dropoff, area, edges: .planar))
    return pickups.flows(to: dropoffs).reduce(0) { total, flow in
      total + (flow.origin.isSameObject(as: flow.destination) ? 0 : flow.count)
    }
  }

  func countPairs(_ job: GeometryJob) throws -> Task {
    switch (job.left, job.right) {
    case ("Cell", "Country"): Task { .count(pairs(\Cell.geometry, \Country.geometry)) }
    case ("Track", "Cell"): Task { .count(pairs(\Track.geometry, \Cell.geometry)) }
    default: throw Mistake(description: "no pairs of '\(job.left ?? "")' and '\(job.right ?? "")'")
    }
  }

  private func pairs<Left: Object, Right: Object>(
    _ left: KeyPath<Left, Geometry?>, _ right: KeyPath<Right, Geometry?>
  ) -> Int {
    realm.objects(Left.self)
      .joined(to: realm.objects(Right.self), on: .intersects(left, right, edges: .planar)).count
  }

  func nearestBuildings(_ job: GeometryJob) throws -> Task {
    let edges: GeoPolygon.Edges = job.metric == "metres" ? .geodesic : .planar
    let count = try job.need(\.k, named: "k")
    let last = try job.need(\.n, named: "n")
    return switch job.class {
    case "Trip":
      Task {
        nearest(
          count, realm.objects(Trip.self).where { $0.t_tripkey <= last }, \.pickup, edges: edges)
      }
    case "Point":
      Task {
        nearest(
          count, realm.objects(Point.self).where { $0.id <= last }, \.location, edges: edges)
      }
    default: throw Mistake(description: "no class '\(job.class ?? "")' with locations")
    }
  }

  private func nearest<Left: Object>(
    _ count: Int, _ left: Results<Left>, _ location: KeyPath<Left, GeoPoint?>,
    edges: GeoPolygon.Edges
  ) -> Answer {
    let join = left.joined(
      to: realm.objects(Building.self), on: .nearest(count, location, \.geometry, edges: edges))
    var (rows, sum, keys) = (0, 0.0, 0)
    for pair in join {
      rows += 1
      sum += (edges == .planar ? pair.distance?.asDegrees() : pair.distance?.asMeters()) ?? 0
      keys += pair.right.b_buildingkey ?? 0
    }
    return .list([.count(rows), .number(sum), .count(keys)])
  }
}
