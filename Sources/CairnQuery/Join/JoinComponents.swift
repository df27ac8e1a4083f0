import CairnStorage
import CairnSystem

extension JoinExecution {
  /// The rows of a join of a class with itself, by their keys, joined if they are partners.
  func components() throws -> DisjointSets {
    let count = left.table.endKey
    let sinks: [ComponentSink] = try run(driver: usualDriver) {
      ComponentSink(candidates: $0, count: count)
    }
    guard var sets = sinks.first?.sets else { return DisjointSets(count: count) }
    for sink in sinks.dropFirst() { sets.merge(sink.sets) }
    return sets
  }

  /// The partner with the least key of each left row that has one.
  func firstPartners() throws -> [Int: Int] {
    let driver = usualDriver
    let sinks: [FirstPartnerSink] = try run(driver: driver) {
      FirstPartnerSink(candidates: $0, isLeftDriver: driver == .left)
    }
    return sinks.reduce(into: [:]) { $0.merge($1.partners, uniquingKeysWith: min) }
  }
}

/// Joins the rows of a class that are partners.
private final class ComponentSink: JoinSink {
  private(set) var sets: DisjointSets
  private let candidates: [Int]

  /// - Parameters:
  ///   - candidates: The keys of the candidates.
  ///   - count: One past the highest key.
  init(candidates: [Int], count: Int) {
    self.candidates = candidates
    sets = DisjointSets(count: count)
  }

  func take(_ candidate: Int, chunk: Int, rows: Selection) {
    let first = RowAddress.firstKey(ofChunk: chunk)
    rows.forEachRow { row -> Void in sets.join(first | row, candidates[candidate]) }
  }
}

/// Keeps the partner with the least key of each left row.
private final class FirstPartnerSink: JoinSink {
  private(set) var partners: [Int: Int] = [:]
  private let candidates: [Int]
  private let isLeftDriver: Bool

  /// - Parameter candidates: The keys of the candidates.
  init(candidates: [Int], isLeftDriver: Bool) {
    self.candidates = candidates
    self.isLeftDriver = isLeftDriver
  }

  func take(_ candidate: Int, chunk: Int, rows: Selection) {
    let first = RowAddress.firstKey(ofChunk: chunk)
    let other = candidates[candidate]
    rows.forEachRow { row -> Void in
      let (left, right) = isLeftDriver ? (first | row, other) : (other, first | row)
      partners[left] = min(partners[left] ?? .max, right)
    }
  }
}
