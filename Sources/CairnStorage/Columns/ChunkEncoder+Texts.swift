import CairnSystem

extension ChunkEncoder {
  static func texts(_ buffer: ChunkBuffer) -> ([UInt8], Zone) {
    let dictionary = TextDictionary(buffer)
    let zone = textZone(buffer, dictionary: dictionary)
    if let dictionary { return (self.dictionary(buffer, dictionary: dictionary), zone) }
    let rows = ChunkShape.padded(buffer.count)
    let total = (0..<buffer.count).reduce(0) { $0 + Int(buffer.slots[2 * $1 + 1]) }
    let width = total <= Int(UInt16.max) ? 2 : 4
    let heap = (rows + 1) * width
    let bytes = chunk(
      buffer, encoding: .bytes, width: width, size: heap + total, heapOffset: heap
    ) { data in
      var offset = 0
      // Unedited texts are already contiguous.
      var isDense = true
      for row in 0...rows {
        if width == 2 {
          data.storeBytes(of: UInt16(offset), toByteOffset: row * 2, as: UInt16.self)
        } else {
          data.storeBytes(of: UInt32(offset), toByteOffset: row * 4, as: UInt32.self)
        }
        guard row < buffer.count else { continue }
        assert(buffer.memory.hasSoundSlot(row), "a slot lies outside of the heap")
        if buffer.slots[2 * row] != offset { isDense = false }
        offset += Int(buffer.slots[2 * row + 1])
      }
      assert(offset == total, "the texts have another size than the chunk has memory for")
      assert(!isDense || offset <= buffer.heapSize, "the texts are larger than the heap")
      copyTexts(of: buffer, to: data + heap, isDense ? offset : nil)
    }
    return (bytes, zone)
  }

  /// - Parameter dense: The size in bytes of contiguous texts.
  private static func copyTexts(
    of buffer: ChunkBuffer, to data: UnsafeMutableRawPointer, _ dense: Int?
  ) {
    if let dense { return data.copyMemory(from: buffer.heap, byteCount: dense) }
    var next = data
    for row in 0..<buffer.count {
      let length = Int(buffer.slots[2 * row + 1])
      next.copyMemory(from: buffer.heap + Int(buffer.slots[2 * row]), byteCount: length)
      next += length
    }
  }

  private static func dictionary(_ buffer: ChunkBuffer, dictionary: TextDictionary) -> [UInt8] {
    let rows = ChunkShape.padded(buffer.count)
    let width = codeWidth(UInt64(max(dictionary.entries.count, 1) - 1))
    let total = dictionary.entries.reduce(0) { $0 + Int(buffer.slots[2 * $1 + 1]) }
    let offsets = rows * width
    let heap = offsets + (dictionary.entries.count + 1) * 4
    return chunk(
      buffer, encoding: .dictionary, width: width, frame: Int64(dictionary.entries.count),
      size: heap + total,
      heapOffset: heap
    ) { data in
      for row in 0..<rows where width > 0 {
        let code = row < buffer.count ? dictionary.codes[row] : 0
        assert(width > 1 || code <= UInt8.max, "a code is wider than the codes")
        if width == 1 {
          data.storeBytes(of: UInt8(code), toByteOffset: row, as: UInt8.self)
        } else {
          data.storeBytes(of: code, toByteOffset: row * 2, as: UInt16.self)
        }
      }
      var offset = 0
      for (index, row) in dictionary.entries.enumerated() {
        (data + offsets).storeBytes(of: UInt32(offset), toByteOffset: index * 4, as: UInt32.self)
        let length = Int(buffer.slots[2 * row + 1])
        assert(offset + length <= total, "the entries are larger than the chunk has memory for")
        (data + heap + offset)
          .copyMemory(from: buffer.heap + Int(buffer.slots[2 * row]), byteCount: length)
        offset += length
      }
      (data + offsets).storeBytes(
        of: UInt32(offset), toByteOffset: dictionary.entries.count * 4, as: UInt32.self)
    }
  }

  /// Returns a zone with the bounds of the first eight bytes of every text.
  private static func textZone(_ buffer: ChunkBuffer, dictionary: TextDictionary?) -> Zone {
    var low = UInt64.max
    var high = UInt64.min
    func include(_ row: Int) {
      let prefix = prefix(buffer, row: row)
      low = min(low, prefix)
      high = max(high, prefix)
    }
    if let dictionary, buffer.nullCount < buffer.count {
      dictionary.entries.forEach(include)
    } else {
      for row in 0..<buffer.count where !buffer.isNull(row) { include(row) }
    }
    return Zone(
      minimum: Int64(bitPattern: low), maximum: Int64(bitPattern: high),
      nullCount: buffer.nullCount, flags: low <= high ? Zone.hasBoundsFlag : 0)
  }

  private static func prefix(_ buffer: ChunkBuffer, row: Int) -> UInt64 {
    let bytes = buffer.memory.bytes(at: row)
    let reference = buffer.memory.hasReferences ? LargeReference(bytes) : nil
    return reference?.prefix ?? bytes.prefixNumber
  }
}

/// The distinct texts of a chunk, if they are few enough for a dictionary.
private struct TextDictionary {
  /// A row for each entry, in order of first appearance.
  private(set) var entries: [Int] = []
  /// The entry of each row.
  private(set) var codes: [UInt16]

  private static let tableSize = 4096
  private static let maxEntries = 1024

  /// Returns nil if texts hardly repeat. A null row shares the entry of the empty text; the null
  /// bitmap distinguishes them.
  init?(_ buffer: ChunkBuffer) {
    codes = [UInt16](repeating: 0, count: buffer.count)
    var table = [UInt16](repeating: .max, count: Self.tableSize)
    for row in 0..<buffer.count {
      var slot = Self.hash(buffer, row: row) & (Self.tableSize - 1)
      while table[slot] != .max, !Self.equal(buffer, a: entries[Int(table[slot])], b: row) {
        slot = (slot + 1) & (Self.tableSize - 1)
      }
      if table[slot] == .max {
        guard entries.count < min(Self.maxEntries, 64 + row / 4) else { return nil }
        table[slot] = UInt16(entries.count)
        entries.append(row)
      }
      codes[row] = table[slot]
    }
  }

  private static func hash(_ buffer: ChunkBuffer, row: Int) -> Int {
    assert(buffer.memory.hasSoundSlot(row), "a slot lies outside of the heap")
    let length = Int(buffer.slots[2 * row + 1])
    let start = UnsafeRawPointer(buffer.heap) + Int(buffer.slots[2 * row])
    var hash = UInt64(length) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= length {
      hash =
        (hash ^ start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        &* 0xC2B2_AE3D_27D4_EB4F
      hash ^= hash >> 29
      offset += 8
    }
    while offset < length {
      hash =
        (hash ^ UInt64(start.load(fromByteOffset: offset, as: UInt8.self)))
        &* 0x1000_0000_01B3
      offset += 1
    }
    return Int(truncatingIfNeeded: hash ^ (hash >> 32))
  }

  private static func equal(_ buffer: ChunkBuffer, a: Int, b: Int) -> Bool {
    assert(buffer.memory.hasSoundSlot(a), "a slot lies outside of the heap")
    assert(buffer.memory.hasSoundSlot(b), "a slot lies outside of the heap")
    let length = buffer.slots[2 * a + 1]
    guard length == buffer.slots[2 * b + 1] else { return false }
    return memcmp(
      buffer.heap + Int(buffer.slots[2 * a]), buffer.heap + Int(buffer.slots[2 * b]), Int(length))
      == 0
  }
}
