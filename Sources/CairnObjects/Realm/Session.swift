import CairnStorage

/// An open store and the snapshot that all of a realm's results and objects read.
///
/// Confined to one thread or actor, as its realm is.
final class Session {
  let store: Store
  private(set) var snapshot: Snapshot
  private var handles: [String: ClassHandle] = [:]

  init(_ store: Store) throws {
    self.store = store
    do { snapshot = try store.snapshot() } catch { throw Realm.Error(error) }
  }

  /// The class of that name; nil when the store has none.
  func handle(_ name: String) -> ClassHandle? {
    if let known = handles[name] { return known }
    guard let table = snapshot.table(name) else { return nil }
    let handle = ClassHandle(self, table)
    handles[name] = handle
    return handle
  }

  /// Moves on to the last commit; true when there is a new one.
  func refresh() throws -> Bool {
    let latest: Snapshot
    do { latest = try store.snapshot() } catch { throw Realm.Error(error) }
    guard latest.version != snapshot.version else { return false }
    snapshot = latest
    for (name, handle) in handles {
      if let table = latest.table(name) { handle.move(to: table) }
    }
    return true
  }
}
