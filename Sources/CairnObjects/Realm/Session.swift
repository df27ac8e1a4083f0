import CairnStorage

/// An open store and the snapshot that all of a realm's results and objects read.
///
/// Confined to one thread or actor, as its realm is.
final class Session {
  let store: Store
  private(set) var snapshot: Snapshot
  /// The open write transaction.
  var transaction: WriteTransaction?
  /// Counts states and changes, so that what was worked out on an older one is known as such.
  var version = 0
  private var handles: [String: ClassHandle] = [:]
  /// Classes of objects that were asked for, by name.
  private var layouts: [String: ObjectLayout] = [:]

  init(_ store: Store) throws {
    self.store = store
    do { snapshot = try store.snapshot() } catch { throw Realm.Error(error) }
  }

  // MARK: Classes

  /// The class of that name; nil when neither the store nor the program has one.
  func handle(_ name: String) -> ClassHandle? {
    if let known = handles[name] { return known }
    guard let table = table(name) else { return nil }
    let handle = ClassHandle(self, table)
    handles[name] = handle
    return handle
  }

  private func table(_ name: String) -> Table? {
    if let transaction { return transaction.table(name)?.table }
    return snapshot.table(name) ?? layouts[name].map { snapshot.emptyTable($0.schema) }
  }

  /// The class that a class of objects is stored in; the store gets it with the next write.
  ///
  /// - Throws: `Realm.Error` where the class itself is at fault, or does not fit what the store has.
  func handle(for layout: ObjectLayout) throws -> ClassHandle {
    if layouts[layout.className] !== layout { try register(layout) }
    guard let handle = handle(layout.className) else {
      throw Realm.Error(.fail, "Class '\(layout.className)' is not in the store.")
    }
    return handle
  }

  /// Takes note of a class and of all that it leads to.
  private func register(_ layout: ObjectLayout) throws {
    var open = [layout]
    while let next = open.popLast() {
      guard layouts[next.className] == nil else { continue }
      layouts[next.className] = next
      open += next.targets
    }
    if transaction != nil {
      try createAbsentClasses()
    }
  }

  /// Makes the classes that the program knows and the store does not.
  func createAbsentClasses() throws {
    guard let transaction else { return }
    let drafts = layouts.values.filter { transaction.table($0.className) == nil }.map {
      TableDraft(
        name: $0.className, columns: $0.schema.columns, isEmbedded: $0.isEmbedded)
    }
    do { try transaction.createTables(drafts) } catch { throw Realm.Error(error) }
  }

  // MARK: States

  /// Moves on to the last commit; true when there is a new one.
  func refresh() throws -> Bool {
    guard transaction == nil else { return false }
    let latest: Snapshot
    do { latest = try store.snapshot() } catch { throw Realm.Error(error) }
    guard latest.version != snapshot.version else { return false }
    move(to: latest)
    return true
  }

  /// Reads a state from now on.
  func move(to latest: Snapshot) {
    snapshot = latest
    moveHandles()
  }

  /// Lets every handle read the present state.
  func moveHandles() {
    version += 1
    for (name, handle) in handles {
      if let table = table(name) { handle.move(to: table) }
    }
  }
}
