import Foundation

@testable import CairnGeometry

/// Answers computed by other tools, where they lie beside the repository; empty where they do not.
enum Truth {
  typealias Record = [String: Any]

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let folder: URL? = {
    let given = ProcessInfo.processInfo.environment["CAIRN_SHARED"].map(URL.init(fileURLWithPath:))
    return [given, root.deletingLastPathComponent().appendingPathComponent("shared")]
      .compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static var isThere: Bool { folder != nil }

  /// The records of a file of answers.
  static func records(_ name: String, under key: String = "items") throws -> [Record] {
    guard let folder else { return [] }
    return try records(of: folder.appendingPathComponent("truth/\(name).json"), under: key)
  }

  /// The records of a file of answers that is part of the repository.
  static func kept(_ name: String, under key: String) throws -> [Record] {
    try records(of: root.appendingPathComponent("data/truth/\(name).json"), under: key)
  }

  private static func records(of file: URL, under key: String) throws -> [Record] {
    let data = try Data(contentsOf: file)
    let all = try JSONSerialization.jsonObject(with: data) as? Record
    return all?[key] as? [Record] ?? []
  }

  /// A data set: its identifiers and places, read once.
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

  /// The fields of a line by bytes: a letter may combine with the comma before it.
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

  /// A place as (longitude, latitude).
  func place(_ key: String) -> GeoPoint? { GeoPoint(pair: doubles(key)) }
}

extension GeoPoint {
  /// Longitude first, as GeoJSON has it.
  init?(pair: [Double]) {
    guard pair.count >= 2 else { return nil }
    self.init(latitude: pair[1], longitude: pair[0])
  }
}

/// Polygons as GeoJSON nests them.
func polygons(_ value: Any?) -> [[[GeoPoint]]] {
  (value as? [[[[NSNumber]]]] ?? []).map { rings in
    rings.map { $0.compactMap { GeoPoint(pair: $0.map(\.doubleValue)) } }
  }
}
