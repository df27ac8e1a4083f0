import CairnGeometry
import CairnValues

/// Checks that no row of an encoded chunk leads outside of its bytes.
struct ChunkValidator {
  private let bytes: UnsafeRawBufferPointer
  private let chunk: Chunk
  /// The number of rows, including the padding to whole words.
  private let padded: Int
  /// The number of bytes after the header and the null bitmap.
  private let freeSpace: Int
  private let heapOffset: Int

  /// The fault of an encoded chunk that should have `rows` rows of a layout, or nil if it is sound.
  ///
  /// - Parameter keySum: the part of the checksum that is the one of the key.
  static func fault(
    _ bytes: UnsafeRawBufferPointer, layout: ChunkLayout, rows: Int, keySum: UInt64 = 0
  ) -> String? {
    guard bytes.count >= ChunkShape.minimumSize, let base = bytes.baseAddress,
      Int(bitPattern: base) & 15 == 0
    else { return "is not a chunk" }
    guard ChunkEncoder.isIntact(bytes, keySum: keySum) else { return "the checksum does not match" }
    guard let validator = ChunkValidator(bytes), validator.fits(layout) else {
      return "has an encoding that its type never uses"
    }
    guard validator.chunk.count == rows else {
      return "holds \(validator.chunk.count) objects, expected \(rows)"
    }
    return validator.isWithinItself ? nil : "has offsets outside of its bytes"
  }

  private init?(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, let chunk = Chunk(encoded: base, size: bytes.count),
      bytes[2] <= ChunkHeader.hasNulls | ChunkHeader.hasReferences, chunk.count <= ChunkShape.rows
    else { return nil }
    let size = Int(bytes.loadUnaligned(fromByteOffset: 28, as: UInt32.self))
    self.bytes = bytes
    self.chunk = chunk
    padded = ChunkShape.padded(chunk.count)
    freeSpace = size - (chunk.codes - base)
    heapOffset = chunk.heap - chunk.codes
    guard freeSpace >= 0, heapOffset <= freeSpace else { return nil }
  }

  private func fits(_ layout: ChunkLayout) -> Bool {
    guard layout == .bytes || bytes[2] <= ChunkHeader.hasNulls else { return false }
    return switch (layout, chunk.encoding) {
    case (.integers, .integers): [0, 1, 2, 4, 8].contains(chunk.width) && chunk.exponent == 0
    case (.doubles, .doubles): chunk.width == 8
    case (.doubles, .decimals):
      [0, 1, 2, 4].contains(chunk.width) && chunk.exponent < Decimals.powers.count
    case (.floats, .floats): chunk.width == 4
    case (.bytes, .bytes): [2, 4].contains(chunk.width)
    case (.bytes, .dictionary): [0, 1, 2].contains(chunk.width)
    case (.fixed(let width), .fixed): chunk.width == width
    case (.points, .points):
      [4, 8].contains(chunk.width) && chunk.exponent <= ChunkHeader.altitudesPresent
    default: false
    }
  }

  private var isWithinItself: Bool {
    switch chunk.encoding {
    case .integers, .doubles, .decimals, .floats, .fixed: padded * chunk.width <= freeSpace
    case .points:
      heapOffset == 2 * padded * chunk.width
        && heapOffset + (chunk.exponent == 0 ? 0 : padded * 8) <= freeSpace
    case .bytes: heapOffset == (padded + 1) * chunk.width && hasRisingOffsets
    case .dictionary: hasDictionary
    case .slots, .spans: false
    }
  }

  private var hasRisingOffsets: Bool {
    var last = 0
    for row in 0...padded {
      let next = chunk.offset(row)
      guard next >= last else { return false }
      last = next
    }
    return heapOffset + last <= freeSpace
  }

  private var hasDictionary: Bool {
    let entries = chunk.dictionaryCount
    guard entries >= 0, entries <= ChunkShape.rows,
      heapOffset == padded * chunk.width + (entries + 1) * 4
    else { return false }
    let offsets = chunk.heap - (entries + 1) * 4
    var last = 0
    for entry in 0...entries {
      let next = Int(offsets.loadUnaligned(fromByteOffset: entry * 4, as: UInt32.self))
      guard next >= last else { return false }
      last = next
    }
    return heapOffset + last <= freeSpace
      && (0..<padded).allSatisfy { chunk.code(at: $0) < UInt64(max(entries, 1)) }
      && (entries > 0 || chunk.count == 0)
  }
}

/// Checks that the bytes of a collection are packed as the writer packs them.
enum CollectionValidator {
  /// The fault of the bytes of a row, or nil if they are sound.
  static func fault(_ bytes: UnsafeRawBufferPointer, column: ColumnSchema) -> String? {
    guard !bytes.isEmpty else { return nil }
    let isMap = column.collection == .map
    let collection = StoredCollection(bytes, of: column.type, isMap: isMap)
    guard collection.count > 0, collection.takes(bytes.count, isMap: isMap) else {
      return "a collection contradicts itself"
    }
    if let fault = collection.objectionToElements { return fault }
    if isMap, !collection.hasTextKeys { return "a key of a map is not UTF-8" }
    switch column.collection {
    case .map where !collection.hasRisingKeys: return "a map has keys out of order"
    case .set where !collection.isInSetOrder: return "a set has elements out of order"
    default: return nil
    }
  }
}

extension StoredCollection {
  /// Whether the parts fill `size` bytes, and no text leads outside of them.
  fileprivate func takes(_ size: Int, isMap: Bool) -> Bool {
    guard 4 + nulls.count + keys.count + elements.count == size else { return false }
    if isMap, !Self.hasRisingEnds(count, texts: keys) { return false }
    return Self.width(of: type) > 0 || Self.hasRisingEnds(count, texts: elements)
  }

  private static func hasRisingEnds(_ count: Int, texts: UnsafeRawBufferPointer) -> Bool {
    var last: UInt32 = 0
    for index in 0..<count {
      let next = texts.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      guard next >= last else { return false }
      last = next
    }
    return count * 4 + Int(last) == texts.count
  }

  /// The fault of a single element, or nil if all are sound.
  fileprivate var objectionToElements: String? {
    for index in 0..<count where !isNull(at: index) {
      switch type {
      case .bool where elements[index] > 1: return "a bool is neither true nor false"
      case .string where !bytes(at: index).isUTF8: return "a text is not UTF-8"
      case .mixed where !Element.isWhole(bytes(at: index)): return "a mixed value is invalid"
      default: continue
      }
    }
    return nil
  }

  fileprivate var hasTextKeys: Bool {
    (0..<count).allSatisfy { key(at: $0).isUTF8 }
  }

  fileprivate var hasRisingKeys: Bool {
    (1..<max(count, 1)).allSatisfy { Ordering.between(key(at: $0 - 1), and: key(at: $0)) == .less }
  }
}

extension StoredCollection {
  fileprivate var isInSetOrder: Bool {
    (1..<max(count, 1)).allSatisfy {
      Element.setOrder(element(at: $0 - 1), to: element(at: $0)) == .less
    }
  }
}

extension Element {
  /// Whether the bytes are exactly one element.
  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let element = try? Element(decoding: bytes) else { return false }
    return element.encoded().elementsEqual(bytes)
  }
}

/// Checks the values of one column, chunk by chunk. The chunks are known to be well formed.
struct ColumnValuesCheck {
  private let table: Table
  private let column: ColumnSchema

  init(_ table: Table, column: ColumnSchema) {
    self.table = table
    self.column = column
  }

  /// The fault of the first invalid value of a live row, or nil if all are valid.
  func fault(_ index: Int) -> String? {
    let chunk = table.column(column.position).chunk(index)
    if column.layout == .bytes, chunk.encoding == .dictionary, column.collection == .none,
      column.type == .string
    {
      return dictionaryObjection(chunk) ?? nullObjection(chunk, at: index)
    }
    guard hasRules else { return nullObjection(chunk, at: index) }
    // A deleted row may hold any value except an invalid location or box: an R-tree covers those of
    // whole blocks.
    for row in 0..<min(chunk.count, table.rowCount(ofChunk: index))
    where column.type == .point || column.type == .box || isLive(row, chunk: index) {
      if let fault = fault(chunk, row: row) {
        return "object \(index * ChunkShape.rows + row): \(fault)"
      }
    }
    return nil
  }

  /// Whether values that are not null can be invalid.
  private var hasRules: Bool {
    guard column.collection == .none else { return true }
    return switch column.type {
    case .bool, .string, .mixed, .point, .box, .geometry, .lineString, .polygon: true
    default: false
    }
  }

  private func isLive(_ row: Int, chunk: Int) -> Bool {
    table.isLive(chunk * ChunkShape.rows + row)
  }

  private func nullObjection(_ chunk: Chunk, at index: Int) -> String? {
    guard !column.isNullable, chunk.nulls != nil else { return nil }
    let row = (0..<chunk.count).first { chunk.isNull($0) && isLive($0, chunk: index) }
    return row.map {
      "object \(index * ChunkShape.rows + $0): is null, which the schema does not allow"
    }
  }

  private func dictionaryObjection(_ chunk: Chunk) -> String? {
    let isText = (0..<chunk.dictionaryCount).allSatisfy { chunk.entry($0).isUTF8 }
    return isText ? nil : "a text is not UTF-8"
  }

  private func fault(_ chunk: Chunk, row: Int) -> String? {
    if chunk.isNull(row) {
      return column.isNullable ? nil : "is null, which the schema does not allow"
    }
    guard column.collection == .none else {
      return CollectionValidator.fault(chunk.bytes(at: row), column: column)
    }
    switch column.type {
    case .bool: return (0...1).contains(chunk.int(at: row)) ? nil : "is neither true nor false"
    case .string: return chunk.bytes(at: row).isUTF8 ? nil : "a text is not UTF-8"
    case .mixed: return Element.isWhole(chunk.bytes(at: row)) ? nil : "a mixed value is invalid"
    case .point: return chunk.position(at: row).isOnEarth ? nil : "is not a location on the earth"
    case .box: return chunk.box(at: row).isOnEarth ? nil : "is not a box on the earth"
    case .geometry, .lineString, .polygon: return column.fault(ofGeometry: chunk.bytes(at: row))
    default: return nil
    }
  }
}

extension ColumnSchema {
  /// The fault of the bytes of a geometry, or nil if they are sound.
  fileprivate func fault(ofGeometry bytes: UnsafeRawBufferPointer) -> String? {
    if bytes.isEmpty { return nil }
    guard let view = try? GeometryView(validating: bytes) else { return "is not a geometry" }
    return holds(view.kind) ? nil : "is a \(view.kind.name), which the schema does not allow"
  }
}

extension Position {
  fileprivate var isOnEarth: Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180 && altitude.isFinite
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are a text in UTF-8.
  var isUTF8: Bool {
    var isPlain = true
    for byte in self where byte >= 0x80 {
      isPlain = false
      break
    }
    return isPlain || String(decoding: self, as: UTF8.self).utf8.elementsEqual(self)
  }
}
