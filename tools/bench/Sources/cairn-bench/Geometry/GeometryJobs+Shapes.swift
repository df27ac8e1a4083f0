import Cairn

/// Questions with a shape.
extension GeometryJobs {
  func countIntersects(_ job: GeometryJob) throws -> Task {
    let areas = try list.queries.areas(job.need(\.shapes, named: "shapes"))
    let name = try job.need(\.class, named: "class")
    return Task(parameters: areas.count) { .count(try count(name, intersecting: areas[$0])) }
  }

  private func count(_ name: String, intersecting area: any GeoShape) throws -> Int {
    func count(_ area: some GeoShape) throws -> Int {
      switch name {
      case "Cell": realm.objects(Cell.self).where { $0.geometry.geoIntersects(area) }.count
      case "Track": realm.objects(Track.self).where { $0.geometry.geoIntersects(area) }.count
      default: throw Mistake(description: "no class '\(name)' to count")
      }
    }
    return try count(area)
  }

  func idsAtPoint() throws -> Task {
    let places = try list.queries.places
    return Task(parameters: places.count) { place in
      let cells = realm.objects(Cell.self)
        .where { $0.geometry.geoContains(places[place], edges: .planar) }
      return .keys(cells.each { $0.id ?? 0 }.sorted())
    }
  }

  func countWithin(_ job: GeometryJob) throws -> Task {
    let places = try list.queries.places
    guard let radius = job.radius else { throw NotApplicable.degrees }
    return Task(parameters: places.count) { place in
      .count(
        realm.objects(Cell.self).where { $0.geometry.geoDistance(to: places[place]) <= radius }
          .count)
    }
  }

  func nearest(_ job: GeometryJob) throws -> Task {
    let places = try list.queries.places
    let edges: GeoPolygon.Edges = job.metric == "metres" ? .geodesic : .planar
    let count = try job.need(\.k, named: "k")
    return Task(parameters: places.count) { place in
      .keys(
        realm.objects(Cell.self).nearest(to: places[place], edges: edges).limit(count)
          .each { $0.id ?? 0 })
    }
  }
}
