import CairnStorage
import CairnValues

/// A key of the object that a link leads to, which may be one of an object that a further link leads to.
final class LinkedSort: SortColumn, @unchecked Sendable {
  private let hop: Hop
  /// The key of those objects.
  let inner: SortColumn
  private let ranks: TargetRanks

  /// - Parameters:
  ///   - column: the property that the hop follows.
  ///   - hop: leads to one object.
  init(_ column: Column, _ hop: Hop, _ inner: SortColumn) {
    self.hop = hop
    self.inner = inner
    ranks = TargetRanks(inner, hop.live, chunkCount: hop.target.chunkCount)
    super.init(column, isAscending: inner.isAscending)
  }

  override var name: String { "\(hop.name).\(inner.name)" }

  /// The object whose key is the row's; nil: the link is null.
  private func target(of key: Int) -> Int? {
    var target: Int?
    _ = hop.forEach(key) { found in
      target = found
      return false
    }
    return target
  }

  /// The rank where there is no object: last ascending, first descending; of distances last either way.
  private var missing: UInt64 { isDistance && !isAscending ? 0 : .max }

  override func ascendingRanks(
    _ chunk: Chunk, _ first: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    let missing = missing
    let known = self.ranks
    var place = 0
    guard hop is LinkHop else {
      return rows.forEachRow { row -> Void in
        ranks[place] = target(of: first | row).map(known.rank) ?? missing
        place += 1
      }
    }
    let live = hop.live
    rows.forEachRow { row -> Void in
      let target = Int(chunk.rowInteger(row))
      ranks[place] =
        chunk.isRowNull(row) || !live.holds(target) ? missing : known.rank(target)
      place += 1
    }
  }

  override func isAmbiguous(_ rank: UInt64) -> Bool {
    // No object is no distance, as an object without a location is.
    rank == missing && !isDistance || inner.isAmbiguous(rank)
  }

  override func isMissing(_ key: Int) -> Bool { target(of: key).map(inner.isMissing) ?? true }

  override func order(_ a: Int, _ b: Int) -> Int {
    let isMissing = self.isMissing(a)
    if isMissing != self.isMissing(b) { return isMissing == (missing != 0) ? 1 : -1 }
    guard !isMissing, let first = target(of: a), let second = target(of: b) else { return 0 }
    // Rows of one rank, of which the inner key may have to tell more.
    return inner.isAmbiguous(inner.ascendingRank(first)) ? inner.order(first, second) : 0
  }

  override var isDistance: Bool { inner.isDistance }
  override func radians(_ key: Int) -> Double? { target(of: key).flatMap(inner.radians) }

  override func prepareFurther(_ chunks: [Int]) {
    hop.prepare()
    ranks.prepare(chunks.count << ChunkShape.shift)
  }
}

/// Mixed values, and what maps hold under a key.
final class ReaderSort: SortColumn, @unchecked Sendable {
  private let reader: PathReader

  init(_ column: Column, _ reader: PathReader, isAscending: Bool) {
    self.reader = reader
    super.init(column, isAscending: isAscending)
  }

  override func ascendingRanks(
    _ chunk: Chunk, _ first: Int, _ rows: Selection, _ ranks: UnsafeMutablePointer<UInt64>
  ) {
    let isMixed = reader.route.isMixed
    var place = 0
    rows.forEachRow { row -> Void in
      let value = reader.value(first | row)
      ranks[place] = value.isNull ? 0 : isMixed ? 1 : Rank.of(value)
      place += 1
    }
  }

  override func isAmbiguous(_ rank: UInt64) -> Bool { rank != 0 }

  override func order(_ a: Int, _ b: Int) -> Int {
    Int(Value.sortOrder(reader.value(a), reader.value(b)).rawValue)
  }

  override func prepareFurther(_ chunks: [Int]) { reader.prepare(chunks) }
}

extension Rank {
  /// The rank of a value among others of its type; 1 where the type has no ranks.
  fileprivate static func of(_ value: Value) -> UInt64 {
    switch value {
    case .bool(let flag): of(flag ? 1 : 0 as Int64)
    case .int(let number): of(number)
    case .float(let number): of(Double(number))
    case .double(let number), .date(let number): of(number)
    case .string(let text): text.utf8.withBytes(of)
    case .data(let bytes): bytes.withUnsafeBytes(of)
    default: 1
    }
  }
}
