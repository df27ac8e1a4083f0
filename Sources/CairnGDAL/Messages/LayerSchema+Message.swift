internal import CairnIO

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
    self.init(name: try reader.takeText())
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
