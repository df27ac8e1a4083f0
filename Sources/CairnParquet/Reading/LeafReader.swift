internal import CairnIO
import CairnSystem

/// Reads the entries of a column, from any row on: values with their levels. For use by one thread.
final class LeafReader {
  let leaf: LeafColumn
  /// The levels of the entries that were read last. Those that a column does not have are 0.
  let definitions = UnsafeMutablePointer<UInt8>.allocate(capacity: ValueReader.most)
  let repetitions = UnsafeMutablePointer<UInt8>.allocate(capacity: ValueReader.most)
  /// The number of entries that were read last, and of those that are not null.
  private(set) var count = 0
  private(set) var valueCount = 0
  let values: ValueReader

  private let pages: PageStream
  private let memory = ColumnMemory()
  /// The entries of the current page that were not read.
  private var left = 0
  private var definitionRuns: HybridDecoder?
  private var repetitionRuns: HybridDecoder?
  /// The levels of a page in the deprecated encoding, from an index on.
  private var oldDefinitions: ColumnMemory?
  private var oldRepetitions: ColumnMemory?
  private var oldIndex = 0
  /// The row group that is open, and the entries before the next one, which are rows in a column without
  /// lists.
  private var group: Int?
  private var position: Int64 = 0

  init(_ leaf: LeafColumn, of file: ParquetFile) {
    self.leaf = leaf
    pages = PageStream(leaf, of: file)
    values = ValueReader(leaf)
    definitions.initialize(repeating: 0, count: ValueReader.most)
    repetitions.initialize(repeating: 0, count: ValueReader.most)
  }

  deinit {
    definitions.deallocate()
    repetitions.deallocate()
  }

  /// Begins with the first entry of a row group.
  func open(group: Int) throws(ImportError) {
    try pages.open(group: group)
    values.close()
    self.group = group
    (left, position, count, valueCount) = (0, 0, 0, 0)
  }

  /// Moves to a row of a row group, in a column without lists. Pages before it are not unpacked.
  func move(to row: Int64, group: Int) throws(ImportError) {
    if self.group != group || row < position { try open(group: group) }
    while position < row {
      if left == 0, try !nextPage(skipping: row - position) { throw ended }
      let part = Int(min(row - position, Int64(left)))
      if part > 0 { try read(min(part, ValueReader.most), skips: true) }
    }
  }

  /// Reads the next entries: `most` of them, or those that are left of the page.
  ///
  /// - Returns: false at the end of the row group.
  func readNext(_ most: Int) throws(ImportError) -> Bool {
    while left == 0 {
      guard try nextPage(skipping: 0) else { return false }
    }
    try read(min(most, left, ValueReader.most))
    return true
  }

  /// The error of a column that ends before its row group.
  var ended: ImportError { pages.failure(ParquetError("the column has too few values")) }

  /// Returns an error at the current page.
  func failure(_ error: ParquetError) -> ImportError { pages.failure(error) }

  /// - Parameter skips: Whether the values are passed over.
  private func read(_ wanted: Int, skips: Bool = false) throws(ImportError) {
    try pages.locating { () throws(ParquetError) in
      try readLevels(&repetitionRuns, oldRepetitions, wanted, into: repetitions)
      try readLevels(&definitionRuns, oldDefinitions, wanted, into: definitions)
      oldIndex += wanted
      count = wanted
      valueCount = try presentCount()
      try skips ? values.skip(valueCount) : values.read(valueCount)
    }
    left -= wanted
    position += Int64(wanted)
  }

  private func readLevels(
    _ runs: inout HybridDecoder?, _ old: ColumnMemory?, _ count: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) throws(ParquetError) {
    if let old {
      UnsafeMutableRawPointer(target).copyMemory(from: old.base + oldIndex, byteCount: count)
    } else {
      try runs?.readBytes(count, into: target)
    }
  }

  /// The number of entries that are not null.
  private func presentCount() throws(ParquetError) -> Int {
    guard leaf.maxDefinition > 0 else { return count }
    let most = UInt8(leaf.maxDefinition)
    let (present, greatest) = Self.summary(definitions, count, most: most)
    guard greatest <= most else {
      throw ParquetError("a level is \(greatest), and \(most) is the most")
    }
    return present
  }

  /// Returns the number of levels that are `most`, and the greatest one, in steps of 16 levels.
  private static func summary(
    _ levels: UnsafeMutablePointer<UInt8>, _ count: Int, most: UInt8
  ) -> (present: Int, greatest: UInt8) {
    typealias Lanes = SIMD16<UInt8>
    let bytes = UnsafeRawPointer(levels)
    var (present, done, greatest) = (0, 0, Lanes.zero)
    while count - done >= Lanes.scalarCount {
      // A lane counts up to 255 levels.
      let steps = min(255, (count - done) / Lanes.scalarCount)
      var found = Lanes.zero
      for step in 0..<steps {
        let lanes = bytes.loadUnaligned(
          fromByteOffset: done + step * Lanes.scalarCount, as: Lanes.self)
        found.replace(with: found &+ 1, where: lanes .== most)
        greatest.replace(with: lanes, where: lanes .> greatest)
      }
      present += Int(SIMD16<UInt16>(truncatingIfNeeded: found).wrappedSum())
      done += steps * Lanes.scalarCount
    }
    var last = greatest.max()
    for index in done..<count {
      present += levels[index] == most ? 1 : 0
      last = max(last, levels[index])
    }
    return (present, last)
  }
}

// Pages.
extension LeafReader {
  /// Opens the next page with values. Without lists, a page of at most `rows` entries is passed over.
  ///
  /// - Returns: false at the end of the row group.
  private func nextPage(skipping rows: Int64) throws(ImportError) -> Bool {
    var rows = rows
    while let header = try pages.header() {
      switch header.kind {
      case .index: pages.skip(header)
      case .dictionary:
        try pages.read(header, into: values.memory)
        try pages.locating { () throws(ParquetError) in try values.openDictionary(header) }
      case .data, .dataV2:
        if leaf.maxRepetition == 0, header.valueCount <= rows {
          pages.skip(header)
          position += Int64(header.valueCount)
          rows -= Int64(header.valueCount)
          if rows == 0 { return true }
          continue
        }
        try pages.read(header, into: memory)
        try pages.locating { () throws(ParquetError) in try openData(header) }
        left = header.valueCount
        if left > 0 { return true }
      }
    }
    return false
  }

  private func openData(_ header: PageHeader) throws(ParquetError) {
    var cursor = ByteCursor(memory.bytes)
    (definitionRuns, repetitionRuns, oldDefinitions, oldRepetitions) = (nil, nil, nil, nil)
    oldIndex = 0
    if case .dataV2(let definitionSize, let repetitionSize, _) = header.kind {
      repetitionRuns = try Self.runs(try cursor.take(repetitionSize), leaf.maxRepetition)
      definitionRuns = try Self.runs(try cursor.take(definitionSize), leaf.maxDefinition)
    } else {
      (repetitionRuns, oldRepetitions) = try Self.levels(
        &cursor, header.repetitionEncoding, most: leaf.maxRepetition, count: header.valueCount)
      (definitionRuns, oldDefinitions) = try Self.levels(
        &cursor, header.definitionEncoding, most: leaf.maxDefinition, count: header.valueCount)
    }
    try values.open(
      header.encoding, try cursor.take(cursor.remaining), valueCount: header.valueCount)
  }

  private static func bitWidth(_ most: Int) -> Int { Int.bitWidth - most.leadingZeroBitCount }

  private static func runs(
    _ bytes: UnsafeRawBufferPointer, _ most: Int
  ) throws(ParquetError) -> HybridDecoder? {
    most == 0 ? nil : try HybridDecoder(bytes, bitWidth: bitWidth(most))
  }

  /// Opens the levels before the values of a page.
  private static func levels(
    _ cursor: inout ByteCursor, _ encoding: Encoding, most: Int, count: Int
  ) throws(ParquetError) -> (HybridDecoder?, ColumnMemory?) {
    guard most > 0 else { return (nil, nil) }
    switch encoding {
    case .rle:
      let size = Int(try cursor.number(as: UInt32.self))
      return (try runs(try cursor.take(size), most), nil)
    case .bitPacked:
      // A byte holds 8 levels at the most.
      guard count <= cursor.remaining * 8 else { throw .truncated }
      let memory = ColumnMemory(capacity: count)
      let target = memory.appendSpace(count).assumingMemoryBound(to: UInt8.self)
      let rest = UnsafeRawBufferPointer(rebasing: cursor.bytes[cursor.offset...])
      let size = try BitPackedLevels.decode(
        rest, count: count, bitWidth: bitWidth(most), into: target)
      _ = try cursor.take(size)
      return (nil, memory)
    default: throw ParquetError("levels cannot have the encoding \(encoding)")
    }
  }
}
