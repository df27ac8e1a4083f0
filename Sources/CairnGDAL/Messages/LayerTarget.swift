internal import CairnGeometry
internal import CairnIO
internal import CairnValues

/// The layer that a process writes, as the first message describes it.
struct LayerTarget: Equatable {
  /// The columns; that of the geometries is the last one.
  var schema: LayerSchema
  /// Whether the numbers of each column are of single precision.
  var singles: [Bool]

  func append(to message: LayerMessage) {
    message.append(UInt32(singles.count))
    for single in singles { message.append(UInt8(single ? 1 : 0)) }
    schema.append(to: message)
  }

  init(schema: LayerSchema, singles: [Bool]) {
    self.schema = schema
    self.singles = singles
  }

  init(_ bytes: UnsafeRawBufferPointer) throws(LayerMessageReader.Damage) {
    var reader = LayerMessageReader(bytes)
    let count = try reader.takeCount()
    singles = try reader.take(count: count).map { $0 != 0 }
    schema = try LayerSchema(
      UnsafeRawBufferPointer(rebasing: bytes[(4 + count)...]))
    guard schema.columns.count == count, schema.columns.last?.type == .geometry else {
      throw LayerMessageReader.Damage()
    }
  }
}

/// The kinds of the geometries of a layer, and whether some have altitudes.
struct GeometryCensus {
  /// A bit for each kind that occurs.
  private var kinds: UInt16 = 0
  private(set) var hasAltitudes = false

  mutating func add(_ kind: Geometry.Kind, hasAltitudes: Bool) {
    kinds |= 1 << UInt16(kind.rawValue)
    if hasAltitudes { self.hasAltitudes = true }
  }

  mutating func add(_ view: GeometryView) { add(view.kind, hasAltitudes: view.hasAltitudes) }

  /// The kinds that occur.
  private var found: [Geometry.Kind] {
    (1...7).filter { kinds & 1 << UInt16($0) != 0 }.compactMap { Geometry.Kind(rawValue: $0) }
  }

  /// The bit of OGR's numbers for kinds of geometries with altitudes.
  private static let altitudeBit = Int32.min

  /// OGR's number for the kind of all geometries, or for geometries of any kind.
  ///
  /// - Parameter family: The family of the rows, in formats that hold one.
  func layerType(_ format: LayerFormat, family: GeometryFamily?) -> Int32 {
    let kind: Int32 =
      switch (format, family) {
      case (.shp, .point): 1
      case (.shp, .line): 2
      case (.shp, .polygon): 3
      case (.shp, .multiPoint): 4
      // Tracks are MultiLineStrings, and lines are routes.
      case (.gpx, .line): 5
      case (.gpx, _): 1
      default: found.count == 1 ? Int32(found[0].rawValue) : 0
      }
    return kind | (hasAltitudes && format.declaresAltitudes ? Self.altitudeBit : 0)
  }
}
