extension Realm {
  /// Makes an object of a class by name, which the program may have no Swift class for, and adds it.
  ///
  /// A class that the store does not have, or a value that does not fit, is a programming error.
  ///
  /// - Parameters:
  ///   - typeName: the name of the class in the store.
  ///   - value: a dictionary by name, an array in the order of the properties, or another object.
  ///   - update: what to do where the store has an object with the primary key already.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    let session = writing
    let handle = handle(named: typeName)
    if update != .error, !handle.hasPrimaryKey {
      programmingError("'\(typeName)' does not have a primary key and can not be updated")
    }
    let row = trapping {
      try session.adopting(update) { try session.create(in: handle, value) }
    }
    return DynamicObject._object(at: row)
  }
}
