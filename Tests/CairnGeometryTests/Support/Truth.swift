import CairnTestSupport
import Foundation

@testable import CairnGeometry

/// Answers computed by other tools, if they are in a folder next to the repository; empty
/// otherwise.
enum Truth {
  typealias Record = [String: Any]

  private static let folder = SharedData.root.map { URL(fileURLWithPath: $0) }

  /// The records of a file of answers.
  static func records(_ name: String, under key: String = "items") throws -> [Record] {
    guard let folder else { return [] }
    return try records(of: folder.appendingPathComponent("truth/\(name).json"), under: key)
  }

  /// The records of a file of answers that is part of the repository.
  static func kept(_ name: String, under key: String) throws -> [Record] {
    try records(of: URL(fileURLWithPath: Repository.data("truth/\(name).json")), under: key)
  }

  /// The questions that a run asks: all of them in a soak run, and otherwise one of each kind.
  static func asked(_ records: [Record]) -> [Record] {
    var kinds: Set<String> = []
    return records.filter { Soak.isOn || kinds.insert(kind($0)).inserted }
  }

  /// The class, edges and relation of a question, the type of its shape, and whether the shape crosses
  /// the antimeridian or is near a pole.
  private static func kind(_ record: Record) -> String {
    let shape = record["shape"] as? Record ?? [:]
    let geometry = shape["geometry"] as? Record ?? [:]
    let type = shape["ref"] != nil ? "a feature" : geometry.text("type")
    let bounds = Geometry(json: geometry)?.withView { $0.bounds }
    let isWide = bounds.map { $0.east - $0.west > 180 } ?? false
    let isPolar = bounds.map { $0.north > 80 || $0.south < -80 } ?? false
    return """
      \(record.text("class")) \(record.text("edges")) \(record.text("relation")) \
      \(record["k"] == nil) \(type) \(isWide) \(isPolar)
      """
  }

  private static func records(of file: URL, under key: String) throws -> [Record] {
    let data = try Data(contentsOf: file)
    let all = try JSONSerialization.jsonObject(with: data) as? Record
    return all?[key] as? [Record] ?? []
  }

  /// The identifiers and locations of a data set, read once.
  static func points(_ name: String) throws -> [(id: String, point: GeoPoint)] {
    guard let folder else { return [] }
    return try cache.value(for: name) {
      let data = try Data(contentsOf: folder.appendingPathComponent("data/\(name).csv"))
      return parse([UInt8](data))
    }
  }

  private static let cache = Cache()

  private final class Cache: @unchecked Sendable {
    private let lock = NSLock()
    private var sets: [String: [(id: String, point: GeoPoint)]] = [:]

    func value(
      for name: String, _ make: () throws -> [(id: String, point: GeoPoint)]
    ) rethrows -> [(id: String, point: GeoPoint)] {
      lock.lock()
      defer { lock.unlock() }
      if let made = sets[name] { return made }
      let made = try make()
      sets[name] = made
      return made
    }
  }

  private static func parse(_ bytes: [UInt8]) -> [(id: String, point: GeoPoint)] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let names = fields(lines[0]).map { String(decoding: $0, as: UTF8.self) }
    guard let latitude = names.firstIndex(of: "lat"), let longitude = names.firstIndex(of: "lon")
    else { return [] }
    return lines.dropFirst().compactMap { line in
      let row = fields(line)
      guard let y = Double(String(decoding: row[latitude], as: UTF8.self)),
        let x = Double(String(decoding: row[longitude], as: UTF8.self)),
        let point = GeoPoint(latitude: y, longitude: x)
      else { return nil }
      return (String(decoding: row[0], as: UTF8.self), point)
    }
  }

  /// The fields of a line as bytes: in a String, a letter may combine with the comma before it.
  private static func fields(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var fields: [ArraySlice<UInt8>] = []
    var start = line.startIndex
    var isQuoted = false
    for index in line.indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard line[index] == UInt8(ascii: ","), !isQuoted else { continue }
      fields.append(line[start..<index])
      start = index + 1
    }
    return fields + [line[start...]]
  }
}

extension Truth.Record {
  func double(_ key: String) -> Double { (self[key] as? NSNumber)?.doubleValue ?? .nan }
  func doubles(_ key: String) -> [Double] {
    (self[key] as? [NSNumber])?.map(\.doubleValue) ?? []
  }
  func text(_ key: String) -> String { self[key] as? String ?? "" }

  /// A location as (longitude, latitude).
  func location(_ key: String) -> GeoPoint? { GeoPoint(pair: doubles(key)) }
}

extension GeoPoint {
  /// Creates a point from a pair with the longitude first, as in GeoJSON.
  init?(pair: [Double]) {
    guard pair.count >= 2 else { return nil }
    self.init(latitude: pair[1], longitude: pair[0])
  }
}

/// The polygons of nested GeoJSON coordinates.
func polygons(_ value: Any?) -> [[[GeoPoint]]] {
  (value as? [[[[NSNumber]]]] ?? []).map { rings in
    rings.map { $0.compactMap { GeoPoint(pair: $0.map(\.doubleValue)) } }
  }
}
