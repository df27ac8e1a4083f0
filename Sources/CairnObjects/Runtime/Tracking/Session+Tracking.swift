import CairnQuery
import CairnStorage

/// Trackings of `withObservationTracking`, which depend on what their closure reads.
///
/// Reads register the sites that they depend on. A write reports the sites that it changes when it is
/// made, and so does a session that advances to the commit of another one.
extension Session {
  /// The sites for a read within a tracking; nil if no tracking runs, or the session never changes.
  private var accessibleSites: TrackedSites? {
    guard isTracked else { return nil }
    checkThread()
    if let trackedSites { return trackedSites }
    let sites = TrackedSites()
    trackedSites = sites
    // From now on the session advances to the commits of others, as for an observer.
    waker.wake()
    return sites
  }

  /// Makes the present tracking depend on a property of a row, and on the object that it links to.
  func trackRead(_ handle: ClassHandle, column: Int, key: Int) {
    guard let sites = accessibleSites, handle.isLive(key) else { return }
    let schema = handle.table.schema
    let property = schema.columns[column]
    sites.access(.property(property.id, key: key), of: schema.id)
    guard property.isLink, let target = handle.targetHandle(column) else { return }
    if property.collection == .none {
      guard let key = handle.table.link(column, at: key) else { return }
      sites.access(.life(key: key), of: target.table.schema.id)
    } else {
      sites.access(.deletions, of: target.table.schema.id)
    }
  }

  /// Runs the body within a tracking, and returns the parts of classes that it reads.
  func recordingReads(_ body: () -> Void) -> Set<TrackedSites.ClassPart> {
    guard let sites = accessibleSites else {
      body()
      return []
    }
    return sites.recording(body)
  }

  /// Makes the present tracking depend on parts of classes.
  func track(_ parts: Set<TrackedSites.ClassPart>) {
    guard let sites = accessibleSites else { return }
    for read in parts { sites.access(read.part, of: read.table) }
  }

  /// Makes the present tracking depend on the existence of a row.
  func trackLife(_ handle: ClassHandle, key: Int) {
    accessibleSites?.access(.life(key: key), of: handle.table.schema.id)
  }

  /// Makes the present tracking depend on the insertion of rows.
  func trackInsertions(_ handle: ClassHandle) {
    accessibleSites?.access(.insertions, of: handle.table.schema.id)
  }

  /// Makes the present tracking depend on the rows that link to an object.
  func trackInverse(_ origin: ClassHandle, property: String) {
    guard let sites = accessibleSites else { return }
    let schema = origin.table.schema
    sites.access(.insertions, of: schema.id)
    sites.access(.deletions, of: schema.id)
    if let column = schema.column(named: property) {
      sites.access(.column(column.id), of: schema.id)
    }
  }

  /// Makes the present tracking depend on everything that a query reads.
  func trackQuery(_ dependencies: QueryDependencies) {
    guard let sites = accessibleSites else { return }
    for part in dependencies.classes {
      sites.access(.insertions, of: part.table)
      sites.access(.deletions, of: part.table)
      for column in part.columns { sites.access(.column(column), of: part.table) }
    }
  }
}

/// Reports of changes.
extension Session {
  /// Runs the body, which sets a property of a row.
  @inline(__always)
  func settingProperty<R>(
    _ column: ColumnSchema, at key: Int, of handle: ClassHandle, _ body: () throws -> R
  ) rethrows -> R {
    guard let trackedSites else { return try body() }
    let table = handle.table.schema.id
    return try trackedSites.report(
      trackedSites.takeProperty(column.id, keys: [key], of: table)
        + sitesEmbedded(in: column, at: [key], of: handle, among: trackedSites), body)
  }

  /// Runs the body, which sets a property without embedded objects in several rows.
  func settingProperty<R>(
    _ column: ColumnSchema, at keys: [Int], of handle: ClassHandle, _ body: () throws -> R
  ) rethrows -> R {
    guard let trackedSites else { return try body() }
    let sites = trackedSites.takeProperty(column.id, keys: keys, of: handle.table.schema.id)
    return try trackedSites.report(sites, body)
  }

  /// Runs the body, which inserts a row into a class.
  @inline(__always)
  func insertingRow<R, E: Error>(
    into table: UInt32, _ body: () throws(E) -> R
  ) throws(E) -> R {
    guard let trackedSites else { return try body() }
    return try trackedSites.report(trackedSites.takeInsertion(of: table), body)
  }

  /// Runs the body, which deletes rows and the embedded objects in them.
  ///
  /// - Parameter keys: The keys of the rows, in any order; nil for all rows.
  func deletingRows(_ keys: [Int]?, from handle: ClassHandle, _ body: () throws -> Void) rethrows {
    guard let trackedSites, !trackedSites.isEmpty else { return try body() }
    try trackedSites.report(sitesDeleted(keys, from: handle, among: trackedSites), body)
  }

  private func sitesDeleted(
    _ keys: [Int]?, from handle: ClassHandle, among all: TrackedSites
  ) -> [TrackedSite] {
    let sites = all.takeDeletion(of: keys, in: handle.table.schema.id)
    let embedding = handle.table.schema.properties.filter { $0.type == .embedded }
    guard !embedding.isEmpty else { return sites }
    let keys = keys ?? Array(handle.table.liveKeys(0..<handle.table.endKey).keys)
    return sites
      + embedding.flatMap { sitesEmbedded(in: $0, at: keys, of: handle, among: all) }
  }

  /// The sites of the embedded objects in a property, which are deleted with it.
  private func sitesEmbedded(
    in column: ColumnSchema, at keys: [Int], of handle: ClassHandle, among all: TrackedSites
  ) -> [TrackedSite] {
    guard column.type == .embedded, let target = handle.targetHandle(column.position) else {
      return []
    }
    let embedded = keys.filter(handle.isLive).flatMap {
      handle.table.linkedKeys(column.position, at: $0)
    }
    return embedded.isEmpty ? [] : sitesDeleted(embedded, from: target, among: all)
  }

  /// Moves to another snapshot, and reports its changes before that.
  func show(_ latest: Snapshot) {
    guard let trackedSites else { return move(to: latest) }
    trackedSites.report(sites(changedBy: latest)) { move(to: latest) }
  }

  /// Moves from the tables of a transaction to a snapshot, and reports its changes after that,
  /// because the tables may already be closed.
  func showAfterWriting(_ latest: Snapshot) {
    let sites = sites(changedBy: latest)
    move(to: latest)
    trackedSites?.report(sites) {}
  }

  /// The sites that the changes between the present snapshot and another one concern.
  private func sites(changedBy latest: Snapshot) -> [TrackedSite] {
    guard let trackedSites, !trackedSites.isEmpty, latest.version != snapshot.version else {
      return []
    }
    let log = latest.changes(since: snapshot)
    let classes = (log.old.schema.tables + log.new.schema.tables).map { ($0.id, $0.name) }
    let names = Dictionary(classes) { $1 }
    return trackedSites.take { names[$0].map(log.changes) ?? TableChanges() }
  }

  /// Runs the body, which discards what a transaction has changed.
  func discardingChanges(of open: WriteTransaction, _ body: () -> Void) {
    guard let trackedSites, !trackedSites.isEmpty else { return body() }
    packCollections()
    let changes = open.changes
    trackedSites.report(trackedSites.take { changes[$0] ?? TableChanges() }, body)
  }

  /// Runs the body, which may change everything.
  func changingEverything(_ body: () -> Void) {
    guard let trackedSites else { return body() }
    trackedSites.report(trackedSites.takeAll(), body)
  }

  /// Runs the body, which leaves the tables of a transaction that failed, and reports everything
  /// after that. The values are again those before the transaction.
  func leavingFailure(_ body: () throws -> Void) rethrows {
    try body()
    guard let trackedSites else { return }
    trackedSites.report(trackedSites.takeAll()) {}
  }

  /// Ends the program within a report, because the realm may not change meanwhile.
  func checkNotReporting() { trackedSites?.checkNotReporting() }
}
