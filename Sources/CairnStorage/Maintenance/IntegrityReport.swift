/// The result of a check of a whole store.
package struct IntegrityReport: Sendable {
  /// The commit that was checked.
  package internal(set) var version: UInt64 = 0
  /// The size of a page of the file in bytes.
  package internal(set) var pageSize = 0
  /// The number of pages in use.
  package internal(set) var usedPages = 0
  /// The number of free pages, which later commits reuse.
  package internal(set) var freePages = 0
  /// The number of pages that are neither in use nor free.
  package internal(set) var lostPages = 0
  /// The number of classes.
  package internal(set) var classCount = 0
  /// The number of live objects.
  package internal(set) var rowCount = 0
  /// The number of chunks whose checksums were compared.
  package internal(set) var chunkCount = 0
  /// The first findings, at most `maxFindings`.
  package internal(set) var findings: [IntegrityFinding] = []
  /// The number of all findings, by severity.
  private var counts: [IntegrityFinding.Severity: Int] = [:]

  /// The number of findings that are kept one by one.
  package static let maxFindings = 1000

  /// Creates an empty report.
  package init() {}

  mutating func add(_ finding: IntegrityFinding) {
    counts[finding.severity, default: 0] += 1
    if findings.count < Self.maxFindings { findings.append(finding) }
  }

  /// Adds what a check of a part found.
  mutating func add(_ part: IntegrityReport) {
    chunkCount += part.chunkCount
    for (severity, count) in part.counts { counts[severity, default: 0] += count }
    findings += part.findings.prefix(Self.maxFindings - findings.count)
  }

  /// The number of findings of a severity, including those that were not kept.
  package func count(_ severity: IntegrityFinding.Severity) -> Int { counts[severity] ?? 0 }

  /// Whether objects, or the data needed to read them, are damaged.
  package var isDataDamaged: Bool { count(.data) > 0 }
  /// Whether nothing was found that can cause wrong answers. Wasted space cannot.
  package var isSound: Bool { count(.data) + count(.index) == 0 }

  /// The first of the gravest findings, or nil if the store is sound.
  var gravest: IntegrityFinding? {
    findings.first { $0.severity == .data } ?? findings.first { $0.severity == .index }
  }

  /// The remedy, or nil if the store is sound.
  package var advice: String? {
    if isDataDamaged {
      return "restore the store from a copy, or export the classes that are intact"
    }
    return needsCompaction
      ? "compaction rebuilds the indexes from the objects, which are intact" : nil
  }

  /// Whether compaction repairs the store, because only indexes are damaged.
  package var needsCompaction: Bool { !isSound && !isDataDamaged }
}

/// Collects findings during the check of a store.
final class IntegrityLog {
  var report = IntegrityReport()

  func note(
    _ severity: IntegrityFinding.Severity, message: String, in className: String? = nil,
    property: String? = nil, chunk: Int? = nil
  ) {
    report.add(
      IntegrityFinding(
        severity, className: className, property: property, chunk: chunk, message: message))
  }
}

/// A fault in a store.
package struct IntegrityFinding: Sendable, Equatable, CustomStringConvertible {
  /// The severity of a fault, which determines the remedy.
  package enum Severity: String, Sendable {
    /// Objects, or the data needed to read them, are damaged: only a copy brings them back.
    case data
    /// Data that is derived from the objects is damaged, and can be rebuilt.
    case index
    /// Nothing is damaged, but space is wasted.
    case space
  }

  /// The severity of the fault.
  package let severity: Severity
  /// The class with the fault, or nil if the fault concerns the store as a whole.
  package let className: String?
  /// The property with the fault, or nil if it concerns the class as a whole.
  package let property: String?
  /// The chunk of 4096 objects with the fault, from 0.
  package let chunk: Int?
  /// The fault, as the rest of a sentence after the location.
  package let message: String

  /// Creates a finding.
  package init(
    _ severity: Severity, className: String? = nil, property: String? = nil, chunk: Int? = nil,
    message: String
  ) {
    self.severity = severity
    self.className = className
    self.property = property
    self.chunk = chunk
    self.message = message
  }

  /// The location of the fault, as in `'cities.name', chunk 3`; empty if it is not in a class.
  package var location: String {
    guard let className else { return "" }
    let name = property.map { "'\(className).\($0)'" } ?? "class '\(className)'"
    return chunk.map { "\(name), chunk \($0)" } ?? name
  }

  /// The location and the message.
  package var description: String { location.isEmpty ? message : "\(location): \(message)" }
}
