import CairnStorage

/// The handles of the classes that the links of a class lead to: looked up by name once, not for each link.
///
/// They keep no handle: two classes may lead to one another. So they hold until a handle of the session ends.
struct LinkTargets {
  private typealias Entry = (handle: Unmanaged<ClassHandle>, ended: Int)

  private let entries: UnsafeMutablePointer<Entry?>

  init(_ table: Table) {
    let count = max(table.schema.columns.count, 1)
    entries = .allocate(capacity: count)
    entries.initialize(repeating: nil, count: count)
  }

  func free() { entries.deallocate() }

  /// The class that a column leads to; nil where it was not looked up, or a handle ended since.
  @inline(__always)
  func known(_ column: Int, _ ended: Int) -> Unmanaged<ClassHandle>? {
    guard let entry = entries[column], entry.ended == ended else { return nil }
    return entry.handle
  }

  /// Remembers the class that a column leads to.
  func keep(_ handle: ClassHandle, _ column: Int, _ ended: Int) {
    entries[column] = (Unmanaged.passUnretained(handle), ended)
  }
}

extension ClassHandle {
  /// The class that a property of links leads to.
  @inline(__always)
  func targetHandle(_ column: Int) -> ClassHandle? {
    if let known = targets.known(column, session.endedHandles) {
      return known.takeUnretainedValue()
    }
    return findTarget(column)
  }

  @inline(never)
  private func findTarget(_ column: Int) -> ClassHandle? {
    guard let name = table.schema.columns[column].target, let handle = session.handle(name) else {
      return nil
    }
    // Several threads read what is frozen, and it is not changed then.
    if !isFrozen { targets.keep(handle, column, session.endedHandles) }
    return handle
  }

  /// The object that a link leads to.
  func target(_ column: Int, at key: Int) -> Row? {
    let cell = cell(column, at: key)
    guard !cell.isNull, let handle = targetHandle(column) else { return nil }
    let found = Int(truncatingIfNeeded: cell.int)
    return handle.isLive(found) ? Row(handle: handle, key: found) : nil
  }
}
