import CairnSystem

/// Checks the contents of all classes of a store, in parts that several threads do.
///
/// The chunks come first, then what they refer to, and then the indexes, because each is read only as far
/// as the parts before found it sound. The findings are in the same order on any number of threads.
struct ClassesCheck {
  private let tables: TableSet
  private let areChunksKeyed: Bool
  private let threads: Int

  /// A part: some chunks of a column or of a class, or all of them.
  private struct Part {
    let table: Int
    /// The position of the column; nil for the whole class.
    let column: Int?
    let chunks: Range<Int>
    let work: Work
  }

  private enum Work {
    case chunks
    case values
    case references
    case indexes
  }

  private struct Found {
    let report: IntegrityReport
    let soundness: TableSoundness
  }

  /// The number of chunks of a part.
  private static let chunksPerPart = 64

  /// - Parameter threads: The number of threads; nil for all processors, unless the classes are small.
  init(_ tables: TableSet, areChunksKeyed: Bool, threads: Int?) {
    self.tables = tables
    self.areChunksKeyed = areChunksKeyed
    let chunks = tables.schemas.indices.reduce(0) { $0 + tables.table(at: $1).storedChunkCount }
    self.threads = threads ?? (chunks > Self.chunksPerPart ? processorCount() : 1)
  }

  /// Checks all classes.
  func run() -> IntegrityReport {
    var report = IntegrityReport()
    let checks = checks(of: tables)
    var soundness = checks.map { check in
      report.add(check.report { check.checkLiveness() })
      return check.soundness
    }
    let team = Team(self, count: threads)
    defer { team.stop() }
    let columns = columnParts(.chunks)
    let read = team.run(columns, soundness)
    add(read, of: columns, to: &soundness)
    let values = columnParts(.values)
    let valid = team.run(values, soundness)
    add(valid, of: values, to: &soundness)
    // The faults of a column's values follow those of its chunks.
    for group in Self.groups(of: columns) {
      for found in read[group] + valid[group] { report.add(found.report) }
    }
    for found in team.run(referenceParts, soundness) { report.add(found.report) }
    for found in team.run(indexParts, soundness) { report.add(found.report) }
    return report
  }

  /// Notes the columns that a part could not read.
  private func add(_ results: [Found], of parts: [Part], to soundness: inout [TableSoundness]) {
    for (part, found) in zip(parts, results) {
      guard let column = part.column, !found.soundness.isColumnSound[column] else { continue }
      soundness[part.table].isColumnSound[column] = false
    }
  }

  // MARK: Parts

  private func columnParts(_ work: Work) -> [Part] {
    tables.schemas.indices.flatMap { index in
      let table = tables.table(at: index)
      return table.schema.columns.flatMap { column in
        Self.ranges(table.storedChunkCount).map {
          Part(table: index, column: column.position, chunks: $0, work: work)
        }
      }
    }
  }

  private var referenceParts: [Part] {
    tables.schemas.indices.flatMap { index in
      Self.ranges(tables.table(at: index).chunkCount).map {
        Part(table: index, column: nil, chunks: $0, work: .references)
      }
    }
  }

  private var indexParts: [Part] {
    tables.schemas.indices.flatMap { index in
      tables.schemas[index].columns
        .filter { $0.hasValueIndex || $0.isFullText || $0.hasSpatialIndex }
        .map { Part(table: index, column: $0.position, chunks: 0..<0, work: .indexes) }
    }
  }

  /// The chunks of a class in parts, at least one.
  private static func ranges(_ count: Int) -> [Range<Int>] {
    stride(from: 0, to: max(1, count), by: chunksPerPart).map {
      $0..<max($0, min(count, $0 + chunksPerPart))
    }
  }

  /// The indices of the parts of each column.
  private static func groups(of parts: [Part]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    for (index, part) in parts.enumerated() {
      if let last = groups.last, let first = parts[last].first, first.table == part.table,
        first.column == part.column
      {
        groups[groups.count - 1] = last.lowerBound..<index + 1
      } else {
        groups.append(index..<index + 1)
      }
    }
    return groups
  }
}

extension ClassesCheck {
  /// A part, and what is known of all classes.
  private struct Job {
    let part: Part
    let soundness: [TableSoundness]
  }

  /// Threads that do parts.
  private struct Team {
    private let pipeline: OrderedPipeline<Job, Found, Never>

    init(_ check: ClassesCheck, count: Int) {
      pipeline = OrderedPipeline(
        ahead: 4 * count, makers: (0..<max(1, count)).map { _ in Worker(check).found })
    }

    /// Does parts, and returns what they found in the same order.
    func run(_ parts: [Part], _ soundness: [TableSoundness]) -> [Found] {
      var results: [Found] = []
      for part in parts {
        pipeline.add(Job(part: part, soundness: soundness)) { results.append($0) }
      }
      pipeline.drain { results.append($0) }
      return results
    }

    func stop() { pipeline.stop() }
  }

  /// The tables of one thread.
  private final class Worker {
    private let tables: TableSet
    private let checks: [TableCheck]

    init(_ check: ClassesCheck) {
      let tables = check.tables.detached()
      self.tables = tables
      checks = check.checks(of: tables)
    }

    deinit { tables.close() }

    func found(_ job: Job) -> Found {
      let part = job.part
      for (check, soundness) in zip(checks, job.soundness) { check.soundness = soundness }
      let check = checks[part.table]
      let report = check.report {
        let column = part.column.map { check.table.schema.columns[$0] }
        switch (part.work, column) {
        case (.chunks, let column?): check.checkChunks(part.chunks, of: column)
        case (.values, let column?): check.checkValues(part.chunks, of: column)
        case (.indexes, let column?): check.checkIndexes(of: column)
        case (.references, _): check.checkReferences(of: part.chunks, among: checks)
        default: break
        }
      }
      return Found(report: report, soundness: check.soundness)
    }
  }

  private func checks(of tables: TableSet) -> [TableCheck] {
    tables.schemas.indices.map {
      TableCheck(tables.table(at: $0), areChunksKeyed: areChunksKeyed)
    }
  }
}
