import CLMDB

extension Environment {
  /// The states that readers in any process hold, each reader's once: the numbers of the commits, rising.
  func heldVersions() -> [UInt64] {
    var versions: [UInt64] = []
    withUnsafeMutablePointer(to: &versions) { list in
      listReaders(list) { line, list in
        guard let line, let list else { return 0 }
        // Process, thread, commit; the commit is a dash where a slot waits to be used again.
        let columns = String(cString: line).split { $0 == " " || $0 == "\n" }
        if columns.count == 3, let version = UInt64(columns[2]) {
          list.assumingMemoryBound(to: [UInt64].self).pointee.append(version)
        }
        return 0
      }
    }
    return versions.sorted()
  }
}

extension Store {
  /// The states that readers hold, this process's and others': the numbers of their commits, rising, one that several
  /// hold several times. What was freed since the oldest of them cannot be used again.
  package func heldVersions() -> [UInt64] { environment.heldVersions() }
}

extension WriteTransaction {
  /// How many commits there are from the oldest that somebody else holds to the one that this transaction will be, both
  /// counted.
  package var activeVersionCount: UInt64 {
    var held = handle.environment.heldVersions()
    if let own = held.firstIndex(of: snapshot.version) { held.remove(at: own) }
    let next = snapshot.version + 1
    return next - min(held.first ?? next, next) + 1
  }
}
