internal import CairnIO
import CairnSystem

/// Encodes the values of a column in a row group as pages. For use by one thread.
struct ChunkEncoder {
  private let leaf: OutputLeaf
  private let codec: Codec
  private let rowCount: Int
  /// The level of each row: 0 for a null, otherwise 1.
  private let levels: [UInt8]
  private let values: Values
  private var chunk = EncodedChunk()
  private var range = ValueRange()
  private var nullCount = 0
  /// The number of the value of each row in a dictionary; nil without one.
  private var dictionary: [UInt32]?
  private var indexBits = 0

  /// The values that are not null.
  private enum Values {
    case bools([UInt8])
    case ints([Int64])
    case singles([Float])
    case doubles([Double])
    case bytes(ends: UnsafeRawBufferPointer, heap: UnsafeRawBufferPointer)
  }

  /// The most rows and the usual bytes of a page.
  private static let pageRows = 20_000
  private static let pageBytes = 1 << 20
  /// The most values and bytes of a dictionary, and the part of the values that it must save.
  private static let dictionaryCount = 1 << 16
  private static let dictionaryBytes = 1 << 20
  private static let probedRows = 1 << 12

  /// - Throws: If a date does not fit the format.
  init(_ leaf: OutputLeaf, _ buffer: ColumnBuffer, codec: Codec) throws(ParquetError) {
    self.leaf = leaf
    self.codec = codec
    rowCount = buffer.count
    let bytes = buffer.valueBytes
    let null = LayerMark.null.rawValue
    levels = buffer.markBytes.map { $0 == null ? 0 : 1 }
    switch leaf.kind {
    case .bool: values = .bools(Self.present(bytes, levels) { (flag: UInt8) in flag })
    case .int: values = .ints(Self.present(bytes, levels) { (number: Int64) in number })
    case .single:
      values = .singles(Self.present(bytes, levels) { (number: Double) in Float(number) })
    case .double: values = .doubles(Self.present(bytes, levels) { (number: Double) in number })
    case .date:
      values = .ints(
        try Self.present(bytes, levels) { (seconds: Double) throws(ParquetError) in
          try Self.microseconds(seconds)
        })
    case .text, .json, .data, .geometry: values = .bytes(ends: bytes, heap: buffer.heapBytes)
    }
  }

  /// Returns the values that are not null, converted.
  @inline(__always)
  private static func present<Stored: BitwiseCopyable, Number, Failure: Error>(
    _ bytes: UnsafeRawBufferPointer, _ levels: [UInt8],
    _ convert: (Stored) throws(Failure) -> Number
  ) throws(Failure) -> [Number] {
    let stored = bytes.assumingMemoryBound(to: Stored.self)
    var numbers: [Number] = []
    numbers.reserveCapacity(levels.count)
    for (row, level) in levels.enumerated() where level != 0 {
      numbers.append(try convert(stored[row]))
    }
    return numbers
  }

  /// The microseconds since 1970 of seconds since 2001.
  private static func microseconds(_ seconds: Double) throws(ParquetError) -> Int64 {
    let whole = seconds.rounded(.down)
    let rest = ((seconds - whole) * 1_000_000).rounded()
    guard let count = Int64(exactly: whole), count.magnitude < 9_000_000_000_000 else {
      throw ParquetError("the date \(seconds) seconds after 2001 does not fit in Parquet")
    }
    return (count + 978_307_200) * 1_000_000 + Int64(rest)
  }

  /// Encodes all pages.
  mutating func encode() throws(ParquetError) -> EncodedChunk {
    try encodeDictionary()
    chunk.dataOffset = chunk.bytes.count
    chunk.rowCount = rowCount
    var (row, value) = (0, 0)
    while row < rowCount {
      let end = pageEnd(from: row)
      value = try encodePage(row..<end, firstValue: value)
      row = end
    }
    chunk.statistics = range.statistics(nullCount: nullCount)
    chunk.packedSize = chunk.bytes.count
    return chunk
  }

  @inline(__always)
  private func isNull(_ row: Int) -> Bool { levels[row] == 0 }

  /// The bytes of a row's value.
  @inline(__always)
  private static func bytes(
    _ row: Int, _ ends: UnsafeRawBufferPointer, _ heap: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    let start =
      row == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: row * 4 - 4, as: UInt32.self))
    let end = Int(ends.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
    return UnsafeRawBufferPointer(rebasing: heap[start..<end])
  }

  /// The row behind the last one of a page.
  private func pageEnd(from first: Int) -> Int {
    let most = min(rowCount, first + Self.pageRows)
    guard dictionary == nil, case .bytes(let ends, _) = values else { return most }
    func end(_ row: Int) -> Int {
      row == 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: row * 4 - 4, as: UInt32.self))
    }
    // The ends ascend, so a binary search finds the last one within the size.
    var (low, high) = (first + 1, most)
    while low < high {
      let middle = (low + high + 1) / 2
      if end(middle) - end(first) <= Self.pageBytes { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

// Dictionaries.
extension ChunkEncoder {
  /// Numbers the distinct values, and writes them as the first page, if there are few of them.
  private mutating func encodeDictionary() throws(ParquetError) {
    let distinct = DistinctBytes()
    var numbers: [UInt32] = []
    var size = 0
    func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let number = distinct.number(of: bytes)
      if number == distinct.count - 1 { size += bytes.count + 4 }
      numbers.append(UInt32(number))
      let isProbed = numbers.count == Self.probedRows && distinct.count > Self.probedRows / 2
      return !isProbed && distinct.count <= Self.dictionaryCount && size <= Self.dictionaryBytes * 2
    }
    switch values {
    case .bools, .singles, .doubles: return
    case .ints(let ints):
      numbers.reserveCapacity(ints.count)
      for value in ints {
        guard withUnsafeBytes(of: value, add) else { return }
      }
    case .bytes(let ends, let heap):
      guard leaf.kind != .geometry else { return }
      numbers.reserveCapacity(rowCount)
      for row in 0..<rowCount where !isNull(row) {
        guard add(Self.bytes(row, ends, heap)) else { return }
      }
    }
    guard distinct.count * 2 <= numbers.count, size <= Self.dictionaryBytes else { return }
    try writeDictionary(distinct)
    dictionary = numbers
  }

  private mutating func writeDictionary(_ distinct: DistinctBytes) throws(ParquetError) {
    var page: [UInt8] = []
    for number in 0..<distinct.count {
      if leaf.type == .byteArray { page.append(length: distinct[number].count) }
      page.append(contentsOf: distinct[number])
    }
    indexBits = max(1, Int.bitWidth - max(0, distinct.count - 1).leadingZeroBitCount)
    chunk.hasDictionary = true
    chunk.encodings.formUnion([.plain, .rleDictionary])
    let count = distinct.count
    try write(page, kind: 2) { writer in
      writer.structure(7) { writer in
        writer.int32(1, Int32(count))
        writer.int32(2, Encoding.plain.rawValue)
      }
    }
  }

}

// Pages.
extension ChunkEncoder {
  /// Writes a page of rows, and returns the index of the value behind its last one.
  private mutating func encodePage(
    _ rows: Range<Int>, firstValue: Int
  ) throws(ParquetError) -> Int {
    let count = levels[rows].reduce(0) { $0 + Int($1) }
    var page: [UInt8] = [0, 0, 0, 0]
    levels.withUnsafeBufferPointer { levels in
      HybridEncoder.append(UnsafeBufferPointer(rebasing: levels[rows]), bitWidth: 1, to: &page)
    }
    page.set(length: page.count - 4, at: 0)
    var pageRange = ValueRange()
    let encoding = appendValues(rows, firstValue..<firstValue + count, to: &page, &pageRange)
    chunk.encodings.insert(encoding)
    nullCount += rows.count - count
    let statistics = pageRange.statistics(nullCount: rows.count - count)
    let offset = chunk.bytes.count
    try write(page, kind: 0) { writer in
      writer.structure(5) { writer in
        writer.int32(1, Int32(rows.count))
        writer.int32(2, encoding.rawValue)
        writer.int32(3, Encoding.rle.rawValue)
        writer.int32(4, Encoding.rle.rawValue)
      }
    }
    chunk.pages.append(
      EncodedChunk.Page(
        offset: offset, size: chunk.bytes.count - offset, firstRow: rows.lowerBound,
        statistics: statistics, isNull: count == 0))
    return firstValue + count
  }

  /// Appends the values of a page, and returns their encoding.
  private mutating func appendValues(
    _ rows: Range<Int>, _ range: Range<Int>, to page: inout [UInt8], _ pageRange: inout ValueRange
  ) -> Encoding {
    switch values {
    case .bools(let bools):
      page.append(bits: bools[range])
      return .plain
    case .ints(let ints):
      ints.withUnsafeBufferPointer { ints in
        let part = UnsafeBufferPointer(rebasing: ints[range])
        pageRange.add(part)
        self.range.add(part)
        if dictionary == nil { DeltaBinaryPacked.append(part, to: &page) }
      }
      return appendIndexes(range, to: &page) ? .rleDictionary : .deltaBinaryPacked
    case .singles(let singles):
      append(singles, range, to: &page, &pageRange)
      return .plain
    case .doubles(let doubles):
      append(doubles, range, to: &page, &pageRange)
      return .plain
    case .bytes(let ends, let heap):
      let hasDictionary = appendIndexes(range, to: &page)
      if !hasDictionary { appendBytes(rows, ends, heap, to: &page) }
      guard leaf.kind == .text else { return hasDictionary ? .rleDictionary : .plain }
      for row in rows where !isNull(row) { pageRange.add(Self.bytes(row, ends, heap)) }
      self.range.formUnion(pageRange)
      return hasDictionary ? .rleDictionary : .plain
    }
  }

  /// Appends the values of rows behind their lengths.
  private func appendBytes(
    _ rows: Range<Int>, _ ends: UnsafeRawBufferPointer, _ heap: UnsafeRawBufferPointer,
    to page: inout [UInt8]
  ) {
    let start = rows.lowerBound == 0 ? 0 : Self.end(rows.lowerBound - 1, ends)
    let size = Self.end(rows.upperBound - 1, ends) - start + rows.count * 4
    let old = page
    page = [UInt8](unsafeUninitializedCapacity: old.count + size) { buffer, filled in
      var target = UnsafeMutableRawBufferPointer(buffer)
      target.copyBytes(from: old)
      filled = old.count
      for row in rows where !isNull(row) {
        let bytes = Self.bytes(row, ends, heap)
        target = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        target.storeBytes(of: UInt32(truncatingIfNeeded: bytes.count).littleEndian, as: UInt32.self)
        UnsafeMutableRawBufferPointer(rebasing: target[4...]).copyMemory(from: bytes)
        filled += 4 + bytes.count
      }
    }
  }

  /// The end of a row's value in the heap.
  @inline(__always)
  private static func end(_ row: Int, _ ends: UnsafeRawBufferPointer) -> Int {
    Int(ends.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
  }

  private mutating func append<Number: Comparable & BitwiseCopyable>(
    _ numbers: [Number], _ range: Range<Int>, to page: inout [UInt8],
    _ pageRange: inout ValueRange
  ) {
    numbers.withUnsafeBufferPointer { numbers in
      let part = UnsafeBufferPointer(rebasing: numbers[range])
      pageRange.add(part)
      self.range.add(part)
      page.append(contentsOf: UnsafeRawBufferPointer(part))
    }
  }

  /// Appends the numbers of values in the dictionary. Returns false without one.
  private func appendIndexes(_ range: Range<Int>, to page: inout [UInt8]) -> Bool {
    guard let dictionary else { return false }
    page.append(UInt8(indexBits))
    dictionary.withUnsafeBufferPointer { numbers in
      HybridEncoder.append(
        UnsafeBufferPointer(rebasing: numbers[range]), bitWidth: indexBits, to: &page)
    }
    return true
  }

  /// Writes a page behind its header.
  private mutating func write(
    _ page: [UInt8], kind: Int32, _ describe: (inout ThriftWriter) -> Void
  ) throws(ParquetError) {
    var packed: [UInt8] = []
    try page.parsed { (page) throws(ParquetError) in try codec.compress(page, into: &packed) }
    var writer = ThriftWriter()
    writer.structure { writer in
      writer.int32(1, kind)
      writer.int32(2, Int32(page.count))
      writer.int32(3, Int32(packed.count))
      describe(&writer)
    }
    chunk.bytes += writer.bytes
    chunk.bytes += packed
    chunk.unpackedSize += writer.bytes.count + page.count
  }
}

extension [UInt8] {
  /// Appends a number of bytes in 4 bytes.
  fileprivate mutating func append(length: Int) {
    Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian) {
      append(contentsOf: $0)
    }
  }

  fileprivate mutating func set(length: Int, at offset: Int) {
    Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian) { bytes in
      for (index, byte) in bytes.enumerated() { self[offset + index] = byte }
    }
  }

  /// Appends bools, the first one in the lowest bit.
  fileprivate mutating func append(bits: ArraySlice<UInt8>) {
    for (index, bit) in bits.enumerated() {
      if index & 7 == 0 { append(0) }
      self[count - 1] |= bit << UInt8(index & 7)
    }
  }
}
