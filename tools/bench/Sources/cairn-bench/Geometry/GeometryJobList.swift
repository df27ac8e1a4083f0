import Cairn
import Foundation

/// A file of geometry jobs.
struct GeometryJobList {
  let queries: Queries
  /// The seconds that no query may take.
  let limit: Double
  let jobs: [GeometryJob]

  init(contentsOf path: String) throws {
    struct File: Decodable {
      let queries: String
      let timeout_s: Double?
      let jobs: [GeometryJob]
    }
    let url = URL(fileURLWithPath: path)
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
    queries = try Queries(contentsOf: URL(fileURLWithPath: file.queries, relativeTo: url).path)
    limit = file.timeout_s ?? 300
    jobs = file.jobs
  }
}

/// A job of a geometry jobs file: an operation and what it needs.
struct GeometryJob: Decodable {
  let label: String
  let op: String
  let `class`: String?
  let shapes: String?
  let metres: Double?
  let degrees: Double?
  let metric: String?
  let k: Int?
  let n: Int?
  let left: String?
  let right: String?
  let centre: [Double]?
  let box: [Double]?
  let limit: Int?

  /// The value of a field that the operation needs.
  func need<Value>(_ field: KeyPath<GeometryJob, Value?>, named name: String) throws -> Value {
    guard let value = self[keyPath: field] else {
      throw Mistake(description: "the job has no '\(name)'")
    }
    return value
  }

  /// The radius in metres on the sphere; nil if the job measures degrees of longitude and latitude.
  var radius: Distance? { metres.flatMap(Distance.meters) }
}

/// A job that Cairn has no query for.
struct NotApplicable: Error {
  let reason: String

  static let degrees = NotApplicable(reason: "distances are measured on the sphere")
}

extension Queries {
  /// The boxes or polygons at a path, such as `boxes/1`.
  func areas(_ path: String) throws -> [any GeoShape] {
    let parts = path.split(separator: "/").map(String.init)
    switch (parts.first, parts.last) {
    case ("boxes", let name?): return try boxes(width: name)
    case ("polygons", let name?): return try polygons(name, .planar)
    default: throw Mistake(description: "no shapes at '\(path)'")
    }
  }
}
