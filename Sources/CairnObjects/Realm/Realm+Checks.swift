extension Realm {
  /// The session, on the thread that it belongs to.
  var checked: Session {
    session.checkThread()
    return session
  }

  /// The session with its open write transaction; without one it is a programming error.
  var writing: Session {
    let session = checked
    guard session.transaction != nil else {
      programmingError(session.isFrozen ? Session.frozenWrite : Session.notWriting)
    }
    return session
  }
}

extension Realm: Equatable {
  /// Whether both read and write through the same session, so that the objects of one are those of the other.
  public static func == (a: Realm, b: Realm) -> Bool { a.session === b.session }
}
