internal import CArrow
internal import CairnIO
import CairnSystem
internal import CairnValues

/// Writes the batches of a layer as messages. It runs in the process that reads with GDAL.
final class LayerRowWriter {
  /// The columns as the messages have them.
  private(set) var schema: LayerSchema
  /// The number of geometries that were converted: curves to lines, surfaces to polygons.
  private(set) var convertedGeometries = 0
  private let fields: [(field: ArrowField, child: Int)]
  private let geometries: GeometryConverter
  private let hasEmptyGeometries: Bool
  private let times: DateTimeReader?
  /// The column of row numbers, and its index.
  private let identifiers: (field: ArrowField, child: Int)?
  private var firstRow = 0

  /// The name of the row numbers of a file that has none.
  private static let ownIdentifier = "OGC_FID"

  /// - Parameters:
  ///   - identifier: The column of row numbers; nil if the file has none.
  ///   - hasEmptyGeometries: Whether zero bytes mean a geometry that GDAL could not write. They mean
  ///     null in streams of FlatGeobuf, which never mark geometries as null.
  init(
    _ fields: [ArrowField], identifier: String?, schema: LayerSchema, library: GDALLibrary,
    swapsAxes: Bool, hasEmptyGeometries: Bool,
    times: DateTimeReader?
  ) {
    self.schema = schema
    self.times = times
    self.hasEmptyGeometries = hasEmptyGeometries
    geometries = GeometryConverter(library: library, swapsAxes: swapsAxes)
    // A selection of all rows has lost the name.
    let number = [identifier, Self.ownIdentifier].compactMap { $0 }.lazy.compactMap { name in
      fields.firstIndex { $0.name == name && $0.type == .int(size: 8, isSigned: true) }
    }.first
    identifiers = number.map { (fields[$0], $0) }
    var kept: [(ArrowField, Int)] = []
    // Esri JSON lists the row numbers among the columns too.
    let isListed = number.map { number in
      fields.indices.contains { $0 != number && fields[$0].name == fields[number].name }
    }
    let omitted = identifier == nil || isListed == true ? number : nil
    for (index, field) in fields.enumerated() where index != omitted {
      if field.isGeometry, kept.contains(where: { $0.0.isGeometry }) {
        self.schema.otherGeometries.append(field.name)
        continue
      }
      kept.append((field, index))
      self.schema.columns.append(
        LayerSchema.Column(
          name: index == number ? identifier ?? field.name : field.name,
          type: field.isGeometry ? .geometry : field.type.columnType))
    }
    self.fields = kept
  }

  /// Appends the rows of a batch to an empty message.
  func append(_ batch: cairn_arrow_array, to message: LayerMessage) throws(LayerFailure) {
    let count = Int(batch.length)
    guard count >= 0, count <= Int(UInt32.max), batch.offset >= 0 else {
      throw LayerFailure("a batch is too long")
    }
    let end = Int(batch.offset) + count
    message.append(UInt64(firstRow))
    message.append(UInt32(count))
    try times?.read(count, numbers: identifiers(in: batch), from: Int(batch.offset))
    var timeColumn = 0
    for ((field, child), column) in zip(fields, schema.columns) {
      guard child < batch.n_children, let array = batch.children?[child] else {
        throw LayerFailure("the column `\(field.name)` is missing in a batch")
      }
      if field.isDated, let times {
        append(times.times[timeColumn], to: message)
        timeColumn += 1
        continue
      }
      let values = try ArrowColumn(field, array.pointee)
      try values.requireRows(upTo: end)
      try append(
        values, as: column.type, from: Int(batch.offset), count: count, to: message)
      guard message.count <= LayerMessageHeader.longest else {
        throw LayerFailure("\(count) rows have more than 2 GB")
      }
    }
    firstRow += count
  }

  private func identifiers(in batch: cairn_arrow_array) throws(LayerFailure) -> ArrowColumn? {
    guard let (field, child) = identifiers, child < batch.n_children,
      let array = batch.children?[child]
    else { return nil }
    let numbers = try ArrowColumn(field, array.pointee)
    try numbers.requireRows(upTo: Int(batch.offset) + Int(batch.length))
    return numbers
  }

  private func append(_ times: [DateTimeReader.Time], to message: LayerMessage) {
    for time in times { message.append(time.mark.rawValue) }
    for time in times { message.append(time.seconds) }
  }

  private func append(
    _ column: ArrowColumn, as type: LayerColumnType, from first: Int, count: Int,
    to message: LayerMessage
  ) throws(LayerFailure) {
    let nulls = message.appendSpace(count)
    memset(nulls, 0, count)
    let nullsAt = message.count - count
    switch type {
    case .int:
      try appendNumbers(column, first, count, nullsAt, message) {
        (column, position) throws(LayerFailure) in
        try column.int(at: position)
      }
    case .double:
      try appendNumbers(column, first, count, nullsAt, message) { $0.double(at: $1) }
    case .date: try appendNumbers(column, first, count, nullsAt, message) { $0.date(at: $1) }
    case .bool:
      try appendNumbers(column, first, count, nullsAt, message) { $0.bool(at: $1) ? UInt8(1) : 0 }
    case .text where !column.hasBytes:
      try appendBytes(column, first, count, nullsAt, message) {
        (column, position) throws(LayerFailure) in
        let text = Array(try column.text(at: position).utf8)
        text.withUnsafeBytes { message.append(bytes: $0) }
      }
    case .text, .data:
      try appendBytes(column, first, count, nullsAt, message) { column, position in
        message.append(bytes: column.bytes(at: position))
      }
    case .geometry:
      try appendBytes(column, first, count, nullsAt, message, emptyIsNull: !hasEmptyGeometries) {
        [geometries] (column, position) throws(LayerFailure) in
        if try geometries.append(column.bytes(at: position), to: message) {
          convertedGeometries += 1
        }
      }
    }
  }

  /// Appends a number for each row, and marks the nulls.
  @inline(__always)
  private func appendNumbers<T: BitwiseCopyable & Numeric>(
    _ column: ArrowColumn, _ first: Int, _ count: Int, _ nulls: Int, _ message: LayerMessage,
    value: (ArrowColumn, Int) throws(LayerFailure) -> T
  ) throws(LayerFailure) {
    for row in first..<first + count {
      if let position = column.position(row) {
        message.append(try value(column, position))
      } else {
        message.set(LayerMark.null.rawValue, at: nulls + row - first)
        message.append(T.zero)
      }
    }
  }

  /// Appends the size of all bytes, the end of the bytes of each row, and the bytes.
  @inline(__always)
  private func appendBytes(
    _ column: ArrowColumn, _ first: Int, _ count: Int, _ nulls: Int, _ message: LayerMessage,
    emptyIsNull: Bool = false, value: (ArrowColumn, Int) throws(LayerFailure) -> Void
  ) throws(LayerFailure) {
    let head = message.count
    _ = message.appendSpace(8 + 4 * count)
    let start = message.count
    for row in first..<first + count {
      if let position = column.position(row), !emptyIsNull || !column.bytes(at: position).isEmpty {
        try value(column, position)
      } else {
        message.set(LayerMark.null.rawValue, at: nulls + row - first)
      }
      guard message.count - start <= LayerMessageHeader.longest else {
        throw LayerFailure("the column `\(column.field.name)` has more than 2 GB in some rows")
      }
      message.set(UInt32(message.count - start), at: head + 8 + 4 * (row - first))
    }
    message.set(UInt64(message.count - start), at: head)
  }
}

extension ArrowColumn {
  /// Whether the buffers hold the bytes of each text.
  fileprivate var hasBytes: Bool {
    if case .text = field.type { true } else { false }
  }
}

/// Converts geometries that have no counterpart among points, lines and polygons.
private final class GeometryConverter {
  private let library: GDALLibrary
  private let swapsAxes: Bool

  init(library: GDALLibrary, swapsAxes: Bool) {
    self.library = library
    self.swapsAxes = swapsAxes
  }

  /// The kinds of geometry in WKB that need no conversion: points, lines, polygons, and several of
  /// each.
  private static let plainKinds: ClosedRange<UInt32> = 1...6

  /// Appends WKB of a geometry without curves. Returns whether it was converted.
  @inline(__always)
  func append(
    _ wkb: UnsafeRawBufferPointer, to message: LayerMessage
  ) throws(LayerFailure) -> Bool {
    if !swapsAxes, wkb.count >= 5, wkb[0] <= 1 {
      let word = wkb.loadUnaligned(fromByteOffset: 1, as: UInt32.self)
      let code = wkb[0] == 1 ? word.littleEndian : word.bigEndian
      if Self.plainKinds.contains((code & 0x0FFF_FFFF) % 1000) {
        message.append(bytes: wkb)
        return false
      }
    }
    return try convert(wkb, to: message)
  }

  private func convert(
    _ wkb: UnsafeRawBufferPointer, to message: LayerMessage
  ) throws(LayerFailure) -> Bool {
    var read: GDALLibrary.Handle?
    guard let base = wkb.baseAddress, wkb.count <= Int(Int32.max),
      library.readWKB(base, nil, &read, Int32(wkb.count)) == 0, let read
    else {
      // The reader of the message says what is wrong with the geometry.
      message.append(bytes: wkb)
      return false
    }
    var geometry = read
    defer { library.destroyGeometry(geometry) }
    if let linear = library.linearized(read, 0, nil) {
      library.destroyGeometry(read)
      geometry = linear
    }
    if Self.isSurface(wkb), let polygons = library.forceMultiPolygon(geometry) {
      geometry = polygons
    }
    if swapsAxes { library.swapAxes(geometry) }
    let size = Int(library.sizeOfWKB(geometry))
    let written = message.appendSpace(size).assumingMemoryBound(to: UInt8.self)
    guard library.writeWKB(geometry, 1, written) == 0 else {
      throw LayerFailure("GDAL cannot write a geometry as WKB")
    }
    let isSame = size == wkb.count && memcmp(written, base, size) == 0
    return !swapsAxes && !isSame
  }

  /// Whether WKB holds a polyhedral surface, a TIN or a triangle.
  private static func isSurface(_ wkb: UnsafeRawBufferPointer) -> Bool {
    guard wkb.count >= 5 else { return false }
    let word = wkb.loadUnaligned(fromByteOffset: 1, as: UInt32.self)
    let code = wkb[0] == 1 ? word.littleEndian : word.bigEndian
    return (15...17).contains((code & 0x0FFF_FFFF) % 1000)
  }
}
