import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation

@testable import CairnServer

/// A store with random places, the same rows in memory, and a service on the store.
final class World {
  /// One row of the class `places`.
  struct Place {
    var id: Int
    var name: String?
    var population: Int?
    var area: Double?
    var founded: Double?
    var isCapital: Bool?
    var location: (longitude: Double, latitude: Double)?
    /// The key of the row.
    var key = 0
  }

  let folder: TemporaryFolder
  let store: Store
  let service: Service
  /// The rows that exist, in the order of their keys.
  private(set) var places: [Place] = []
  private var random: SplitMix64
  private var nextID = 1

  init(
    rows: Int = 300, seed: UInt64 = 1, options: ServiceOptions = ServiceOptions()
  ) throws {
    folder = try TemporaryFolder(inMemory: true)
    store = try Store.open(folder.file(), mode: .create)
    random = SplitMix64(seed: seed)
    try store.write { transaction in
      _ = try transaction.createTable("places", columns: Self.columns)
      let notes = try transaction.createTable("notes", columns: [Self.column("text", .string)])
      for text in ["one", "two", "three"] { _ = try notes.insert([.string(text)]) }
      let parcels = try transaction.createTable(
        "parcels", columns: [Self.column("owner", .string), Self.column("shape", .geometry)])
      for index in 0..<5 {
        let (x, y) = (Double(index) * 2, Double(index))
        let wkt = "POLYGON ((\(x) \(y), \(x + 1) \(y), \(x + 1) \(y + 1), \(x) \(y)))"
        _ = try parcels.insert([.string("owner \(index)"), .geometry(Geometry(wkt: wkt).bytes)])
      }
    }
    service = try Service(path: folder.file(), options: options)
    try insert(rows)
  }

  private static func column(
    _ name: String, _ type: ValueType, isPrimaryKey: Bool = false
  ) -> ColumnSchema {
    ColumnSchema(
      id: 0, name: name, type: type, isOptional: !isPrimaryKey, isPrimaryKey: isPrimaryKey,
      position: 0)
  }

  private static let columns = [
    column("id", .int, isPrimaryKey: true), column("name", .string),
    column("population", .int), column("area", .double), column("founded", .date),
    column("isCapital", .bool), column("location", .point),
  ]

  static let names = ["Bern", "Bärn", "bern", "Zürich", "Genève", "100%", "a_b", "A*c", "?", ""]

  /// Adds random rows.
  func insert(_ count: Int) throws {
    try store.write { transaction in
      guard let table = transaction.table("places") else { return }
      for _ in 0..<count {
        var place = randomPlace()
        place.key = try table.insert(Self.values(place))
        places.append(place)
      }
    }
  }

  /// Deletes some random rows.
  func delete(_ count: Int) throws {
    try store.write { transaction in
      guard let table = transaction.table("places") else { return }
      for _ in 0..<min(count, places.count) {
        let place = places.remove(at: random.below(places.count))
        try table.delete(place.key)
      }
    }
  }

  /// Changes the class `notes`.
  func editNotes(_ body: (TableWriter) throws -> Void) throws {
    try store.write { transaction in
      if let notes = transaction.table("notes") { try body(notes) }
    }
  }

  /// Removes the class `notes`.
  func dropNotes() throws {
    try store.write { transaction in transaction.removeTable("notes") }
  }

  private func randomPlace() -> Place {
    defer { nextID += 1 }
    func some<T>(_ value: T) -> T? { random.chance(0.9) ? value : nil }
    return Place(
      id: nextID * 7 % 100_003, name: some(random.pick(Self.names)),
      population: some(random.below(10)), area: some(Double(random.below(40)) / 8),
      founded: some(Double(random.below(20)) * 86_400),
      isCapital: some(random.chance(0.5)),
      location: some(
        (Double(random.below(3600)) / 10 - 180, Double(random.below(1800)) / 10 - 90)))
  }

  private static func values(_ place: Place) -> [Value] {
    [
      .int(Int64(place.id)), place.name.map { .string($0) } ?? .null,
      place.population.map { .int(Int64($0)) } ?? .null, place.area.map { .double($0) } ?? .null,
      place.founded.map { .date($0) } ?? .null, place.isCapital.map { .bool($0) } ?? .null,
      place.location.map {
        .point(Position(latitude: $0.latitude, longitude: $0.longitude))
      } ?? .null,
    ]
  }
}

/// The answer to a request, read by Foundation.
struct Answer {
  let response: Response
  let bytes: [UInt8]

  var status: Int { response.status }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
  }
  var features: [[String: Any]] { json["features"] as? [[String: Any]] ?? [] }
  var ids: [Int] { features.compactMap { $0["id"] as? Int } }
  var links: [[String: Any]] { json["links"] as? [[String: Any]] ?? [] }

  /// The destination of the first link with that relation.
  func link(_ rel: String) -> String? {
    links.first { $0["rel"] as? String == rel }?["href"] as? String
  }
}

extension Service {
  /// Sends a request and collects the answer.
  func get(
    _ target: String, headers: Headers = [:], method: String = "GET", body: String = ""
  ) async throws -> Answer {
    let request = Request(method, target: target, headers: headers, body: Array(body.utf8))
    let response = await respond(to: request)
    switch response.body {
    case .bytes(let bytes): return Answer(response: response, bytes: bytes)
    case .stream(let stream):
      // Events do not end.
      if response.headers["Content-Type"] == "text/event-stream" {
        return Answer(response: response, bytes: try await stream.next() ?? [])
      }
      var bytes: [UInt8] = []
      while let chunk = try await stream.next() { bytes += chunk }
      return Answer(response: response, bytes: bytes)
    }
  }

  /// Sends the request of a link.
  func follow(_ href: String) async throws -> Answer {
    try await get(String(href.dropFirst(options.baseURL.count)))
  }
}
