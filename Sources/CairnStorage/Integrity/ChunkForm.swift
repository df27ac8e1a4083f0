import CairnValues

/// Whether the bytes of a chunk are such that no row of it leads outside them.
struct ChunkForm {
  private let bytes: UnsafeRawBufferPointer
  private let chunk: Chunk
  /// Rows, with those that pad them to whole words.
  private let padded: Int
  /// Bytes behind the header and the null bitmap.
  private let room: Int
  private let heapOffset: Int

  /// What is wrong with an encoded chunk of `rows` rows of a layout; nil: nothing.
  static func objection(
    _ bytes: UnsafeRawBufferPointer, _ layout: ChunkLayout, rows: Int
  ) -> String? {
    guard bytes.count >= ChunkShape.minimumSize, let base = bytes.baseAddress,
      Int(bitPattern: base) & 15 == 0
    else { return "is no chunk" }
    guard ChunkEncoder.isIntact(bytes) else { return "the checksum does not fit" }
    guard let form = ChunkForm(bytes), form.fits(layout) else {
      return "is encoded as no chunk of its type is"
    }
    guard form.chunk.count == rows else {
      return "holds \(form.chunk.count) objects and should hold \(rows)"
    }
    return form.isWithinItself ? nil : "leads outside itself"
  }

  private init?(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, let chunk = Chunk(encoded: base, size: bytes.count),
      bytes[2] <= ChunkHeader.hasNulls, chunk.count <= ChunkShape.rows
    else { return nil }
    let size = Int(bytes.loadUnaligned(fromByteOffset: 28, as: UInt32.self))
    self.bytes = bytes
    self.chunk = chunk
    padded = ChunkShape.padded(chunk.count)
    room = size - (chunk.codes - base)
    heapOffset = chunk.heap - chunk.codes
    guard room >= 0, heapOffset <= room else { return nil }
  }

  private func fits(_ layout: ChunkLayout) -> Bool {
    switch (layout, chunk.encoding) {
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
    case .integers, .doubles, .decimals, .floats, .fixed: padded * chunk.width <= room
    case .points:
      heapOffset == 2 * padded * chunk.width
        && heapOffset + (chunk.exponent == 0 ? 0 : padded * 8) <= room
    case .bytes: heapOffset == (padded + 1) * chunk.width && hasRisingOffsets
    case .dictionary: hasDictionary
    case .slots: false
    }
  }

  private var hasRisingOffsets: Bool {
    var last = 0
    for row in 0...padded {
      let next = chunk.offset(row)
      guard next >= last else { return false }
      last = next
    }
    return heapOffset + last <= room
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
    return heapOffset + last <= room
      && (0..<padded).allSatisfy { chunk.code(at: $0) < UInt64(max(entries, 1)) }
      && (entries > 0 || chunk.count == 0)
  }
}
