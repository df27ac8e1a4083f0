internal import CairnIO
import CairnSystem
internal import CairnValues

/// Writes the rows of batches as features of a layer.
final class FeatureWriter {
  /// Notes for the reader of the file.
  var notes: [String] {
    [
      count(roundedTimes, "times were rounded to milliseconds"),
      count(roundedNumbers, "numbers were rounded to the 15 decimals of a Shapefile"),
      count(emptyTexts, "empty texts are nulls in a Shapefile"),
      count(trimmedTexts, "texts lose the spaces at their end in a Shapefile"),
      count(flatGeometries, "geometries without altitudes have the altitude 0"),
    ].compactMap { $0 }
  }

  /// Whether some geometries have altitudes.
  private(set) var hasAltitudes = false
  private let target: LayerTarget
  private let format: LayerFormat
  private let library: GDALLibrary
  private let writing: GDALWriting
  private let layer: GDALLibrary.Handle
  private let feature: GDALLibrary.Handle
  /// The index of the field of each column other than the geometry.
  private var fields: [Int32] = []
  private let numbers: Int?
  private var roundedTimes = 0
  private var roundedNumbers = 0
  private var emptyTexts = 0
  private var trimmedTexts = 0
  private var flatGeometries = 0
  private let types: [LayerColumnType]
  private let text = TextBuffer()
  private let declaresAltitudes: Bool

  init(
    _ target: LayerTarget, of layer: GDALLibrary.Handle, format: LayerFormat,
    library: GDALLibrary, writing: GDALWriting
  ) throws(LayerFailure) {
    self.target = target
    self.format = format
    self.library = library
    self.writing = writing
    self.layer = layer
    numbers = format == .gpkg ? target.numbers : nil
    types = target.schema.columns.map(\.type)
    declaresAltitudes = format.declaresAltitudes && target.schema.geometryType < 0
    let fields = try Self.addFields(
      target, to: layer, format: format, except: numbers, library, writing)
    guard let definition = library.layerDefinition(layer),
      let feature = writing.newFeature(definition)
    else { throw LayerFailure("GDAL cannot create a row", kind: .output) }
    self.feature = feature
    self.fields = fields
  }

  /// Frees the row of GDAL. Call this before the file is closed.
  func destroy() { library.destroyFeature(feature) }

  private func count(_ count: Int, _ text: String) -> String? {
    count == 0 ? nil : "\(count) \(text)"
  }

  /// Adds a field for each column, and returns their indices.
  private static func addFields(
    _ target: LayerTarget, to layer: GDALLibrary.Handle, format: LayerFormat, except: Int?,
    _ library: GDALLibrary, _ writing: GDALWriting
  ) throws(LayerFailure) -> [Int32] {
    var indices: [Int32] = []
    for (index, column) in target.schema.columns.dropLast().enumerated() {
      guard let definition = library.layerDefinition(layer) else {
        throw LayerFailure("GDAL cannot describe the layer", kind: .output)
      }
      let known = format == .gpx ? library.fieldIndex(definition, column.name) : -1
      guard index != except, known < 0 else {
        indices.append(known)
        continue
      }
      let (type, subtype) = fieldType(column.type, isSingle: target.singles[index])
      guard let field = writing.newField(column.name, type) else {
        throw LayerFailure("GDAL cannot create the column `\(column.name)`", kind: .output)
      }
      defer { writing.destroyField(field) }
      writing.setSubtype(field, subtype)
      let count = library.fieldCount(definition)
      guard writing.addField(layer, field, 1) == 0, library.fieldCount(definition) == count + 1
      else {
        let reason = GDALErrors.first.map { ": \($0)" } ?? ""
        throw LayerFailure(
          "GDAL cannot create the column `\(column.name)`\(reason)", kind: .output)
      }
      indices.append(count)
    }
    return indices
  }

  /// OGR's numbers for the type of a field and for its restriction.
  private static func fieldType(_ type: LayerColumnType, isSingle: Bool) -> (Int32, Int32) {
    switch type {
    case .bool: (0, 1)
    case .int: (12, 0)
    case .double: (2, isSingle ? 3 : 0)
    case .date: (11, 0)
    case .data: (8, 0)
    case .text, .geometry: (4, 0)
    }
  }

  // MARK: Rows

  /// Writes the rows of a batch.
  func write(_ batch: LayerBatch) throws(LayerFailure) {
    for row in 0..<batch.rowCount {
      _ = writing.setNumber(feature, -1)
      for (index, field) in fields.enumerated() {
        try set(batch.columns[index], row: row, of: batch, index: index, field: field)
      }
      try setGeometry(batch.columns[fields.count], row: row, of: batch)
      guard writing.addFeature(layer, feature) == 0, GDALErrors.first == nil else {
        let reason = GDALErrors.first.map { ": \($0)" } ?? ""
        throw LayerFailure(
          "GDAL cannot write row \(batch.firstRow + row + 1)\(reason)", kind: .output)
      }
    }
  }

  private func failure(
    _ batch: LayerBatch, row: Int, index: Int, _ text: String
  ) -> LayerFailure {
    LayerFailure(
      "row \(batch.firstRow + row + 1): `\(target.schema.columns[index].name)` \(text)")
  }

  @inline(__always)
  private func set(
    _ column: LayerBatch.Column, row: Int, of batch: LayerBatch, index: Int, field: Int32
  ) throws(LayerFailure) {
    if index == numbers { return try setNumber(column, row: row, of: batch, index: index) }
    guard !column.isNull(row) else { return writing.setNull(feature, field) }
    switch types[index] {
    case .bool: writing.setBool(feature, field, column.bool(row) ? 1 : 0)
    case .int:
      let value = column.int(row)
      if format == .shp, value.magnitude > Self.longestInteger {
        throw failure(
          batch, row: row, index: index,
          "is \(value), and a Shapefile holds at most 17 digits; leave the column out, or choose gpkg"
        )
      }
      writing.setInt(feature, field, value)
    case .double:
      let value = column.double(row)
      if format == .shp { try checkNumber(value, row: row, of: batch, index: index) }
      writing.setDouble(feature, field, value)
    case .date: try setTime(column.double(row), row: row, of: batch, index: index, field: field)
    case .text: try setText(column.bytes(row), row: row, of: batch, index: index, field: field)
    case .data:
      let bytes = column.bytes(row)
      // An address of no bytes would be a null.
      withUnsafeBytes(of: UInt8(0)) { nothing in
        guard let base = bytes.baseAddress ?? nothing.baseAddress else { return }
        writing.setBytes(feature, field, Int32(bytes.count), base)
      }
    case .geometry: break
    }
  }

  /// The largest whole number of the 18 characters that a Shapefile has for one.
  private static let longestInteger: UInt64 = 99_999_999_999_999_999

  private func setNumber(
    _ column: LayerBatch.Column, row: Int, of batch: LayerBatch, index: Int
  ) throws(LayerFailure) {
    guard !column.isNull(row), column.int(row) >= 0 else {
      throw failure(
        batch, row: row, index: index,
        "numbers the rows of a GeoPackage and is \(column.isNull(row) ? "null" : "negative"); select "
          + "it with another name")
    }
    _ = writing.setNumber(feature, column.int(row))
  }

  private func checkNumber(
    _ value: Double, row: Int, of batch: LayerBatch, index: Int
  ) throws(LayerFailure) {
    guard value.isFinite, value.magnitude < 1e20 else {
      throw failure(
        batch, row: row, index: index,
        "is \(value), and a Shapefile holds numbers of at most 24 characters; leave the column out, "
          + "or choose gpkg")
    }
    // Larger numbers have more than 17 digits in their column.
    guard value.magnitude < 1 else { return }
    let rounded = (value * 1e15).rounded() / 1e15
    if (rounded - value).magnitude > value.ulp { roundedNumbers += 1 }
  }

  private func setTime(
    _ seconds: Double, row: Int, of batch: LayerBatch, index: Int, field: Int32
  ) throws(LayerFailure) {
    guard seconds.magnitude < ISODate.maxSeconds else {
      throw failure(batch, row: row, index: index, "is not a date between the years 0 and 9999")
    }
    let thousandths = Int((seconds * 1000).rounded())
    if Double(thousandths) / 1000 != seconds { roundedTimes += 1 }
    let whole = thousandths >= 0 ? thousandths / 1000 : (thousandths - 999) / 1000
    let (days, second) = ISODate.split(whole)
    let (year, month, day) = ISODate.civil(days: days)
    guard (0...9999).contains(year) else {
      throw failure(batch, row: row, index: index, "is not a date between the years 0 and 9999")
    }
    // 100 is UTC.
    writing.setTime(
      feature, field, Int32(year), Int32(month), Int32(day), Int32(second / 3600),
      Int32(second / 60 % 60), Float(second % 60) + Float(thousandths - whole * 1000) / 1000, 100)
  }

  /// The most bytes of a text in a Shapefile.
  private static let longestText = 254

  private func setText(
    _ bytes: UnsafeRawBufferPointer, row: Int, of batch: LayerBatch, index: Int, field: Int32
  ) throws(LayerFailure) {
    if format == .shp {
      if bytes.isEmpty { emptyTexts += 1 }
      if bytes.last == UInt8(ascii: " ") { trimmedTexts += 1 }
      guard bytes.count <= Self.longestText else {
        throw failure(
          batch, row: row, index: index,
          "has \(bytes.count) bytes, and a Shapefile holds texts of at most \(Self.longestText); "
            + "leave the column out, or choose gpkg")
      }
    }
    guard !hasForbiddenByte(bytes) else {
      throw failure(
        batch, row: row, index: index,
        "contains a control character that \(format.title) cannot hold; leave the column out")
    }
    text.withCString(bytes) { writing.setText(feature, field, $0) }
  }

  /// Whether a text contains a zero byte, which would end it, or a control character that XML does
  /// not have.
  private func hasForbiddenByte(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    guard format.holdsOnlyTexts else { return memchr(base, 0, bytes.count) != nil }
    return bytes.contains { $0 < 0x20 && $0 != 9 && $0 != 10 && $0 != 13 }
  }

  private func setGeometry(
    _ column: LayerBatch.Column, row: Int, of batch: LayerBatch
  ) throws(LayerFailure) {
    guard !column.isNull(row) else {
      _ = writing.setGeometry(feature, nil)
      return
    }
    let wkb = column.bytes(row)
    var geometry: GDALLibrary.Handle?
    guard let base = wkb.baseAddress, wkb.count <= Int(Int32.max),
      library.readWKB(base, nil, &geometry, Int32(wkb.count)) == 0, let geometry
    else {
      throw LayerFailure(
        "row \(batch.firstRow + row + 1): GDAL cannot write the geometry", kind: .output)
    }
    // The number of its kind says whether a geometry has altitudes: 1000 and more.
    if wkb.loadUnaligned(fromByteOffset: 1, as: UInt32.self) >= 1000 {
      hasAltitudes = true
    } else if declaresAltitudes {
      flatGeometries += 1
    }
    _ = writing.setGeometry(feature, geometry)
  }
}

/// Memory for a text with a zero byte after it, as C has texts.
private final class TextBuffer {
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)

  deinit { memory.deallocate() }

  /// Calls `body` with a copy of a text.
  func withCString(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafePointer<CChar>) -> Void) {
    if bytes.count >= memory.count {
      memory.deallocate()
      memory = .allocate(byteCount: bytes.count * 2, alignment: 1)
    }
    assert(bytes.count < memory.count, "the text is larger than its memory")
    memory.copyMemory(from: bytes)
    memory[bytes.count] = 0
    guard let base = memory.baseAddress else { return }
    body(UnsafePointer(base.assumingMemoryBound(to: CChar.self)))
  }
}
