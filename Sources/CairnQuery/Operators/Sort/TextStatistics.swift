import CairnStorage
import CairnSystem
import CairnValues

/// The relevance of texts for a full-text search, by BM25: Robertson and Zaragoza, "The Probabilistic
/// Relevance Framework: BM25 and Beyond" (2009), section 3.4, with the weight that Lucene uses, which
/// is never negative.
///
/// Each word, prefix and phrase that a search includes is a term. The score of a text is the sum over
/// the terms of
///
///     weight · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / averageLength))
///     weight = ln(1 + (texts − df + 0.5) / (df + 0.5))
///
/// where `tf` is the number of times that the text has the term, and `df` the number of texts that
/// have it. The length is that in bytes of UTF-8, because the average length of all texts is then
/// known without reading them.
struct TextStatistics {
  /// The saturation of frequent terms.
  private static let k1 = 1.2
  /// The influence of the length.
  private static let b = 0.75

  private let search: TextSearch
  /// The weight of each term.
  private let weights: [Double]
  private let averageLength: Double

  /// Counts the live rows of a table that have a text, and those that have each term.
  ///
  /// - Complexity: O(chunks) and the cost of a search for each term. Without a full-text index of the
  ///   column, a term costs a read of all texts.
  init(_ search: TextSearch, column: Column, table: Table) {
    self.search = search
    let scratch = ScratchBuffers()
    let lengths = LengthSink(column)
    let texts = Scan(table, accessPath: .chunks, filters: [NullFilter(column, isNull: false)])
    _ = texts.run(texts.allChunks, into: lengths, scratch: scratch)
    averageLength = Double(max(1, lengths.bytes)) / Double(max(1, lengths.count))
    let index = table.textIndex(column.schema.position)
    weights = search.terms.map { term in
      let test = BytesFilter(
        column, test: .search(term), inverted: false, nullsMatch: false, description: "")
      let filter = index.map { TextFilter(test, search: term, index: $0) } ?? test
      let scan = Scan(table, accessPath: .chunks, filters: [filter])
      let having = CountSink()
      _ = scan.run(scan.allChunks, into: having, scratch: scratch)
      let count = Double(having.total)
      return log(1 + (Double(lengths.count) - count + 0.5) / (count + 0.5))
    }
  }

  /// Returns the score of a text; 0 if it has no term.
  func score(_ text: UnsafeRawBufferPointer) -> Double {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: weights.count) { counts in
      counts.initialize(repeating: 0)
      search.count(in: text, into: counts)
      let length = Self.k1 * (1 - Self.b + Self.b * Double(text.count) / averageLength)
      var score = 0.0
      for (weight, count) in zip(weights, counts) where count > 0 {
        score += weight * Double(count) * (Self.k1 + 1) / (Double(count) + length)
      }
      return score
    }
  }
}

/// A sink that sums up the lengths of texts.
private final class LengthSink: Sink {
  private let column: Column
  private(set) var count = 0
  private(set) var bytes = 0

  init(_ column: Column) { self.column = column }

  func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  func take(_ index: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    let chunk = column.chunk(index)
    let selected = selection.count
    count += selected
    // The texts of a whole chunk are contiguous, and those of null rows are empty.
    if case .bytes = chunk.encoding, selected + chunk.nullCount == chunk.count {
      bytes += chunk.rowSpan(0..<chunk.count)
    } else {
      selection.forEachRow { row -> Void in bytes += chunk.rowBytes(row).count }
    }
    return true
  }
}

extension Chunk {
  fileprivate var nullCount: Int {
    guard let nulls else { return 0 }
    return (0..<count).reduce(0) { $0 + (nulls[$1 >> 6] >> UInt64($1 & 63) & 1 == 0 ? 0 : 1) }
  }

  /// The number of bytes of contiguous rows.
  fileprivate func rowSpan(_ rows: Range<Int>) -> Int {
    guard let first = rows.first, let last = rows.last,
      let start = rowBytes(first).baseAddress, let end = rowBytes(last).baseAddress
    else { return 0 }
    assert(start <= end, "the offsets of the rows do not rise")
    return max(0, end + rowBytes(last).count - start)
  }
}
