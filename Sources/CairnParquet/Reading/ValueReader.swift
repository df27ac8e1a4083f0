import CairnSystem

/// Decodes the values of a column's pages, some at a time. For use by one thread.
final class ValueReader {
  /// The most values that are decoded at once.
  static let most = 8192
  /// The most values of a page whose encoding needs all of them at once.
  private static let mostAtOnce = 1 << 24

  private let leaf: LeafColumn
  /// The values that were decoded last, if they are numeric.
  let bits = UnsafeMutablePointer<UInt64>.allocate(capacity: ValueReader.most)
  /// The values that were decoded last as parts of `heap`, if they are bytes.
  let slices = UnsafeMutablePointer<ByteSlice>.allocate(capacity: ValueReader.most)
  private(set) var heap: UnsafeRawPointer

  private let dictionaryPage = ColumnMemory()
  private let dictionaryBits = ColumnMemory()
  private let dictionarySlices = ColumnMemory()
  private var dictionaryCount: Int?
  /// The indexes of the dictionary that were read last.
  let indexes = UnsafeMutablePointer<UInt32>.allocate(capacity: ValueReader.most)
  /// The values of a page whose encoding needs all of them at once.
  private let whole = ColumnMemory()
  /// The byte arrays of such a page, if they do not lie in the page itself.
  private let joined = ColumnMemory()
  private var source = Source.none
  /// Whether the indexes of a dictionary are left as they are.
  var keepsIndexes = false
  /// Whether the values that were read last are the indexes of a dictionary, in ``indexes``.
  private(set) var hasIndexes = false
  /// The number of dictionaries that were opened.
  private(set) var dictionaryNumber = 0

  /// The values of the current page that are left.
  private enum Source {
    case none
    /// Values of a fixed size.
    case fixed(UnsafeRawPointer, count: Int)
    /// Bools, from a bit on.
    case bits(UnsafeRawPointer, first: Int, count: Int)
    case runs(HybridDecoder)
    case dictionary(HybridDecoder)
    /// Byte arrays behind their lengths.
    case plain(ByteCursor)
    /// Byte arrays whose parts lie in `whole`, from an index on.
    case slices(UnsafeRawPointer, first: Int, count: Int)
  }

  init(_ leaf: LeafColumn) {
    self.leaf = leaf
    heap = UnsafeRawPointer(dictionaryPage.base)
  }

  deinit {
    bits.deallocate()
    slices.deallocate()
    indexes.deallocate()
  }

  /// Forgets the dictionary of a column chunk before the next one.
  func close() {
    dictionaryCount = nil
    source = .none
  }

  /// The memory for the page of a dictionary.
  var memory: ColumnMemory { dictionaryPage }

  /// Takes the dictionary in `memory`.
  func openDictionary(_ header: PageHeader) throws(ParquetError) {
    guard header.encoding == .plain || header.encoding == .plainDictionary else {
      throw ParquetError("the dictionary has the encoding \(header.encoding)")
    }
    guard dictionaryCount == nil else { throw ParquetError("the column has a second dictionary") }
    let bytes = dictionaryPage.bytes
    // Each value has a byte or more, or a length before it; that of a bool has a bit.
    guard header.valueCount <= max(1, bytes.count) * 8 else { throw .truncated }
    dictionaryBits.removeAll()
    dictionarySlices.removeAll()
    try open(.plain, bytes, valueCount: header.valueCount)
    var left = header.valueCount
    while left > 0 {
      let count = min(left, Self.most)
      try read(count)
      if leaf.kind.isNumeric {
        dictionaryBits.append(bits, count: count * MemoryLayout<UInt64>.stride)
      } else {
        dictionarySlices.append(slices, count: count * MemoryLayout<ByteSlice>.stride)
      }
      left -= count
    }
    dictionaryCount = header.valueCount
    dictionaryNumber += 1
    source = .none
  }

  /// The number of values of the dictionary; 0 without one.
  var dictionarySize: Int { dictionaryCount ?? 0 }

  /// The bytes of a value of the dictionary, which are valid until another one is opened.
  func dictionaryBytes(_ index: Int) -> UnsafeRawBufferPointer {
    assert(index >= 0 && index < dictionarySize, "the dictionary has no such value")
    let slice = dictionarySlices.base.assumingMemoryBound(to: ByteSlice.self)[index]
    return UnsafeRawBufferPointer(
      start: dictionaryPage.base + Int(slice.start), count: Int(slice.count))
  }

  /// Begins to read the values of a page, which must stay in place.
  ///
  /// - Parameter valueCount: The number of the values, including nulls.
  func open(
    _ encoding: Encoding, _ bytes: UnsafeRawBufferPointer, valueCount: Int
  ) throws(ParquetError) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      source = .none
      return
    }
    switch encoding {
    case .plain: source = plain(bytes, base)
    case .rle:
      guard leaf.type == .boolean else { throw unfit(encoding) }
      var cursor = ByteCursor(bytes)
      let size = Int(try cursor.number(as: UInt32.self))
      source = .runs(try HybridDecoder(try cursor.take(size), bitWidth: 1))
    case .plainDictionary, .rleDictionary:
      guard dictionaryCount != nil else { throw ParquetError("the column lacks its dictionary") }
      let indexBits = Int(bytes[0])
      source = .dictionary(
        try HybridDecoder(UnsafeRawBufferPointer(rebasing: bytes[1...]), bitWidth: indexBits))
    case .deltaBinaryPacked: try openDeltas(bytes, valueCount: valueCount)
    case .deltaLengthByteArray:
      guard leaf.type == .byteArray else { throw unfit(encoding) }
      let count = try Self.total(bytes, upTo: valueCount)
      _ = try DeltaLengthByteArray.decode(bytes, count: count, into: wholeSlices(count))
      source = .slices(base, first: 0, count: count)
    case .deltaByteArray:
      guard leaf.type == .byteArray || leaf.type == .fixedByteArray else { throw unfit(encoding) }
      let count = try Self.total(bytes, upTo: valueCount)
      let values = try DeltaByteArray.decode(
        bytes, count: count, maxSize: 1 << 30, into: wholeSlices(count))
      joined.removeAll()
      values.withUnsafeBytes { values in
        if let start = values.baseAddress { joined.append(start, count: values.count) }
      }
      source = .slices(UnsafeRawPointer(joined.base), first: 0, count: count)
      try checkWidths(count)
    case .byteStreamSplit: try openSplit(bytes)
    case .bitPacked: throw unfit(encoding)
    }
  }

  private func plain(_ bytes: UnsafeRawBufferPointer, _ base: UnsafeRawPointer) -> Source {
    if leaf.type == .boolean { return .bits(base, first: 0, count: bytes.count * 8) }
    if let width = leaf.width { return .fixed(base, count: bytes.count / width) }
    return .plain(ByteCursor(bytes))
  }

  private func unfit(_ encoding: Encoding) -> ParquetError {
    ParquetError("values of the type \(leaf.type) cannot have the encoding \(encoding)")
  }

  /// The number of values that differences state, which nulls are not among.
  private static func total(
    _ bytes: UnsafeRawBufferPointer, upTo valueCount: Int
  ) throws(ParquetError) -> Int {
    var cursor = ByteCursor(bytes)
    _ = try cursor.varint()
    _ = try cursor.varint()
    let count = Int(min(UInt64(valueCount), try cursor.varint()))
    guard count <= mostAtOnce else {
      throw ParquetError("the page has \(count) values, and \(mostAtOnce) is the most")
    }
    return count
  }

  private func openDeltas(
    _ bytes: UnsafeRawBufferPointer, valueCount: Int
  ) throws(ParquetError) {
    let count = try Self.total(bytes, upTo: valueCount)
    whole.removeAll()
    switch leaf.type {
    case .int32:
      let target = whole.appendSpace(max(1, count) * 4).assumingMemoryBound(to: Int32.self)
      _ = try DeltaBinaryPacked.decode(bytes, count: count, into: target)
    case .int64:
      let target = whole.appendSpace(max(1, count) * 8).assumingMemoryBound(to: Int64.self)
      _ = try DeltaBinaryPacked.decode(bytes, count: count, into: target)
    default: throw unfit(.deltaBinaryPacked)
    }
    source = .fixed(UnsafeRawPointer(whole.base), count: count)
  }

  private func openSplit(_ bytes: UnsafeRawBufferPointer) throws(ParquetError) {
    guard let width = leaf.width else { throw unfit(.byteStreamSplit) }
    whole.removeAll()
    let count = bytes.count / width
    try ByteStreamSplit.decode(
      bytes, count: count, width: width, into: whole.appendSpace(bytes.count))
    source = .fixed(UnsafeRawPointer(whole.base), count: count)
  }

  private func wholeSlices(_ count: Int) -> UnsafeMutablePointer<ByteSlice> {
    whole.removeAll()
    return whole.appendSpace(max(1, count) * MemoryLayout<ByteSlice>.stride)
      .assumingMemoryBound(to: ByteSlice.self)
  }

  /// Throws if values of a fixed size have another one.
  private func checkWidths(_ count: Int) throws(ParquetError) {
    guard let width = leaf.width else { return }
    let slices = whole.base.assumingMemoryBound(to: ByteSlice.self)
    for index in 0..<count where Int(slices[index].count) != width {
      throw ParquetError("a value has \(slices[index].count) bytes instead of \(width)")
    }
  }
}

// The next values.
extension ValueReader {
  /// Decodes the next values, at most ``most``, into ``bits`` or ``slices``.
  func read(_ count: Int) throws(ParquetError) {
    assert(count >= 0 && count <= Self.most, "there are more values than the memory holds")
    guard count > 0 else { return }
    hasIndexes = false
    switch source {
    case .none: throw .truncated
    case .fixed(let base, let left):
      guard count <= left else { throw .truncated }
      try takeFixed(base, count)
      source = .fixed(base + count * (leaf.width ?? 0), count: left - count)
    case .bits(let base, let first, let left):
      guard count <= left else { throw .truncated }
      for index in 0..<count {
        let bit = first + index
        bits[index] = UInt64(
          base.load(fromByteOffset: bit >> 3, as: UInt8.self) >> UInt8(bit & 7) & 1)
      }
      source = .bits(base, first: first + count, count: left - count)
    case .runs(var decoder):
      try decoder.read(count, into: indexes)
      source = .runs(decoder)
      for index in 0..<count { bits[index] = UInt64(indexes[index]) }
    case .dictionary(var decoder):
      try decoder.read(count, into: indexes)
      source = .dictionary(decoder)
      try checkIndexes(count)
      if keepsIndexes { hasIndexes = true } else { lookUp(count) }
    case .plain(var cursor):
      try takePlain(&cursor, count)
      source = .plain(cursor)
    case .slices(let base, let first, let left):
      guard count <= left else { throw .truncated }
      try takeSlices(base, first: first, count)
      source = .slices(base, first: first + count, count: left - count)
    }
  }

  /// Passes over the next values. Those that lie behind their lengths are not decoded.
  func skip(_ count: Int) throws(ParquetError) {
    assert(count >= 0 && count <= Self.most, "there are more values than the memory holds")
    switch source {
    case .fixed(let base, let left):
      guard count <= left else { throw .truncated }
      source = .fixed(base + count * (leaf.width ?? 0), count: left - count)
    case .bits(let base, let first, let left):
      guard count <= left else { throw .truncated }
      source = .bits(base, first: first + count, count: left - count)
    case .slices(let base, let first, let left):
      guard count <= left else { throw .truncated }
      source = .slices(base, first: first + count, count: left - count)
    case .dictionary(var decoder):
      try decoder.read(count, into: indexes)
      source = .dictionary(decoder)
    case .none, .runs, .plain: try read(count)
    }
  }

  /// Throws if an index is not one of the dictionary.
  private func checkIndexes(_ count: Int) throws(ParquetError) {
    let size = dictionaryCount ?? 0
    var greatest: UInt32 = 0
    for index in 0..<count { greatest = max(greatest, indexes[index]) }
    guard Int(greatest) < size else {
      throw ParquetError("a value is number \(greatest) of a dictionary of \(size)")
    }
  }

  /// Replaces the indexes that were read last by the values of the dictionary.
  func lookUp(_ count: Int) {
    if leaf.kind.isNumeric {
      let values = dictionaryBits.base.assumingMemoryBound(to: UInt64.self)
      for index in 0..<count { bits[index] = values[Int(indexes[index])] }
    } else {
      heap = UnsafeRawPointer(dictionaryPage.base)
      let values = dictionarySlices.base.assumingMemoryBound(to: ByteSlice.self)
      for index in 0..<count { slices[index] = values[Int(indexes[index])] }
    }
  }

  private func takePlain(_ cursor: inout ByteCursor, _ count: Int) throws(ParquetError) {
    for index in 0..<count {
      let size = try cursor.number(as: UInt32.self)
      guard Int(size) <= cursor.remaining, cursor.offset <= Int(UInt32.max) else {
        throw .truncated
      }
      slices[index] = ByteSlice(start: UInt32(cursor.offset), count: size)
      _ = try cursor.take(Int(size))
    }
    if let base = cursor.bytes.baseAddress { heap = base }
    if leaf.kind.isNumeric { try convertSlices(count) }
  }

  private func takeSlices(
    _ base: UnsafeRawPointer, first: Int, _ count: Int
  ) throws(ParquetError) {
    let found = whole.base.assumingMemoryBound(to: ByteSlice.self) + first
    slices.update(from: found, count: count)
    heap = base
    if leaf.kind.isNumeric { try convertSlices(count) }
  }

  /// Converts values of a fixed size.
  private func takeFixed(_ base: UnsafeRawPointer, _ count: Int) throws(ParquetError) {
    switch leaf.type {
    case .int32:
      let isSigned = leaf.kind != .int(isSigned: false)
      for index in 0..<count {
        let value = base.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
        bits[index] =
          isSigned
          ? UInt64(bitPattern: Int64(Int32(littleEndian: value)))
          : UInt64(UInt32(bitPattern: Int32(littleEndian: value)))
      }
      try NumberConversion.convert(bits, count, leaf.kind)
    case .int64:
      UnsafeMutableRawPointer(bits).copyMemory(from: base, byteCount: count * 8)
      try NumberConversion.convert(bits, count, leaf.kind)
    case .float:
      for index in 0..<count {
        let value = base.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
        bits[index] = Double(value).bitPattern
      }
    case .double: UnsafeMutableRawPointer(bits).copyMemory(from: base, byteCount: count * 8)
    case .int96: NumberConversion.convertOldTimestamps(base, count, into: bits)
    case .boolean, .byteArray: break
    case .fixedByteArray:
      for index in 0..<count {
        slices[index] = ByteSlice(
          start: UInt32(truncatingIfNeeded: index * leaf.length), count: UInt32(leaf.length))
      }
      heap = base
      if leaf.kind.isNumeric { try convertSlices(count) }
    }
  }

  /// Converts values in bytes to numbers.
  private func convertSlices(_ count: Int) throws(ParquetError) {
    for index in 0..<count {
      let slice = slices[index]
      let value = UnsafeRawBufferPointer(start: heap + Int(slice.start), count: Int(slice.count))
      bits[index] = try NumberConversion.double(value, leaf.kind).bitPattern
    }
  }
}
