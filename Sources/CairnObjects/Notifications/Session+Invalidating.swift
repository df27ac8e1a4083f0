import CairnStorage

extension Session {
  /// Lets go of the state, and of all handles: those that objects and results hold have no rows any more.
  func invalidate() {
    guard !isFrozen else { return }
    if transaction != nil { cancelWrite() }
    trapping { try settle() }
    guard let known = shownSnapshot else { return }
    observers.endAll()
    trapping {
      let empty = try known.emptyTables()
      endHandles { empty($0.name) }
    }
    shownSnapshot = nil
  }
}
