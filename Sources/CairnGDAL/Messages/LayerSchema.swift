internal import CairnGeometry

/// A layer of a file, as a list of layers shows it.
package struct LayerSummary: Sendable, Equatable {
  /// The name of the layer.
  package let name: String
  /// The number of its rows; nil if counting them would take long.
  package let count: Int?
  /// Whether its rows have geometries.
  package let hasGeometry: Bool
}

/// The type of a column of a layer.
enum LayerColumnType: UInt8, Sendable {
  case int = 1
  case double
  case bool
  /// Seconds since 2001-01-01T00:00:00Z, or since then in local time.
  case date
  case text
  case data
  /// Geometries in WKB.
  case geometry
}

/// The columns of a layer.
struct LayerSchema: Sendable, Equatable {
  /// A column.
  struct Column: Sendable, Equatable {
    let name: String
    let type: LayerColumnType
  }

  let name: String
  var columns: [Column] = []
  /// The number of rows; nil if it is not known.
  var count: Int?
  /// The number that OGR gives to the kind of the geometries.
  var geometryType: Int32 = 0
  /// The coordinate system: a code, or WKT; nil if the file does not say.
  var system: String?
  /// The columns of further geometries, which are not read.
  var otherGeometries: [String] = []
  /// Whether the file says that its source has more rows.
  var isPart = false

  init(name: String) { self.name = name }

  /// The index of the column of geometries.
  var geometry: Int? { columns.firstIndex { $0.type == .geometry } }

  /// The kind of the geometries without dimensions: 1 for points, 0 if the layer mixes kinds.
  var plainGeometryType: Int32 { (geometryType & 0x0FFF_FFFF) % 1000 }

  /// Whether the positions have measures.
  var hasMeasures: Bool { (geometryType & 0x0FFF_FFFF) / 1000 >= 2 }
}

// As a message.
extension LayerSchema {
  func append(to message: LayerMessage) {
    message.append(text: name)
    message.append(Int64(count ?? -1))
    message.append(geometryType)
    message.append(text: system ?? "")
    message.append(UInt32(columns.count))
    for column in columns {
      message.append(text: column.name)
      message.append(column.type.rawValue)
    }
    message.append(UInt32(otherGeometries.count))
    for name in otherGeometries { message.append(text: name) }
    message.append(UInt8(isPart ? 1 : 0))
  }

  init(_ bytes: UnsafeRawBufferPointer) throws(LayerMessageReader.Damage) {
    var reader = LayerMessageReader(bytes)
    name = try reader.takeText()
    let count = try reader.take(Int64.self)
    self.count = count < 0 ? nil : Int(count)
    geometryType = try reader.take()
    let system = try reader.takeText()
    self.system = system.isEmpty ? nil : system
    for _ in 0..<(try reader.takeCount()) {
      let name = try reader.takeText()
      guard let type = LayerColumnType(rawValue: try reader.take()) else {
        throw LayerMessageReader.Damage()
      }
      columns.append(Column(name: name, type: type))
    }
    for _ in 0..<(try reader.takeCount()) { otherGeometries.append(try reader.takeText()) }
    isPart = try reader.take(UInt8.self) != 0
    guard reader.isAtEnd, columns.count(where: { $0.type == .geometry }) <= 1 else {
      throw LayerMessageReader.Damage()
    }
  }
}

extension LayerSummary {
  func append(to message: LayerMessage) {
    message.append(text: name)
    message.append(Int64(count ?? -1))
    message.append(UInt8(hasGeometry ? 1 : 0))
  }

  static func list(
    _ bytes: UnsafeRawBufferPointer
  ) throws(LayerMessageReader.Damage) -> [LayerSummary] {
    var reader = LayerMessageReader(bytes)
    var layers: [LayerSummary] = []
    while !reader.isAtEnd {
      let name = try reader.takeText()
      let count = try reader.take(Int64.self)
      layers.append(
        LayerSummary(
          name: name, count: count < 0 ? nil : Int(count),
          hasGeometry: try reader.take(UInt8.self) != 0))
    }
    return layers
  }
}
