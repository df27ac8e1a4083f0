import CairnStorage
import CairnValues

/// A receiver of the pairs that a join finds. One sink belongs to one thread.
///
/// A join visits the rows of one side, the driver, chunk by chunk, and finds the candidates of the
/// other side that are partners of some of them.
protocol JoinSink: AnyObject {
  /// Takes the rows of a chunk of the driver that are partners of a candidate.
  ///
  /// - Parameter candidate: The index of the candidate.
  func take(_ candidate: Int, chunk: Int, rows: Selection)

  /// Takes pairs of a chunk of the driver, whose rows rise.
  func take(_ pairs: PairBatch)
}

extension JoinSink {
  func take(_ pairs: PairBatch) { takeEach(pairs) }

  /// Takes the pairs one by one.
  func takeEach(_ pairs: PairBatch) {
    let oneRow = OneRow()
    pairs.forEach { key, candidate in
      oneRow.select(key) { take(candidate, chunk: pairs.chunk, rows: $0) }
    }
  }
}

/// Counts pairs.
final class PairCountSink: JoinSink {
  private(set) var total = 0

  func take(_ candidate: Int, chunk: Int, rows: Selection) { total += rows.count }

  func take(_ pairs: PairBatch) { total += pairs.count }
}

/// Counts the partners of each candidate, or of each row of the driver.
final class CountsSink: JoinSink {
  private(set) var counts: [Int]
  private let isOfDriver: Bool

  /// - Parameter count: The number of candidates, or one past the highest key of the driver.
  init(ofDriver isOfDriver: Bool, count: Int) {
    self.isOfDriver = isOfDriver
    counts = Array(repeating: 0, count: count)
  }

  func take(_ candidate: Int, chunk: Int, rows: Selection) {
    guard isOfDriver else {
      counts[candidate] += rows.count
      return
    }
    let first = RowAddress.firstKey(ofChunk: chunk)
    rows.forEachRow { row -> Void in counts[first | row] += 1 }
  }

  func take(_ pairs: PairBatch) {
    pairs.forEach { key, candidate in counts[isOfDriver ? key : candidate] += 1 }
  }

  /// Adds the counts of another sink.
  func merge(_ other: CountsSink) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}

/// Gathers pairs of a driver's key and the index of a candidate.
final class PairSink: JoinSink {
  /// A pair.
  struct Pair {
    let key: Int
    let candidate: Int
  }

  var pairs: [Pair] = []

  func take(_ candidate: Int, chunk: Int, rows: Selection) {
    let first = RowAddress.firstKey(ofChunk: chunk)
    rows.forEachRow { row -> Void in pairs.append(Pair(key: first | row, candidate: candidate)) }
  }

  func take(_ pairs: PairBatch) {
    pairs.forEach { key, candidate in self.pairs.append(Pair(key: key, candidate: candidate)) }
  }
}

/// Keeps the pairs that meet comparisons of their properties.
final class ComparingSink: JoinSink {
  private let comparisons: [JoinComparison]
  private let candidates: [Int]
  private let isLeftDriver: Bool
  private let inner: any JoinSink
  private let bitmap = ChunkBitmap()

  /// - Parameters:
  ///   - candidates: The keys of the candidates.
  ///   - inner: The receiver of the pairs that meet the comparisons.
  init(
    _ comparisons: [JoinComparison], candidates: [Int], isLeftDriver: Bool, inner: any JoinSink
  ) {
    self.comparisons = comparisons
    self.candidates = candidates
    self.isLeftDriver = isLeftDriver
    self.inner = inner
  }

  func take(_ candidate: Int, chunk: Int, rows: Selection) {
    var kept = Selection(bitmap.words)
    kept.lower = rows.lower
    kept.upper = rows.upper
    for word in rows.wordRange { bitmap.words[word] = rows.words[word] }
    let (first, other) = (RowAddress.firstKey(ofChunk: chunk), candidates[candidate])
    kept.keep { word, selected in
      selected.keepingEach { bit in
        let key = first | word << 6 | bit
        return comparisons.allSatisfy {
          isLeftDriver ? $0.holds(key, other) : $0.holds(other, key)
        }
      }
    }
    if kept.trim() { inner.take(candidate, chunk: chunk, rows: kept) }
  }
}

/// A comparison of two properties, bound to the tables of a join.
struct JoinComparison {
  private let left: PathReader
  private let right: PathReader
  private let comparison: ComparisonOperator

  /// - Throws: `QueryError` if a property does not exist, or one object can have several values.
  init(_ comparison: JoinQuery.Comparison, left: Table, right: Table) throws {
    self.left = try Self.reader(comparison.left, table: left)
    self.right = try Self.reader(comparison.right, table: right)
    self.comparison = comparison.comparison
  }

  private static func reader(_ path: PropertyPath, table: Table) throws -> PathReader {
    let linkPath = try PathBinder(table: table).linkPath(path)
    guard !linkPath.end.isMany, linkPath.linkSteps.allSatisfy({ $0 is ToOneStep }) else {
      throw QueryError(
        .unsupportedType,
        message: "'\(path)' of class '\(table.schema.name)' has several values; "
          + "a join compares single values")
    }
    return PathReader(linkPath)
  }

  /// Whether a left and a right row compare this way.
  func holds(_ leftKey: Int, _ rightKey: Int) -> Bool {
    comparison.holdsInRow(
      left.value(leftKey), and: right.value(rightKey),
      isMixed: left.linkPath.isMixed || right.linkPath.isMixed)
  }

  /// Resolves the data that other threads will read, on the snapshot's own thread.
  func prepare(_ left: Table, _ right: Table) {
    self.left.prepare(Array(0..<left.chunkCount))
    self.right.prepare(Array(0..<right.chunkCount))
  }
}
