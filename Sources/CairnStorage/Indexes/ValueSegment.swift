import CairnSystem

/// One stored segment of a value index run: entries sorted by (value, key).
///
/// Header: entry count (UInt32), kind (UInt32: 0 numbers, 1 bytes), 8 unused bytes. Then the keys,
/// Int64 each. Then the numbers, UInt64 each; or one more offset than entries, UInt32 each, and the
/// bytes.
struct ValueSegment {
  private let base: UnsafeRawPointer
  private let size: Int
  let count: Int
  private let isNumeric: Bool

  static let headerSize = 16
  /// The number of entries in a full segment.
  static let capacity = 1 << 15

  /// Returns nil if the segment is missing, or its arrays lead outside of the bytes, which outlive
  /// it. The texts are not checked.
  init?(_ bytes: UnsafeRawBufferPointer?) {
    guard let bytes, let base = bytes.baseAddress, bytes.count >= Self.headerSize,
      Int(bitPattern: base) & 7 == 0
    else { return nil }
    self.base = base
    size = bytes.count
    count = Int(base.load(as: UInt32.self))
    isNumeric = base.load(fromByteOffset: 4, as: UInt32.self) == 0
    guard count <= Self.capacity, heapOffset <= size else { return nil }
  }

  /// The offset of the bytes of the values, or the end of the numbers.
  private var heapOffset: Int {
    Self.headerSize + count * (isNumeric ? 16 : 12) + (isNumeric ? 0 : 4)
  }

  /// Returns the key of an entry, without the run's first row added.
  func key(_ index: Int) -> Int {
    assert(index >= 0 && index < count, "the segment does not have the entry")
    return Int((base + Self.headerSize).load(fromByteOffset: index * 8, as: Int64.self))
  }

  /// The numbers, or the offsets of the texts, valid like the bytes of the segment.
  private var values: UnsafeRawPointer { base + Self.headerSize + count * 8 }

  /// Returns the value of an entry.
  func value(_ index: Int) -> IndexKey {
    isNumeric ? .number(number(index)) : .bytes(Array(bytes(index)))
  }

  private func number(_ index: Int) -> UInt64 {
    assert(isNumeric && index >= 0 && index < count, "the segment does not have the number")
    return values.load(fromByteOffset: index * 8, as: UInt64.self)
  }

  /// Returns the text of an entry, valid like the bytes of the segment.
  private func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    assert(!isNumeric && index >= 0 && index < count, "the segment does not have the text")
    let start = Int(values.load(fromByteOffset: index * 4, as: UInt32.self))
    let end = Int(values.load(fromByteOffset: index * 4 + 4, as: UInt32.self))
    assert(start <= end && heapOffset + end <= size, "a text lies outside of the segment")
    return UnsafeRawBufferPointer(
      start: values + (count + 1) * 4 + start, count: end - start)
  }

  /// Returns whether an entry's value is less than `key`, or equal to it if `orEqual`.
  func isBefore(_ index: Int, key: IndexKey, orEqual: Bool) -> Bool {
    switch key {
    case .number(let bound):
      let mine = isNumeric ? number(index) : .max
      return orEqual ? mine <= bound : mine < bound
    case .bytes(let bound):
      guard !isNumeric else { return true }
      let mine = bytes(index)
      return bound.withUnsafeBytes { orEqual ? !$0.precedes(mine) : mine.precedes($0) }
    }
  }

  /// Encodes a segment of sorted entries.
  static func encoded(_ entries: ArraySlice<ValueEntry>, numeric: Bool) -> [UInt8] {
    let heapSize = numeric ? 0 : entries.reduce(0) { $0 + $1.value.byteCount }
    let valuesSize = numeric ? entries.count * 8 : (entries.count + 1) * 4 + heapSize
    let size = headerSize + entries.count * 8 + valuesSize
    var bytes = [UInt8](repeating: 0, count: max(size, ChunkShape.minimumSize))
    bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      assert(entries.count <= capacity, "a segment has up to 32768 entries")
      base.storeBytes(of: UInt32(entries.count), as: UInt32.self)
      base.storeBytes(of: UInt32(numeric ? 0 : 1), toByteOffset: 4, as: UInt32.self)
      let values = base + headerSize + entries.count * 8
      var offset = 0
      for row in 0..<entries.count {
        let entry = entries[entries.startIndex + row]
        (base + headerSize).storeBytes(of: Int64(entry.key), toByteOffset: row * 8, as: Int64.self)
        switch entry.value {
        case .number(let number):
          values.storeBytes(of: number, toByteOffset: row * 8, as: UInt64.self)
        case .bytes(let text):
          assert(offset + text.count <= heapSize, "the texts are larger than the segment")
          values.storeBytes(of: UInt32(offset), toByteOffset: row * 4, as: UInt32.self)
          text.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(
              start: values + (entries.count + 1) * 4 + offset, count: text.count
            ).copyMemory(from: $0)
          }
          offset += text.count
        }
      }
      if !numeric {
        values.storeBytes(of: UInt32(offset), toByteOffset: entries.count * 4, as: UInt32.self)
      }
    }
    return bytes
  }
}

/// One row of a value index.
struct ValueEntry: Comparable {
  var value: IndexKey
  var key: Int

  static func < (a: ValueEntry, b: ValueEntry) -> Bool {
    a.value == b.value ? a.key < b.key : a.value < b.value
  }
}

extension IndexKey {
  fileprivate var byteCount: Int {
    switch self {
    case .number: 8
    case .bytes(let bytes): bytes.count
    }
  }
}
