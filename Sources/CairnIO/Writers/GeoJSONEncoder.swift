internal import CairnValues

/// RFC 7946 Features: one FeatureCollection, or one Feature on each line.
///
/// The first location or geometry is that of the Feature, and a number `altitude` the third
/// coordinate of a location. The other columns are properties; further geometries are GeoJSON
/// objects there. `id` is also the Feature's id, because some readers use only the one and
/// some only the other.
///
/// Coordinates in a system other than WGS 84 are outside RFC 7946. The collection then has the
/// member `crs` of GeoJSON's first edition, which many programs still read. With a ``FeatureStyle``,
/// the caller names the id and the geometry, and states the system elsewhere.
struct GeoJSONEncoder: RowEncoder {
  private let isCollection: Bool
  private let urn: String?
  private let location: Int?
  private let id: Int?
  private let altitude: Int?
  private let properties: [(column: Int, key: String)]
  private let members: String
  private var isFirst = true

  init(
    _ columns: [OutputColumn], isCollection: Bool, system: OutputSystem?
  ) throws(OutputError) {
    self.isCollection = isCollection
    members = ""
    urn = try Self.urn(system, isCollection: isCollection)
    guard let location = columns.firstIndex(where: \.isSpatial) else { throw .noLocation }
    let id = columns.firstIndex { $0.name == "id" && [.int, .double, .string].contains($0.type) }
    let altitude =
      columns[location].type != .point
      ? nil
      : columns.firstIndex { $0.name == "altitude" && [.int, .double].contains($0.type) }
    properties = columns.indices.filter { $0 != location && $0 != altitude }
      .map { ($0, JSONText.key(columns[$0].name)) }
    self.location = location
    self.id = id
    self.altitude = altitude
  }

  init(_ columns: [OutputColumn], isCollection: Bool, style: FeatureStyle) {
    self.isCollection = isCollection
    members = style.members
    urn = nil
    location = style.geometry
    id = style.id
    altitude = nil
    properties = columns.indices.filter { $0 != style.geometry && $0 != style.id }
      .map { ($0, JSONText.key(columns[$0].name)) }
  }

  /// Returns the name of the system if the output must contain it.
  private static func urn(
    _ system: OutputSystem?, isCollection: Bool
  ) throws(OutputError) -> String? {
    guard let system, !system.isWGS84 else { return nil }
    guard isCollection else {
      throw .unnamedSystem(
        "one Feature on each line cannot name a system other than WGS 84; choose geojson or csv")
    }
    guard let urn = system.urn else {
      throw .unnamedSystem(
        "GeoJSON names a coordinate system only by its code, as in EPSG:27700; "
          + "give that, or choose csv"
      )
    }
    return urn
  }

  var areRowsIndependent: Bool { true }

  func begin(_ sink: OutputSink) {
    guard isCollection else { return }
    sink.append("{\"type\":\"FeatureCollection\",")
    sink.append(members)
    if let urn {
      sink.append("\"crs\":{\"type\":\"name\",\"properties\":{\"name\":")
      JSONText.append(string: urn, to: sink)
      sink.append("}},")
    }
    sink.append("\"features\":[")
  }

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    if isCollection { sink.append(isFirst ? "\n" : ",\n") }
    isFirst = false
    sink.append("{\"type\":\"Feature\"")
    if let id, !row[id].isNull {
      sink.append(",\"id\":")
      JSONText.append(row[id], to: sink)
    }
    sink.append(",")
    if !isCollection { sink.append(members) }
    sink.append("\"geometry\":")
    appendGeometry(row, sink: sink)
    sink.append(",\"properties\":{")
    appendProperties(row, sink: sink)
    sink.append("}}")
    if !isCollection { sink.append("\n") }
  }

  private func appendGeometry(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    switch location.map({ row[$0] }) ?? .null {
    case .point(let position):
      append(row, x: position.longitude, y: position.latitude, own: position.altitude, sink: sink)
    case .projected(let x, let y, let altitude): append(row, x: x, y: y, own: altitude, sink: sink)
    case .geometry(let geometry): GeoJSONText.append(geometry, to: sink)
    default: sink.append("null")
    }
  }

  private func append(
    _ row: UnsafeBufferPointer<Cell>, x: Double, y: Double, own: Double, sink: OutputSink
  ) {
    sink.append("{\"type\":\"Point\",\"coordinates\":[")
    sink.append(double: x)
    sink.append(",")
    sink.append(double: y)
    appendAltitude(row, own: own, sink: sink)
    sink.append("]}")
  }

  private func appendAltitude(
    _ row: UnsafeBufferPointer<Cell>, own: Double, sink: OutputSink
  ) {
    if let altitude, !row[altitude].isNull {
      sink.append(",")
      JSONText.append(row[altitude], to: sink)
    } else if own != 0 {
      sink.append(",")
      sink.append(double: own)
    }
  }

  private func appendProperties(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    for (index, property) in properties.enumerated() {
      if index > 0 { sink.append(",") }
      sink.append(property.key)
      JSONText.append(row[property.column], to: sink)
    }
  }

  func end(_ sink: OutputSink) {
    if isCollection { sink.append(isFirst ? "]}\n" : "\n]}\n") }
  }
}
