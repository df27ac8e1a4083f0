import CairnTestSupport
import Foundation

@testable import CairnGeometry

/// The objects of the classes of `truth/geometry`.
enum TruthClasses {
  typealias Object = (id: String, geometry: Geometry)

  private static let cache = Locked<[String: [Object]]>([:])

  /// The objects of a class that have a geometry with a vertex.
  static func objects(_ name: String) throws -> [Object] {
    if let known = cache.value[name] { return known }
    let classes = try json("truth/geometry/classes.json")
    let entry = classes[name] as? Truth.Record ?? [:]
    let (file, key) = (entry.text("file"), entry.text("key"))
    let objects: [Object]
    if file.hasSuffix(".csv") {
      objects = try Truth.points(String(file.dropLast(4))).map { row in
        var builder = GeometryBuilder()
        builder.begin(.point)
        builder.add(longitude: row.point.longitude, latitude: row.point.latitude)
        builder.end()
        return (row.id, builder.geometry())
      }
    } else {
      objects = try features(file).compactMap { feature in
        let properties = feature["properties"] as? Truth.Record ?? [:]
        guard let id = properties[key] ?? feature[key],
          let geometry = Geometry(json: feature["geometry"]), !geometry.isEmpty
        else { return nil }
        return ("\(id)", geometry)
      }
    }
    cache.withLock { $0[name] = objects }
    return objects
  }

  /// The objects of a class that may or may not be found.
  static func unsure(_ name: String) throws -> [String] {
    let entry = try json("truth/geometry/classes.json")[name] as? Truth.Record
    return entry?["either"] as? [String] ?? []
  }

  /// The geometry of a shape of the truth: written out, or a feature of a data file.
  static func shape(_ value: Any?) throws -> Geometry? {
    guard let shape = value as? Truth.Record else { return nil }
    guard let reference = shape["ref"] as? Truth.Record else {
      return Geometry(json: shape["geometry"])
    }
    let (key, wanted) = (reference.text("key"), reference["value"].map { "\($0)" })
    let feature = try features(reference.text("file")).first { feature in
      let properties = feature["properties"] as? Truth.Record ?? [:]
      return (properties[key] ?? feature[key]).map { "\($0)" } == wanted
    }
    return Geometry(json: feature?["geometry"])
  }

  private static let files = Locked<[String: UncheckedTransfer<[Truth.Record]>]>([:])

  private static func features(_ file: String) throws -> [Truth.Record] {
    if let known = files.value[file] { return known.value }
    let all = try json("data/\(file)")["features"] as? [Truth.Record] ?? []
    let transfer = UncheckedTransfer(all)
    files.withLock { $0[file] = transfer }
    return all
  }

  private static func json(_ path: String) throws -> Truth.Record {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(SharedData.root ?? "")/\(path)"))
    return try JSONSerialization.jsonObject(with: data) as? Truth.Record ?? [:]
  }
}
