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

    /// The key of the row, if the part belongs to one.
    fileprivate var key: Int? {
      switch self {
      case .property(_, let key), .life(let key): key
      case .column, .insertions, .deletions: nil
      }
    }

    /// The parts of the whole class that change when this one does.
    fileprivate var ofAnyRow: [Part] {
      switch self {
      case .property(let column, _): [.column(column), .deletions]
      case .life: [.deletions]
      case .column, .insertions, .deletions: [self]
      }
    }
  }

  /// A part of a class, with the number of the class.
  struct ClassPart: Hashable {
    let table: UInt32
    let part: Part
  }

  /// The sites of a class.
  private final class ClassSites {
    var sites: [Part: TrackedSite] = [:]
    /// The parts that belong to single rows, by key.
    var partsOfRow: [Int: [Part]] = [:]
    /// The number of sites for properties of single rows, by column ID.
    var propertyCounts: [UInt16: Int] = [:]

    func insert(_ site: TrackedSite, for part: Part) {
      sites[part] = site
      if let key = part.key { partsOfRow[key, default: []].append(part) }
      if case .property(let column, _) = part { propertyCounts[column, default: 0] += 1 }
    }

    func remove(_ part: Part) -> TrackedSite? {
      guard let site = sites.removeValue(forKey: part) else { return nil }
      if let key = part.key {
        partsOfRow[key]?.removeAll { $0 == part }
        if partsOfRow[key]?.isEmpty == true { partsOfRow[key] = nil }
      }
      if case .property(let column, _) = part { propertyCounts[column]? -= 1 }
      return site
    }
  }

  /// The sites of each class, by the number of the class.
  private var classes: [UInt32: ClassSites] = [:]
  /// The most sites for one property. Further rows share a site for the column.
  private static let maxRowsOfProperty = 1000
  /// The parts that are read instead of the sites, during `recording(_:)`.
  private var recordedParts: Set<ClassPart>?

  /// Whether a change is being reported, so that the realm may not change meanwhile.
  private(set) var isReporting = false

  /// The number of sites.
  var count: Int { classes.values.reduce(0) { $0 + $1.sites.count } }

  var isEmpty: Bool { classes.isEmpty }

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
    if recordedParts != nil {
      for part in part.ofAnyRow { recordedParts?.insert(ClassPart(table: table, part: part)) }
      return
    }
    let known = classes[table]
    if let site = known?.sites[part] { return site.access() }
    if case .property(let column, _) = part,
      known?.propertyCounts[column] ?? 0 >= Self.maxRowsOfProperty
    {
      for part in part.ofAnyRow { access(part, of: table) }
      return
    }
    guard let site = TrackedSite.make() else { return }
    let sites = known ?? ClassSites()
    classes[table] = sites
    sites.insert(site, for: part)
    site.access()
  }

  /// Runs the body, and returns the parts that it reads, as parts of whole classes. Nothing depends on
  /// them until they are accessed.
  func recording(_ body: () -> Void) -> Set<ClassPart> {
    let outer = recordedParts
    recordedParts = []
    body()
    let parts = recordedParts ?? []
    recordedParts = outer?.union(parts)
    return parts
  }

  /// Removes the sites that a change concerns, and returns them.
  ///
  /// Within a tracking they remain, because the tracking begins to listen at its end, to the same
  /// sites.
  private func take(_ parts: some Sequence<Part>, of table: UInt32) -> [TrackedSite] {
    guard let known = classes[table] else { return [] }
    let found = parts.filter { known.sites[$0] != nil }
    if found.isEmpty { return [] }
    if TrackingScope.isActive { return found.compactMap { known.sites[$0] } }
    let taken = found.compactMap(known.remove)
    if known.sites.isEmpty { classes[table] = nil }
    return taken
  }

  /// Returns the sites that new values of a property of some rows concern.
  func takeProperty(_ column: UInt16, keys: [Int], of table: UInt32) -> [TrackedSite] {
    guard classes[table] != nil else { return [] }
    return take(keys.map { .property(column, key: $0) } + [.column(column)], of: table)
  }

  /// Returns the sites that the insertion of a row concerns.
  func takeInsertion(of table: UInt32) -> [TrackedSite] { take([.insertions], of: table) }

  /// Returns the sites that the deletion of rows concerns.
  ///
  /// - Parameter keys: The keys of the rows; nil for all rows.
  func takeDeletion(of keys: [Int]?, in table: UInt32) -> [TrackedSite] {
    guard let known = classes[table] else { return [] }
    let rows = keys?.compactMap { known.partsOfRow[$0] } ?? Array(known.partsOfRow.values)
    return take(rows.joined() + [.deletions], of: table)
  }

  /// Returns the sites that the changes between two states concern. Works in both
  /// directions.
  func take(_ changes: (_ table: UInt32) -> TableChanges) -> [TrackedSite] {
    Array(classes).flatMap { table, known -> [TrackedSite] in
      let changes = changes(table)
      let gone = changes.inserted.union(changes.deleted)
      guard !changes.isEmpty else { return [] }
      return take(
        known.sites.keys.filter { part in
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
    Array(classes).flatMap { table, known in take(Array(known.sites.keys), of: table) }
  }
}
