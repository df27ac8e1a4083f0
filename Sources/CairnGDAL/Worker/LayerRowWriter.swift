internal import CArrow
internal import CairnArrow
internal import CairnIO
internal import CairnParquet
import CairnSystem
internal import CairnValues

/// Writes the batches of a layer as messages. It runs in the process that reads with GDAL.
final class LayerRowWriter {
  /// The columns as the messages have them.
  private(set) var schema: LayerSchema
  /// The number of geometries that were converted: curves to lines, surfaces to polygons.
  private(set) var convertedGeometries = 0
  private let fields: [(field: ArrowField, child: Int)]
  private let values: [ColumnValues]
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
          type: field.columnType))
    }
    self.fields = kept
    values = self.schema.columns.map { ColumnValues($0.type) }
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
    for (index, (field, child)) in fields.enumerated() {
      guard child < batch.n_children, let array = batch.children?[child] else {
        throw LayerFailure("the column `\(field.name)` is missing in a batch")
      }
      if field.isDated, let times {
        append(times.times[timeColumn], to: message)
        timeColumn += 1
        continue
      }
      try read(field, array.pointee, Int(batch.offset)..<end, into: values[index])
      message.append(moving: values[index])
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
    do throws(ArrowError) {
      let numbers = try ArrowColumn(field, array.pointee)
      try numbers.requireRows(upTo: Int(batch.offset) + Int(batch.length))
      return numbers
    } catch { throw LayerFailure(error) }
  }

  private func append(_ times: [DateTimeReader.Time], to message: LayerMessage) {
    for time in times { message.append(time.mark.rawValue) }
    for time in times { message.append(time.seconds) }
  }

  /// Reads the values of rows, and converts geometries.
  private func read(
    _ field: ArrowField, _ array: cairn_arrow_array, _ rows: Range<Int>,
    into values: ColumnValues
  ) throws(LayerFailure) {
    let column: ArrowColumn
    do throws(ArrowError) {
      column = try ArrowColumn(field, array)
      try column.requireRows(upTo: rows.upperBound)
      guard field.isGeometry else {
        return try column.append(rows, as: field.columnType, to: values)
      }
    } catch { throw LayerFailure(error) }
    for row in rows {
      let wkb = column.position(row).map { column.bytes(at: $0) }
      guard let wkb, hasEmptyGeometries || !wkb.isEmpty else {
        values.appendNulls(1)
        continue
      }
      if try geometries.append(wkb, to: values.heap) { convertedGeometries += 1 }
      values.endValue()
      do throws(ParquetError) { try values.checkSize() } catch {
        throw LayerFailure("the column `\(field.name)` has more than 2 GB in some rows")
      }
    }
  }
}

extension LayerMessage {
  /// Moves all values of a column to the message, in the order that a batch reads.
  fileprivate func append(moving values: ColumnValues) {
    append(bytes: values.markBytes)
    if values.hasHeap { append(UInt64(values.heap.bytes.count)) }
    append(bytes: values.numberBytes)
    if values.hasHeap { append(bytes: values.heap.bytes) }
    values.removeAll()
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
    _ wkb: UnsafeRawBufferPointer, to heap: ColumnMemory
  ) throws(LayerFailure) -> Bool {
    if !swapsAxes, wkb.count >= 5, wkb[0] <= 1 {
      let word = wkb.loadUnaligned(fromByteOffset: 1, as: UInt32.self)
      let code = wkb[0] == 1 ? word.littleEndian : word.bigEndian
      if Self.plainKinds.contains((code & 0x0FFF_FFFF) % 1000) {
        heap.append(bytes: wkb)
        return false
      }
    }
    return try convert(wkb, to: heap)
  }

  private func convert(
    _ wkb: UnsafeRawBufferPointer, to heap: ColumnMemory
  ) throws(LayerFailure) -> Bool {
    var read: GDALLibrary.Handle?
    guard let base = wkb.baseAddress, wkb.count <= Int(Int32.max),
      library.readWKB(base, nil, &read, Int32(wkb.count)) == 0, let read
    else {
      // The reader of the message says what is wrong with the geometry.
      heap.append(bytes: wkb)
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
    let written = heap.appendSpace(size).assumingMemoryBound(to: UInt8.self)
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
