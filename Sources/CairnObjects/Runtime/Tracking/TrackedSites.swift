import CairnQuery
import CairnStorage

/// The sites of a session that trackings depend on.
///
/// A site exists from the first tracked read until it is reported, because a tracking is over after
/// its first report. The memory of a tracking that is never reported is released with its realm.
/// Only the session's owner uses them.
final class TrackedSites {
  /// A part of a class.
  enum Part: Hashable {
    /// A property of a row, by column ID.
    case property(UInt16, key: Int)
    /// A property of any row.
    case column(UInt16)
    /// The existence of a row.
    case life(key: Int)
    /// The insertion of any row.
    case insertions
    /// The deletion of any row.
    case deletions
  }

  /// The sites of each class, by the number of the class.
  private var classes: [UInt32: [Part: TrackedSite]] = [:]
  /// The numbers of sites for properties of single rows, by class and column ID.
  private var propertyCounts: [UInt32: [UInt16: Int]] = [:]
  /// The most sites for one property. Further rows share a site for the column.
  private static let maxRowsOfProperty = 1000
  /// The number of sites.
  private(set) var count = 0

  /// Whether a change is being reported, so that the realm may not change meanwhile.
  private(set) var isReporting = false

  var isEmpty: Bool { count == 0 }

  /// Runs the body, which changes the sites, and reports them before and after it.
  func report<R, E: Error>(_ sites: [TrackedSite], _ body: () throws(E) -> R) throws(E) -> R {
    checkNotReporting()
    isReporting = !sites.isEmpty
    for site in sites { site.willChange() }
    isReporting = false
    defer { for site in sites { site.didChange() } }
    return try body()
  }

  /// Ends the program within a report.
  func checkNotReporting() {
    guard isReporting else { return }
    programmingError(
      "The onChange block of withObservationTracking runs in the middle of a change, so it cannot "
        + "write, end a write or invalidate the realm. Do that in a task.")
  }

  /// Makes the present tracking depend on a part of a class.
  func access(_ part: Part, of table: UInt32) {
    if let site = classes[table]?[part] { return site.access() }
    if case .property(let column, _) = part {
      let number = propertyCounts[table]?[column] ?? 0
      guard number < Self.maxRowsOfProperty else {
        access(.column(column), of: table)
        return access(.deletions, of: table)
      }
      propertyCounts[table, default: [:]][column] = number + 1
    }
    guard let site = TrackedSite.make() else { return }
    classes[table, default: [:]][part] = site
    count += 1
    site.access()
  }

  /// Removes the sites that a change concerns, and returns them.
  ///
  /// Within a tracking they remain, because the tracking begins to listen at its end, to the same
  /// sites.
  private func take(_ parts: some Sequence<Part>, of table: UInt32) -> [TrackedSite] {
    guard let sites = classes[table] else { return [] }
    let found = parts.filter { sites[$0] != nil }
    let taken = found.compactMap { sites[$0] }
    if !found.isEmpty, !TrackingScope.isActive {
      count -= found.count
      for part in found {
        classes[table]?[part] = nil
        if case .property(let column, _) = part { propertyCounts[table]?[column]? -= 1 }
      }
      if classes[table]?.isEmpty == true { classes[table] = nil }
    }
    return taken
  }

  /// Returns the sites that new values of a property of some rows concern.
  func takeProperty(_ column: UInt16, keys: [Int], of table: UInt32) -> [TrackedSite] {
    take(keys.map { .property(column, key: $0) } + [.column(column)], of: table)
  }

  /// Returns the sites that the insertion of a row concerns.
  func takeInsertion(of table: UInt32) -> [TrackedSite] { take([.insertions], of: table) }

  /// Returns the sites that the deletion of rows concerns.
  func takeDeletion(_ isDeleted: (Int) -> Bool, of table: UInt32) -> [TrackedSite] {
    guard let sites = classes[table] else { return [] }
    let parts = sites.keys.filter { part in
      switch part {
      case .property(_, let key), .life(let key): isDeleted(key)
      case .deletions: true
      case .column, .insertions: false
      }
    }
    return take(parts, of: table)
  }

  /// Returns the sites that the changes between two states concern. Works in both
  /// directions.
  func take(_ changes: (_ table: UInt32) -> TableChanges) -> [TrackedSite] {
    classes.keys.flatMap { table -> [TrackedSite] in
      let changes = changes(table)
      let gone = changes.inserted.union(changes.deleted)
      guard let sites = classes[table], !changes.isEmpty else { return [] }
      return take(
        sites.keys.filter { part in
          switch part {
          case .property(let column, let key):
            gone.contains(key)
              || changes.modified.contains { $0.columns.contains(column) && $0.keys.contains(key) }
          case .life(let key): gone.contains(key)
          case .column(let column): changes.modified.contains { $0.columns.contains(column) }
          case .insertions, .deletions: !gone.isEmpty
          }
        }, of: table)
    }
  }

  /// Returns all sites.
  func takeAll() -> [TrackedSite] {
    classes.flatMap { table, sites in take(Array(sites.keys), of: table) }
  }
}
