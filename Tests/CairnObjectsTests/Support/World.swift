import CairnModelTestSupport
import CairnObjects
import CairnStorage
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A small store on disk with every type of property, and its content.
struct World {
  private let file = TemporaryStore()
  var path: String { file.path }

  init() throws {
    let store = try Store.open(path, mode: .create)
    try store.write { transaction in
      let cities = try transaction.createTable("City", columns: World.columns)
      for city in World.cities { try cities.insert(city.values) }
      let companies = try transaction.createTable(
        "Company",
        columns: [
          ColumnSchema(id: 0, name: "name", type: .string, position: 0),
          ColumnSchema(id: 1, name: "location", type: .point, isOptional: true, position: 1),
          ColumnSchema(id: 2, name: "branch", type: .point, isOptional: true, position: 2),
        ])
      try companies.insert([
        .string("company1"), .point(Position(latitude: 47.68, longitude: -122.35)), .null,
      ])
      try companies.insert([
        .string("company2"), .point(Position(latitude: 47.9, longitude: -121.85)), .null,
      ])
      _ = try transaction.createTable(
        "Empty", columns: [ColumnSchema(id: 0, name: "value", type: .int, position: 0)])
    }
  }

  /// Opens the store for writing.
  func store() throws -> Store { try Store.open(path, mode: .readWrite) }

  func realm() throws -> Realm { try file.realm() }

  static let columns: [ColumnSchema] = {
    let types: [(String, ValueType, Bool)] = [
      ("_id", .objectId, false), ("name", .string, false), ("country", .string, true),
      ("population", .int, true), ("area", .double, true), ("height", .float, true),
      ("budget", .decimal128, true), ("capital", .bool, false), ("founded", .date, true),
      ("code", .uuid, true), ("seal", .data, true), ("location", .point, true),
    ]
    return types.enumerated().map { place, type in
      ColumnSchema(
        id: UInt16(place), name: type.0, type: type.1, isOptional: type.2,
        isIndexed: type.0 == "population", isPrimaryKey: type.0 == "_id", position: place)
    }
  }()

  static let cities: [City] = [
    City(1, "Bonn", "DE", 330_000, 141.1, 60, "2.5", true, 50.7339, 7.0998),
    City(2, "Köln", "DE", 1_080_000, 405.0, 53, "6.1", false, 50.9422, 6.9578),
    City(3, "Paris", "FR", 2_100_000, 105.4, 35, "10.45", true, 48.8566, 2.3522),
    City(4, "Lyon", "FR", 520_000, 47.9, 173, nil, false, 45.764, 4.8357),
    City(5, "Suva", "FJ", 93_000, nil, 6, "0.1", true, -18.1416, 178.4419),
    City(6, "Nowhere", nil, nil, .nan, nil, nil, false, nil, nil),
    City(7, "Aachen", "DE", 249_000, 160.9, 173, "1.05", false, 50.7753, 6.0839),
  ]
}

struct City {
  let id: UInt8
  let name: String
  let country: String?
  let population: Int?
  let area: Double?
  let height: Float?
  let budget: String?
  let capital: Bool
  let latitude: Double?
  let longitude: Double?

  init(
    _ id: UInt8, _ name: String, _ country: String?, _ population: Int?, _ area: Double?,
    _ height: Float?, _ budget: String?, _ capital: Bool, _ latitude: Double?, _ longitude: Double?
  ) {
    self.id = id
    self.name = name
    self.country = country
    self.population = population
    self.area = area
    self.height = height
    self.budget = budget
    self.capital = capital
    self.latitude = latitude
    self.longitude = longitude
  }

  var objectId: ObjectId {
    [UInt8](repeating: 0, count: 11).appending(id).withUnsafeBytes { ObjectId(storedBytes: $0) }
  }

  var values: [Value] {
    var location = Value.null
    if let latitude, let longitude {
      location = .point(Position(latitude: latitude, longitude: longitude))
    }
    return [
      .objectId(objectId), .string(name), country.map { .string($0) } ?? .null,
      population.map { .int(Int64($0)) } ?? .null, area.map { .double($0) } ?? .null,
      height.map { .float($0) } ?? .null,
      budget.flatMap { Decimal128(text: $0) }.map { .decimal($0) } ?? .null, .bool(capital),
      population == nil ? .null : .date(Double(id) * 86_400),
      .uuid(UUIDBytes(high: 0, low: UInt64(id))), .data([id, 0, 255]), location,
    ]
  }
}

extension [UInt8] {
  fileprivate func appending(_ byte: UInt8) -> [UInt8] { self + [byte] }
}
