import Cairn
import Foundation
import Measuring

/// The jobs for both sides, with figures of Realm's core for the same million objects.
struct Jobs {
  let cairn: CairnSide
  let grdb: GRDBSide
  /// Whether there are a million objects, for which the figures of Realm's core are valid.
  let isMillion: Bool

  private static let north = 47.6
  private static let west = -122.3

  private func realm(_ milliseconds: Double) -> Double? { isMillion ? milliseconds : nil }

  func places() throws -> [Line] {
    var lines: [Line] = []
    for (metres, alone, both) in [(50_000.0, 189.8, 165.1), (500_000, 192.0, 173.9)] {
      guard let radius = Distance.meters(metres),
        let place = GeoPoint(latitude: 47.6, longitude: -122.3)
      else { continue }
      let circle = GeoCircle(center: place, radius: radius)
      lines += try self.lines(
        "circle \(Int(metres / 1000)) km", alone, both, { cairn.within(circle) },
        GRDBSide.circle(-122.3, 47.6, metres: metres))
    }
    if let box = GeoBox(bottomLeft: (46.6, -123.3), topRight: (48.6, -121.3)) {
      lines += try self.lines(
        "box of 2 degrees", 218.1, 200.3, { cairn.within(box) },
        GRDBSide.box(-123.3, 46.6, -121.3, 48.6))
    }
    return lines
  }

  /// Jobs with a shape alone, and with a condition on a property.
  private func lines(
    _ name: String, _ alone: Double, _ both: Double, _ results: () -> Results<City>, _ sql: String
  ) throws -> [Line] {
    [
      try Line("count \(name)", realm: realm(alone)) {
        "\(results().count)"
      } grdb: {
        try grdb.count(sql)
      },
      try Line("count \(name), pop > 500000", realm: realm(both)) {
        "\(cairn.large(results()).count)"
      } grdb: {
        try grdb.count("\(sql) AND pop > 500000")
      },
    ]
  }

  /// A polygon of 20 corners. SQLite has no test for polygons, so the GRDB side counts its box.
  func polygon() throws -> [Line] {
    let ring = (0...20).map { corner in
      let angle = Double(corner % 20) * .pi / 10
      return (Jobs.north + 2.5 * sin(angle), Jobs.west + 2.5 * cos(angle))
    }
    guard let polygon = GeoPolygon(outerRing: ring) else { return [] }
    return [
      try Line(
        "count polygon of 20 corners", realm: realm(218.6),
        cairn: { "\(cairn.within(polygon).count)" }, grdb: nil),
      try Line(
        "count polygon, pop > 500000", realm: realm(201.5),
        cairn: { "\(cairn.large(cairn.within(polygon)).count)" }, grdb: nil),
    ]
  }

  func objects() throws -> [Line] {
    guard let radius = Distance.kilometers(500),
      let place = GeoPoint(latitude: 47.6, longitude: -122.3)
    else { return [] }
    let circle = GeoCircle(center: place, radius: radius)
    let sql = GRDBSide.circle(-122.3, 47.6, metres: 500_000)
    return [
      try Line("first 10 of 500 km by pop", realm: realm(173.9)) {
        cairn.large(cairn.within(circle)).sorted(by: \.pop, ascending: false).prefix(10)
          .map { "\($0.pop)" }.first ?? ""
      } grdb: {
        try grdb.records("\(sql) AND pop > 500000", "ORDER BY pop DESC LIMIT 10")
          .map { "\($0.pop)" }.first ?? ""
      },
      try Line("read 3 properties of those in 500 km", realm: realm(198.6)) {
        CairnSide.read(cairn.within(circle))
      } grdb: {
        let records = try grdb.records(sql)
        let north = records.count { $0.latitude > 0 }
        return "\(records.reduce(0) { $0 + $1.pop })/"
          + "\(records.reduce(0) { $0 + $1.name.utf8.count })/\(north)"
      },
    ]
  }

  func scans() throws -> [Line] {
    [
      try Line("count pop > 500000", realm: realm(3.8)) {
        "\(cairn.large(cairn.cities).count)"
      } grdb: {
        try grdb.number("SELECT COUNT(*) FROM city WHERE pop > 500000")
      },
      try Line("count name CONTAINS 99", realm: realm(3.8)) {
        "\(cairn.cities.where { $0.name.contains("99") }.count)"
      } grdb: {
        try grdb.number("SELECT COUNT(*) FROM city WHERE instr(name, '99')")
      },
      try Line("sum of pop", realm: realm(3.8)) {
        "\(cairn.cities.sum(of: \.pop) as Int)"
      } grdb: {
        try grdb.number("SELECT SUM(pop) FROM city")
      },
      try Line("sum of pop > 500000", realm: realm(3.9)) {
        "\(cairn.large(cairn.cities).sum(of: \.pop) as Int)"
      } grdb: {
        try grdb.number("SELECT SUM(pop) FROM city WHERE pop > 500000")
      },
      try Line("sorted by pop, the first", realm: realm(304.7)) {
        "\(cairn.cities.sorted(by: \.pop, ascending: false).first?.pop ?? 0)"
      } grdb: {
        try grdb.records(sql: "SELECT * FROM city ORDER BY pop DESC LIMIT 1").map { "\($0.pop)" }[0]
      },
      try Line("sorted by pop, the first 10", realm: realm(304.7)) {
        "\(cairn.cities.sorted(by: \.pop, ascending: false).prefix(10).reduce(0) { $0 + $1.pop })"
      } grdb: {
        let records = try grdb.records(sql: "SELECT * FROM city ORDER BY pop DESC LIMIT 10")
        return "\(records.reduce(0) { $0 + $1.pop })"
      },
      try Line("the first with pop > 999990") {
        cairn.cities.where { $0.pop > 999_990 }.first?.name ?? ""
      } grdb: {
        try grdb.records(sql: "SELECT * FROM city WHERE pop > 999990 ORDER BY id LIMIT 1")
          .first?.name ?? ""
      },
      try Line("read 3 properties of every one") {
        CairnSide.read(cairn.cities)
      } grdb: {
        try grdb.read(sql: "SELECT * FROM city")
      },
    ]
  }
}
