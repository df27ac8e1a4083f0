/// What a check of a whole store found.
package struct IntegrityReport: Sendable {
  /// The commit that was checked.
  package internal(set) var version: UInt64 = 0
  /// Bytes of a page of the file.
  package internal(set) var pageSize = 0
  /// Pages that hold something.
  package internal(set) var usedPages = 0
  /// Pages that the next commits will use again.
  package internal(set) var freePages = 0
  /// Pages that are neither.
  package internal(set) var lostPages = 0
  package internal(set) var classCount = 0
  /// Objects that live.
  package internal(set) var rowCount = 0
  /// Chunks whose checksums were compared.
  package internal(set) var chunkCount = 0
  /// The first of what was found, at most `mostFindings`.
  package internal(set) var findings: [IntegrityFinding] = []
  /// All that was found, by what it harms.
  private var counts: [IntegrityFinding.Harm: Int] = [:]

  /// Findings that are kept one by one.
  package static let mostFindings = 1000

  package init() {}

  mutating func add(_ finding: IntegrityFinding) {
    counts[finding.harm, default: 0] += 1
    if findings.count < Self.mostFindings { findings.append(finding) }
  }

  /// How many findings there were, those included that were not kept.
  package func count(_ harm: IntegrityFinding.Harm) -> Int { counts[harm] ?? 0 }

  /// Whether objects, or what is needed to read them, are damaged.
  package var isDataDamaged: Bool { count(.data) > 0 }
  /// Whether anything is wrong that can give wrong answers; unused space cannot.
  package var isSound: Bool { count(.data) + count(.index) == 0 }

  /// What to do about it; nil when the store is sound.
  package var advice: String? {
    if isDataDamaged {
      return "restore the store from a copy, or export the classes that are whole"
    }
    return isSound
      ? nil : "'cairn compact' makes the indexes anew from the objects, which are whole"
  }
}

/// Gathers findings while a check goes through a store.
final class IntegrityLog {
  var report = IntegrityReport()

  func note(
    _ harm: IntegrityFinding.Harm, _ message: String, in className: String? = nil,
    property: String? = nil, chunk: Int? = nil
  ) {
    report.add(
      IntegrityFinding(
        harm, className: className, property: property, chunk: chunk, message))
  }
}
