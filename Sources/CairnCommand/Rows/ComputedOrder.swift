import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The order of rows by computed columns, among other keys.
///
/// The keys apply from the least significant to the most significant one, in stable sorts: properties
/// and distances by a query, computed columns by their values in batches.
struct ComputedOrder {
  private let order: Order
  private let request: QueryRequest

  init(_ order: Order, of request: QueryRequest) {
    self.order = order
    self.request = request
  }

  /// The keys of the rows that match a query without an order, in this order, at least as many as
  /// its offset and limit need.
  func keys(_ query: TableQuery) throws -> [Int] {
    var source = query.source
    let needed = query.distinct.isEmpty ? query.limit.map { query.offset &+ $0 } : nil
    for (index, group) in groups.enumerated().reversed() {
      var step = request.source.query
      step.source = source
      let limit = index == 0 ? needed.flatMap { $0 < 0 ? nil : $0 } : nil
      switch group {
      case .stored(let keys):
        step.sort = keys
        step.limit = limit
        source = .keys(try request.execution(step).keys())
      case .computed(let column, let ascending):
        let values = try ComputedValues(
          [column], on: request.source.table,
          distance: request.origin.map { try $0.reader(of: request.source.table) })
        var top = ComputedTop(ascending: ascending, limit: limit, name: column.name)
        try top.add(try request.execution(step), values: values)
        source = .keys(top.ordered())
      }
    }
    guard case .keys(let keys) = source else { return [] }
    return keys
  }

  private enum Group {
    case stored([SortKey])
    case computed(ComputedColumn, ascending: Bool)
  }

  /// The keys, with consecutive stored ones together.
  private var groups: [Group] {
    order.keys.reduce(into: []) { groups, key in
      switch (key, groups.last) {
      case (.stored(let key), .stored(let before)):
        groups[groups.count - 1] = .stored(before + [key])
      case (.stored(let key), _): groups.append(.stored([key]))
      case (.computed(let column, let ascending), _):
        groups.append(.computed(column, ascending: ascending))
      }
    }
  }
}

/// The first rows in the order of a computed column.
private struct ComputedTop {
  /// A row with its value: 64 bits that sort like it, and its exact bytes if these do not suffice.
  private struct Entry {
    let rank: UInt64
    let key: Int
    /// The number of the row in the order before.
    let index: UInt32
    /// The number of bytes.
    let length: UInt32
    /// The offset of the bytes.
    var start: Int
  }

  private let isAscending: Bool
  private let limit: Int
  private let name: String
  private var entries: [Entry] = []
  /// The rows without a value, which come first ascending and last descending.
  private var nulls: [Int] = []
  /// The bytes of texts and decimals.
  private var bytes: [UInt8] = []
  private var areDecimals = false
  private var count: UInt32 = 0

  /// - Parameter limit: The number of rows that are needed; nil for all.
  init(ascending: Bool, limit: Int?, name: String) {
    isAscending = ascending
    self.limit = limit ?? .max
    self.name = name
  }

  /// Adds the rows of a query.
  mutating func add(_ execution: Execution, values: ComputedValues) throws {
    var values = values
    var batch: [Int] = []
    for key in execution.keys() {
      batch.append(key)
      if batch.count == values.batchSize { try add(&batch, values: &values) }
    }
    try add(&batch, values: &values)
  }

  private mutating func add(_ batch: inout [Int], values: inout ComputedValues) throws {
    try values.compute(batch)
    let results = values.results[0]
    for (row, key) in batch.enumerated() {
      count &+= 1
      if results.isNull(row) {
        nulls.append(key)
        continue
      }
      let start = bytes.count
      let rank = try rank(results, row: row)
      entries.append(
        Entry(
          rank: rank, key: key, index: count,
          length: UInt32(truncatingIfNeeded: bytes.count - start), start: start))
    }
    batch.removeAll(keepingCapacity: true)
    if limit < .max / 4, entries.count > 2 * limit + 100_000 { prune() }
  }

  /// The rank of a value, whose bytes are kept if the rank does not determine it.
  private mutating func rank(_ results: FormulaVector, row: Int) throws -> UInt64 {
    switch results.type {
    case .bool, .int: return UInt64(bitPattern: results.int(row)) ^ 1 << 63
    case .double, .date: return Self.rank(results.double(row))
    case .string:
      let text = results.bytes(row)
      bytes.append(contentsOf: text)
      return (0..<8).reduce(0) { $0 << 8 | ($1 < text.count ? UInt64(text[$1]) : 0) }
    case .decimal128:
      guard case .decimal(let number) = results.value(row) else { return 0 }
      areDecimals = true
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
      return Self.rank(number.doubleValue)
    default: throw Failure(.usage, message: "--sort: the values of '\(name)' have no order")
    }
  }

  /// The bits of a number, which sort like it; NaN comes first.
  private static func rank(_ number: Double) -> UInt64 {
    if number.isNaN { return 0 }
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// The rows in order.
  mutating func ordered() -> [Int] {
    sort()
    let keys = entries.map(\.key)
    return isAscending ? nulls + keys : keys + nulls
  }

  /// Drops the rows that are not needed.
  private mutating func prune() {
    sort()
    entries.removeLast(max(entries.count - limit, 0))
    nulls.removeLast(max(nulls.count - limit, 0))
    var kept: [UInt8] = []
    for number in entries.indices {
      let entry = entries[number]
      entries[number].start = kept.count
      kept += bytes[entry.start..<entry.start + Int(entry.length)]
    }
    bytes = kept
  }

  private mutating func sort() {
    let (isAscending, areDecimals) = (isAscending, areDecimals)
    bytes.withUnsafeBytes { bytes in
      /// The bytes of an entry. Valid until the sort ends.
      func content(_ entry: Entry) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + Int(entry.length)])
      }
      entries.sort { a, b in
        if a.rank != b.rank { return (a.rank < b.rank) == isAscending }
        let order =
          areDecimals
          ? Self.decimalOrder(content(a), and: content(b)) : Self.order(content(a), and: content(b))
        return order == 0 ? a.index < b.index : (order < 0) == isAscending
      }
    }
  }

  private static func order(_ a: UnsafeRawBufferPointer, and b: UnsafeRawBufferPointer) -> Int {
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return a.count - b.count
  }

  private static func decimalOrder(
    _ a: UnsafeRawBufferPointer, and b: UnsafeRawBufferPointer
  ) -> Int {
    assert(
      a.count == MemoryLayout<Decimal128>.size && b.count == a.count,
      "the bytes are not two decimals")
    let (a, b) = (a.loadUnaligned(as: Decimal128.self), b.loadUnaligned(as: Decimal128.self))
    return a < b ? -1 : b < a ? 1 : 0
  }
}
