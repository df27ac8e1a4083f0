internal import CairnValues

/// RFC 7946 Features: one FeatureCollection, or one Feature a line.
///
/// The first location is the geometry, a number `altitude` the third coordinate; the other columns
/// are properties, and `id` is the Feature's id too: some readers know only the one, some the other.
struct GeoJSONEncoder: RowEncoder {
  private let isCollection: Bool
  private let location: Int
  private let id: Int?
  private let altitude: Int?
  private let properties: [(place: Int, key: String)]
  private var isFirst = true

  init(_ columns: [OutputColumn], isCollection: Bool) throws(OutputError) {
    self.isCollection = isCollection
    guard let location = columns.firstIndex(where: { $0.type == .point }) else {
      throw .noLocation
    }
    let id = columns.firstIndex { $0.name == "id" && [.int, .double, .string].contains($0.type) }
    let altitude = columns.firstIndex {
      $0.name == "altitude" && [.int, .double].contains($0.type)
    }
    properties = columns.indices.filter { $0 != location && $0 != altitude }
      .map { ($0, JSONText.key(columns[$0].name)) }
    self.location = location
    self.id = id
    self.altitude = altitude
  }

  func begin(_ sink: OutputSink) {
    if isCollection { sink.append("{\"type\":\"FeatureCollection\",\"features\":[") }
  }

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) {
    if isCollection { sink.append(isFirst ? "\n" : ",\n") }
    isFirst = false
    sink.append("{\"type\":\"Feature\"")
    if let id, !row[id].isNull {
      sink.append(",\"id\":")
      JSONText.append(row[id], to: sink)
    }
    sink.append(",\"geometry\":")
    appendGeometry(row, sink)
    sink.append(",\"properties\":{")
    appendProperties(row, sink)
    sink.append("}}")
    if !isCollection { sink.append("\n") }
  }

  private func appendGeometry(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) {
    guard case .point(let position) = row[location] else { return sink.append("null") }
    sink.append("{\"type\":\"Point\",\"coordinates\":[")
    sink.append(double: position.longitude)
    sink.append(",")
    sink.append(double: position.latitude)
    appendAltitude(row, position, sink)
    sink.append("]}")
  }

  private func appendAltitude(
    _ row: UnsafeBufferPointer<Cell>, _ position: Position, _ sink: OutputSink
  ) {
    if let altitude, !row[altitude].isNull {
      sink.append(",")
      JSONText.append(row[altitude], to: sink)
    } else if position.altitude != 0 {
      sink.append(",")
      sink.append(double: position.altitude)
    }
  }

  private func appendProperties(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) {
    for (index, property) in properties.enumerated() {
      if index > 0 { sink.append(",") }
      sink.append(property.key)
      JSONText.append(row[property.place], to: sink)
    }
  }

  func end(_ sink: OutputSink) {
    if isCollection { sink.append(isFirst ? "]}\n" : "\n]}\n") }
  }
}
