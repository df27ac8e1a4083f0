extension Realm {
  /// What to do about an object whose primary key the store has already.
  public enum UpdatePolicy: Int, Sendable {
    /// It is a programming error.
    case error = 1
    /// The stored object gets the values that differ.
    case modified = 3
    /// The stored object gets all values.
    case all = 2
  }

  /// Adds an object, and all that it leads to; from then on it is the one in the store.
  ///
  /// One that is in the realm already stays as it is; one of another realm is a programming error: `create` copies it.
  ///
  /// - Parameter update: what to do where the store has an object with the primary key already.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    let session = writing
    if update != .error { requirePrimaryKey(type(of: object)) }
    _ = session.adopting(update) { session.adopt(object) }
  }

  /// Adds objects, and all that they lead to.
  ///
  /// - Parameter update: what to do where the store has an object with the primary key already.
  public func add<S: Sequence>(
    _ objects: S, update: UpdatePolicy = .error
  ) where S.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// Makes an object of a dictionary by name, an array in the order of the declaration, or another object, and adds
  /// it; nested ones become objects too. What an update leaves out stays as it is in the store, and under `.modified` nested
  /// values without a primary key are written to the objects that stand in their places.
  ///
  /// Names that the class has no property for are ignored, and what is left out begins with the property's default.
  ///
  /// A value that does not fit its property is a programming error; `create(_:validating:update:)` throws instead.
  ///
  /// - Parameter update: what to do where the store has an object with the primary key already.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T {
    trapping { try create(type, validating: value, tolerating: .all, update: update) }
  }

  /// The same for values from outside the program, such as a file's: a dictionary has a value for every property that
  /// needs one, and no other names. Nothing is made of a value with a mistake.
  ///
  /// - Parameters:
  ///   - tolerance: what the value may lack, or have besides.
  ///   - update: what to do where the store has an object with the primary key already.
  /// - Throws: `Realm.Error` that names the property, or the primary key that is there already.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, validating value: Any, tolerating tolerance: ValueTolerance = [],
    update: UpdatePolicy = .error
  ) throws -> T {
    let session = writing
    if update != .error { requirePrimaryKey(type) }
    let intake = ValueIntake(session, update, tolerating: tolerance)
    guard let object = try intake.object(type, from: value) else {
      throw ValueError.noSource(value, ObjectLayout.of(type).className)
    }
    session.adopting(update) {
      intake.finish()
      _ = session.adopt(object)
      intake.finishAdded()
    }
    return object
  }

  private func requirePrimaryKey(_ type: Object.Type) {
    let layout = ObjectLayout.of(type)
    if layout.properties.contains(where: \.isPrimaryKey) { return }
    programmingError(
      "'\(layout.className)' does not have a primary key and can not be updated")
  }
}
