internal import CArrow

/// Makes arrays of the C data interface of rows of a batch, and checks all that refers to something else.
///
/// Bits and values begin at a row that is a multiple of 8, so the arrays have offsets of up to 7.
struct ArrayLoader {
  private let body: BodyReader
  private let arena: ArrowArena
  private let dictionary: (ArrowField) throws(ArrowError) -> LoadedDictionary
  private let field: ArrowField
  private var node = 0
  private var buffer = 0
  private var viewColumn = 0

  /// - Parameters:
  ///   - fields: The columns before the one that is loaded.
  ///   - dictionary: Returns the dictionary of a column.
  init(
    _ field: ArrowField, behind fields: ArraySlice<ArrowField>, of body: BodyReader,
    in arena: ArrowArena, dictionary: @escaping (ArrowField) throws(ArrowError) -> LoadedDictionary
  ) throws(ArrowError) {
    self.field = field
    self.body = body
    self.arena = arena
    self.dictionary = dictionary
    for field in fields { try pass(field) }
  }

  /// Loads rows of the column; nil for all.
  mutating func load(_ rows: Range<Int>?) throws(ArrowError) -> cairn_arrow_array {
    try load(field, rows)
  }

  // MARK: Order

  /// Passes over the parts of a column.
  private mutating func pass(_ field: ArrowField) throws(ArrowError) {
    node += 1
    buffer += try bufferCount(field)
    guard field.dictionaryIndex == nil else { return }
    for child in field.children { try pass(child) }
  }

  /// The number of the buffers of a column without those of its children.
  private mutating func bufferCount(_ field: ArrowField) throws(ArrowError) -> Int {
    guard field.dictionaryIndex == nil else { return 2 }
    switch field.type {
    case .null, .runs: return 0
    case .fixedList, .structure: return 1
    case .list, .map: return 2
    case .text, .binary, .listView: return 3
    case .textView, .binaryView: return 2 + (try takeViewCount())
    case .union(let isDense): return (isDense ? 2 : 1) + (body.header.isOld ? 1 : 0)
    default: return 2
    }
  }

  private mutating func takeViewCount() throws(ArrowError) -> Int {
    let counts = body.header.viewBuffers
    guard viewColumn < counts.count, 0...Int64(body.header.buffers.count) ~= counts[viewColumn]
    else { throw ArrowError("a batch lacks a buffer") }
    defer { viewColumn += 1 }
    return Int(counts[viewColumn])
  }

  private func parts(_ field: ArrowField) throws(ArrowError) -> BatchHeader.Node {
    guard node < body.header.nodes.count else { throw ArrowError("a batch lacks a column") }
    return body.header.nodes[node]
  }

  // MARK: Arrays

  /// Some rows of a column, and the buffers in front of their values.
  private struct Rows {
    let rows: Range<Int>
    let nullCount: Int64
    let firstBuffer: Int
    let bufferCount: Int

    /// The first row whose values are loaded.
    var start: Int { rows.lowerBound & ~7 }
    /// All rows whose values are loaded.
    var loaded: Range<Int> { start..<rows.upperBound }
  }

  private mutating func load(
    _ field: ArrowField, _ range: Range<Int>?
  ) throws(ArrowError) -> cairn_arrow_array {
    let part = try parts(field)
    let range = range ?? 0..<part.count
    guard range.upperBound <= part.count else {
      throw ArrowError("the column `\(field.name)` lacks some of its rows")
    }
    node += 1
    let rows = Rows(
      rows: range, nullCount: part.nullCount, firstBuffer: buffer,
      bufferCount: try bufferCount(field))
    buffer += rows.bufferCount
    if let index = field.dictionaryIndex {
      var array = try array(rows, [try values(rows, width: index.width ?? 0)])
      let values = arena.allocate(1, of: cairn_arrow_array.self)
      values.initialize(to: try dictionary(field).array)
      array.dictionary = values
      return array
    }
    switch field.type {
    case .null, .union: return try array(rows, [], hasBits: false)
    case .bool:
      let bits = rows.start / 8..<(rows.rows.upperBound + 7) / 8
      return try array(rows, [try body.bytes(rows.firstBuffer + 1, bits)])
    case .text(let isLarge), .binary(let isLarge):
      let (offsets, heap) = try offsets(rows, isLarge: isLarge)
      return try array(rows, [offsets, try body.bytes(rows.firstBuffer + 2, heap)])
    case .textView, .binaryView: return try views(rows)
    case .list(let isLarge): return try list(field, rows, isLarge: isLarge)
    case .map: return try list(field, rows, isLarge: false)
    case .listView(let isLarge): return try listView(field, rows, isLarge: isLarge)
    case .fixedList(let count):
      let (end, overflows) = rows.rows.upperBound.multipliedReportingOverflow(by: count)
      guard !overflows else { throw .damaged }
      return try array(rows, [], children: [try child(field, 0, rows.start * count..<end)])
    case .structure:
      var children: [cairn_arrow_array] = []
      for index in field.children.indices {
        children.append(try child(field, index, rows.loaded))
      }
      return try array(rows, [], children: children)
    case .runs: return try runs(field, rows)
    default: return try array(rows, [try values(rows, width: field.type.width ?? 0)])
    }
  }

  private mutating func child(
    _ field: ArrowField, _ index: Int, _ range: Range<Int>?
  ) throws(ArrowError) -> cairn_arrow_array {
    guard index < field.children.count else { throw .damaged }
    return try load(field.children[index], range)
  }

  /// Returns the array of rows with buffers behind the bits of those that are not null.
  private func array(
    _ rows: Rows, _ buffers: [UnsafeRawPointer], children: [cairn_arrow_array] = [],
    hasBits: Bool = true
  ) throws(ArrowError) -> cairn_arrow_array {
    var array = cairn_arrow_array()
    array.length = Int64(rows.rows.count)
    array.offset = Int64(rows.rows.lowerBound - rows.start)
    var bits: UnsafeRawPointer?
    if hasBits, rows.nullCount != 0, try !body.isEmpty(rows.firstBuffer) {
      bits = try body.bytes(
        rows.firstBuffer, rows.start / 8..<(rows.rows.upperBound + 7) / 8)
      array.null_count = -1
    }
    array.n_buffers = hasBits ? Int64(buffers.count + 1) : 0
    let list = arena.allocate(buffers.count + 1, of: UnsafeRawPointer?.self)
    list.initialize(to: bits)
    for (index, buffer) in buffers.enumerated() { (list + 1 + index).initialize(to: buffer) }
    array.buffers = list
    array.n_children = Int64(children.count)
    let arrays = arena.allocate(children.count, of: cairn_arrow_array.self)
    let pointers = arena.allocate(
      children.count, of: UnsafeMutablePointer<cairn_arrow_array>?.self)
    for (index, child) in children.enumerated() {
      (arrays + index).initialize(to: child)
      (pointers + index).initialize(to: arrays + index)
    }
    array.children = pointers
    return array
  }

  /// Returns the values of a fixed size.
  private func values(_ rows: Rows, width: Int) throws(ArrowError) -> UnsafeRawPointer {
    let (end, overflows) = rows.rows.upperBound.multipliedReportingOverflow(by: width)
    guard !overflows else { throw .damaged }
    return try body.bytes(rows.firstBuffer + 1, rows.start * width..<end)
  }
}

// Values of any size.
extension ArrayLoader {
  /// Returns the offsets of the rows from the first one on, and the range that they had.
  private func offsets(
    _ rows: Rows, isLarge: Bool
  ) throws(ArrowError) -> (UnsafeRawPointer, Range<Int>) {
    let width = isLarge ? 8 : 4
    let count = rows.loaded.count
    // A column without values may lack its offsets.
    guard count > 0 else {
      let zero = arena.allocate(width)
      zero.initializeMemory(as: UInt8.self, repeating: 0, count: width)
      return (UnsafeRawPointer(zero), 0..<0)
    }
    let bytes = try body.copy(
      rows.firstBuffer + 1, rows.start * width..<(rows.rows.upperBound + 1) * width)
    let range =
      isLarge
      ? Self.rebase(bytes.bindMemory(to: Int64.self, capacity: count + 1), count)
      : Self.rebase(bytes.bindMemory(to: Int32.self, capacity: count + 1), count)
    guard let range else {
      throw ArrowError("a text or a list ends before it begins")
    }
    return (UnsafeRawPointer(bytes), range)
  }

  /// Subtracts the first offset from all; returns nil if they are not in order.
  private static func rebase<Number: FixedWidthInteger & SignedInteger>(
    _ offsets: UnsafeMutablePointer<Number>, _ count: Int
  ) -> Range<Int>? {
    let first = offsets[0]
    guard first >= 0 else { return nil }
    var last = first
    var isOrdered = true
    for index in 0...count {
      let offset = offsets[index]
      isOrdered = isOrdered && offset >= last
      last = offset
      offsets[index] = offset &- first
    }
    return isOrdered ? Int(first)..<Int(last) : nil
  }

  private mutating func list(
    _ field: ArrowField, _ rows: Rows, isLarge: Bool
  ) throws(ArrowError) -> cairn_arrow_array {
    let (offsets, range) = try offsets(rows, isLarge: isLarge)
    return try array(rows, [offsets], children: [try child(field, 0, range)])
  }

  private mutating func listView(
    _ field: ArrowField, _ rows: Rows, isLarge: Bool
  ) throws(ArrowError) -> cairn_arrow_array {
    let width = isLarge ? 8 : 4
    let bytes = rows.start * width..<rows.rows.upperBound * width
    let starts = try body.copy(rows.firstBuffer + 1, bytes)
    let sizes = try body.copy(rows.firstBuffer + 2, bytes)
    let count = rows.loaded.count
    let range =
      isLarge
      ? Self.rebase(
        starts.bindMemory(to: Int64.self, capacity: count),
        sizes.bindMemory(to: Int64.self, capacity: count), count)
      : Self.rebase(
        starts.bindMemory(to: Int32.self, capacity: count),
        sizes.bindMemory(to: Int32.self, capacity: count), count)
    guard let range else { throw ArrowError("a list ends before it begins") }
    return try array(
      rows, [UnsafeRawPointer(starts), UnsafeRawPointer(sizes)],
      children: [try child(field, 0, range)])
  }

  /// Subtracts the first offset in use from all; returns nil if a size is negative. Empty lists get
  /// the offset 0.
  private static func rebase<Number: FixedWidthInteger & SignedInteger>(
    _ starts: UnsafeMutablePointer<Number>, _ sizes: UnsafeMutablePointer<Number>, _ count: Int
  ) -> Range<Int>? {
    var (first, end) = (Number.max, Number.zero)
    for index in 0..<count where sizes[index] != 0 {
      let (last, overflows) = starts[index].addingReportingOverflow(sizes[index])
      guard !overflows, starts[index] >= 0, sizes[index] > 0 else { return nil }
      first = min(first, starts[index])
      end = max(end, last)
    }
    guard first <= end else {
      starts.update(repeating: 0, count: count)
      return 0..<0
    }
    for index in 0..<count {
      starts[index] = sizes[index] == 0 ? 0 : starts[index] - first
    }
    return Int(first)..<Int(end)
  }

  private mutating func runs(
    _ field: ArrowField, _ rows: Rows
  ) throws(ArrowError) -> cairn_arrow_array {
    guard field.children.count == 2, let type = Optional(field.children[0].type) else {
      throw .damaged
    }
    let ends = try child(field, 0, nil)
    let values = try child(field, 1, nil)
    var last: Int64 = 0
    for index in 0..<Int(ends.length) {
      let end = ArrowColumn.integer(ends, type: type, at: index)
      guard end > last else { throw ArrowError("the runs of `\(field.name)` are not in order") }
      last = end
    }
    guard ends.length <= values.length, last >= Int64(rows.rows.upperBound) else {
      throw ArrowError("the runs of `\(field.name)` lack some of its rows")
    }
    var array = try array(rows, [], children: [ends, values], hasBits: false)
    array.offset = Int64(rows.rows.lowerBound)
    return array
  }
}

// Views.
extension ArrayLoader {
  /// Loads views, and those parts of their buffers that they lead to.
  private func views(_ rows: Rows) throws(ArrowError) -> cairn_arrow_array {
    let count = rows.loaded.count
    let views = try body.copy(
      rows.firstBuffer + 1, rows.start * 16..<rows.rows.upperBound * 16
    ).bindMemory(to: View.self, capacity: count)
    var array = try array(rows, [UnsafeRawPointer(views)])
    clearNulls(views, count, bits: array.buffers?[0] ?? nil)
    let bufferCount = rows.bufferCount - 2
    var used = [Range<Int>](repeating: 0..<0, count: bufferCount)
    for index in 0..<count where views[index].isLong {
      let (number, range) = try views[index].target(of: bufferCount)
      let known = used[number].isEmpty ? range : used[number]
      let start = min(known.lowerBound, range.lowerBound)
      used[number] = start..<max(known.upperBound, range.upperBound)
    }
    for index in 0..<count where views[index].isLong {
      views[index].start -= Int32(used[Int(views[index].number)].lowerBound)
    }
    let list = arena.allocate(2 + bufferCount, of: UnsafeRawPointer?.self)
    list.initialize(to: array.buffers?[0] ?? nil)
    (list + 1).initialize(to: UnsafeRawPointer(views))
    for number in 0..<bufferCount {
      let bytes =
        used[number].isEmpty ? nil : try body.bytes(rows.firstBuffer + 2 + number, used[number])
      (list + 2 + number).initialize(to: bytes)
    }
    array.buffers = list
    array.n_buffers = Int64(2 + bufferCount)
    return array
  }

  /// A text: its size, and its first bytes and its position, or all of its bytes.
  private struct View: BitwiseCopyable {
    var count: Int32
    var prefix: Int32
    var number: Int32
    var start: Int32

    var isLong: Bool { !(0...Int32(ArrowColumn.longestInView) ~= count) }

    func target(of bufferCount: Int) throws(ArrowError) -> (number: Int, range: Range<Int>) {
      guard count > 0, start >= 0, 0..<bufferCount ~= Int(number) else {
        throw ArrowError("a text lies outside of its buffer")
      }
      return (Int(number), Int(start)..<Int(start) + Int(count))
    }
  }

  /// The views of nulls may have any bytes.
  private func clearNulls(
    _ views: UnsafeMutablePointer<View>, _ count: Int, bits: UnsafeRawPointer?
  ) {
    guard let bits else { return }
    for index in 0..<count
    where bits.load(fromByteOffset: index >> 3, as: UInt8.self) >> UInt8(index & 7) & 1 == 0 {
      views[index] = View(count: 0, prefix: 0, number: 0, start: 0)
    }
  }
}
