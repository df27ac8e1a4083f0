internal import CairnGeometry
internal import CairnIO
internal import CairnStorage
internal import CairnValues

/// The rows of a file that GDAL writes: batches by column, for the process that runs GDAL.
///
/// The first location or geometry is that of the feature, and a number `altitude` the third
/// coordinate of a location, as in GeoJSON. Further geometries are well-known text, and values that
/// the format has no type for are the text that CSV has.
struct LayerEncoder: RowEncoder {
  private let format: LayerFormat
  private let columns: [OutputColumn]
  private let location: Int
  private let altitude: AltitudeColumn?
  /// The columns other than the geometry, as indices of cells.
  private let fields: [Int]
  private let buffers: [ColumnBuffer]
  private let geometries: ColumnBuffer
  private var target: LayerTarget
  private let nameNote: String?
  private var census = GeometryCensus()
  /// The family of all geometries so far, in formats that hold one.
  private var family: GeometryFamily?
  private var hasBegun = false
  private var hasPrepared = false
  private var rowCount = 0
  private var firstRow = 0
  private let message = LayerMessage()
  private var wkb: [UInt8] = []

  /// The most rows and the usual bytes of a batch.
  private static let batchRows = 16384
  private static let batchBytes = 8 << 20

  init(
    _ columns: [OutputColumn], format: LayerFormat, system: OutputSystem?
  ) throws(OutputError) {
    guard let location = columns.firstIndex(where: \.isSpatial) else { throw .noLocation }
    if format.isInDegrees, let system, !system.isWGS84 {
      throw .unnamedSystem(
        "\(format.title) holds only degrees of WGS 84; choose gpkg, fgb, shp or csv")
    }
    self.format = format
    self.columns = columns
    self.location = location
    let altitude = format == .gpx ? nil : AltitudeColumn(columns, location: location)
    self.altitude = altitude
    fields = columns.indices.filter { $0 != location && $0 != altitude?.index }
    let layout = LayerLayout(
      columns, fields: fields, geometry: columns[location].name, format: format)
    var schema = LayerSchema(name: "")
    schema.system = system?.definition ?? "EPSG:4326"
    schema.columns = layout.columns
    target = LayerTarget(
      schema: schema,
      singles: fields.map { columns[$0].type == .float && !format.holdsOnlyTexts } + [false])
    nameNote = layout.note
    buffers = layout.columns.dropLast().map { ColumnBuffer($0.type) }
    geometries = ColumnBuffer(.geometry)
    if columns[location].type == .point {
      census.add(.point, hasAltitudes: altitude != nil)
      hasPrepared = true
    }
  }

  mutating func begin(_ sink: OutputSink) {
    if let nameNote { sink.process?.note(nameNote) }
  }

  /// Looks at all geometries of the column, whose kinds the file says before its first row.
  mutating func prepare(for table: Table, index: Int) {
    guard !hasPrepared, columns[location].table == index,
      case .stored(let position) = columns[location].source
    else { return }
    hasPrepared = true
    let column = table.column(position)
    for number in 0..<table.chunkCount {
      let chunk = column.chunk(number)
      for row in 0..<ChunkShape.rows
      where number * ChunkShape.rows + row < table.endKey
        && table.isLive(number * ChunkShape.rows + row) && !chunk.isNull(row)
      {
        census.add(chunk.geometry(at: row))
      }
    }
  }

  mutating func encode(
    _ row: UnsafeBufferPointer<Cell>, sink: OutputSink
  ) throws(OutputError) {
    try appendGeometry(row)
    for (index, cell) in fields.enumerated() {
      guard buffers[index].append(row[cell]) else {
        throw .file(
          .data,
          "row \(firstRow + rowCount + 1): `\(columns[cell].name)` has a value of another type than "
            + "its column, which \(format.title) cannot hold; choose csv or json")
      }
    }
    rowCount += 1
    let isFull =
      rowCount == Self.batchRows || geometries.size > Self.batchBytes
      || rowCount & 7 == 0 && size > Self.batchBytes
    if isFull { try send(to: sink) }
  }

  private var size: Int { buffers.reduce(geometries.size) { $0 + $1.size } }

  mutating func end(_ sink: OutputSink) throws(OutputError) {
    try send(to: sink)
    message.removeAll()
    sink.append(message.sealed(as: .end))
  }

  /// Sends the rows, and before the first ones the description of the layer.
  private mutating func send(to sink: OutputSink) throws(OutputError) {
    if !hasBegun {
      hasBegun = true
      target.schema.geometryType = census.layerType(format, family: family)
      message.removeAll()
      target.append(to: message)
      sink.append(message.sealed(as: .schema))
    }
    guard rowCount > 0 else { return }
    message.removeAll()
    message.append(UInt64(firstRow))
    message.append(UInt32(rowCount))
    for buffer in buffers + [geometries] { message.append(moving: buffer) }
    guard message.count <= LayerMessageHeader.longest else {
      throw .file(.data, "\(rowCount) rows have more than 2 GB")
    }
    sink.append(message.sealed(as: .rows))
    try sink.flush()
    firstRow += rowCount
    rowCount = 0
  }
}

// Geometries.
extension LayerEncoder {
  private mutating func appendGeometry(_ row: UnsafeBufferPointer<Cell>) throws(OutputError) {
    switch row[location] {
    case .point(let position):
      try appendPoint(
        row, x: position.longitude, y: position.latitude, own: position.altitude)
    case .projected(let x, let y, let own): try appendPoint(row, x: x, y: y, own: own)
    case .geometry(let geometry):
      wkb.removeAll(keepingCapacity: true)
      let kind = geometry.withView { view in
        view.appendWKB(to: &wkb)
        if !hasBegun { census.add(view) }
        return view.kind
      }
      try check(kind)
      wkb.withUnsafeBytes { geometries.append(bytes: $0) }
    default:
      guard !format.needsEveryLocation else {
        throw .file(
          .data,
          "row \(firstRow + rowCount + 1) has no location, which \(format.title) needs; leave such "
            + "rows out with the condition `\(columns[location].name) != nil`")
      }
      geometries.appendNull()
    }
  }

  private mutating func appendPoint(
    _ row: UnsafeBufferPointer<Cell>, x: Double, y: Double, own: Double
  ) throws(OutputError) {
    try check(.point)
    var z: Double? = own == 0 ? nil : own
    if let value = altitude?.value(in: row, of: location) { z = value }
    if z == nil, census.hasAltitudes, format == .fgb { z = .nan }
    if z?.isNaN == true, format != .fgb { z = nil }
    geometries.append(x: x, y: y, z: z)
  }

  /// Throws if the format cannot hold a geometry, or not with those before.
  private mutating func check(_ kind: Geometry.Kind) throws(OutputError) {
    guard format.holdsOneFamily else { return }
    let found = GeometryFamily(kind)
    if let objection = format.objection(to: found) {
      throw .file(.data, "row \(firstRow + rowCount + 1) is \(objection)")
    }
    guard let family else { return family = found }
    guard family == found else {
      throw .file(
        .data,
        "row \(firstRow + rowCount + 1): a \(format.title) holds geometries of one kind, and the "
          + "rows are \(family.rawValue) and \(found.rawValue); choose gpkg, or write each kind to a "
          + "file of its own")
    }
  }
}

/// The names and types of the columns of a layer.
private struct LayerLayout {
  /// The columns; that of the geometries is the last one.
  let columns: [LayerSchema.Column]
  /// The changed names in words; nil if none has changed.
  let note: String?

  init(
    _ columns: [OutputColumn], fields: [Int], geometry: String, format: LayerFormat
  ) {
    var names = LayerNames(format)
    // The column of a geometry has a name only in some formats, where it is the first one.
    let keepsName = format == .gpkg
    if keepsName { names.add(geometry) }
    for field in fields {
      let column = columns[field]
      if format == .gpx, column.name == "altitude", column.type.isNumeric,
        !fields.contains(where: { columns[$0].name == "ele" })
      {
        names.add("ele")
      } else {
        names.add(
          column.name, isReserved: format == .gpx && GPXFields.differs(column))
      }
    }
    let (first, rest) = (names.names.first ?? "", names.names.dropFirst(keepsName ? 1 : 0))
    self.columns =
      zip(rest, fields).map { name, field in
        LayerSchema.Column(name: name, type: format.columnType(columns[field].type))
      } + [LayerSchema.Column(name: keepsName ? first : "", type: .geometry)]
    note = names.note
  }
}

/// The elements that GPX defines for points and tracks.
private enum GPXFields {
  private static let numbers: Set = [
    "ele", "magvar", "geoidheight", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid",
    "number",
  ]

  /// Whether GPX defines an element of that name with values of another type.
  static func differs(_ column: OutputColumn) -> Bool {
    let name = column.name.lowercased()
    return numbers.contains(name) ? !column.type.isNumeric : name == "time" && column.type != .date
  }
}
