import CairnValues

/// The names of the columns that key paths lead to, worked out once for each.
enum KeyPathNames {
  /// The column of the stored property that a key path of one step names; a computed one is a programming error.
  static func column<Root: ObjectBase, Value: _Persistable>(
    of keyPath: KeyPath<Root, Value>
  ) -> String {
    if let known = cache.known(keyPath) { return known[0] }
    let names = KeyPathTracer.names(in: keyPath)
    guard names.count == 1, isStored(keyPath, names[0]) else {
      programmingError(
        "A query can only ask about stored properties; this key path of '\(Root.self)' leads to another"
          + (names.isEmpty ? "." : ", which reads '\(names.joined(separator: "', '"))'."))
    }
    cache.note(keyPath, names)
    return names[0]
  }

  /// Whether the key path gives what is stored in a column, unchanged.
  private static func isStored<Root: ObjectBase, Value: _Persistable>(
    _ keyPath: KeyPath<Root, Value>, _ column: String
  ) -> Bool {
    let layout = ObjectLayout.of(Root.self)
    guard let property = layout.properties.first(where: { $0.columnName == column }),
      property.wrapper is Persisted<Value>.Type
    else { return false }
    guard let type = Value.self as? any _Scalar.Type else { return true }
    return gives(type.probe, keyPath, property)
  }

  private static func gives<Root: ObjectBase, Value: _Persistable>(
    _ probe: CairnValues.Value?, _ keyPath: KeyPath<Root, Value>, _ property: PropertyLayout
  ) -> Bool {
    guard let probe, let type = Value.self as? any _Scalar.Type,
      let value = type.init(_stored: StoredValue(probe)) as? Value
    else { return true }
    let object = Root()
    property.pointer(in: object).assumingMemoryBound(to: Persisted<Value>.self).pointee =
      Persisted(wrappedValue: value)
    return (object[keyPath: keyPath] as? any _Scalar)?._stored.value == probe
  }

  private static let cache = KeyPathCache()
}

extension _Scalar {
  /// A value that no computed property is likely to give back as it was.
  fileprivate static var probe: Value? {
    switch _kind.type {
    case .int: .int(93)
    case .string: .string("\u{2}cairn probe\u{3}")
    case .double: .double(-1234.5625)
    case .float: .float(-1234.5625)
    case .bool: .bool(true)
    default: nil
    }
  }
}

/// Key paths that were traced before; asked from any thread.
private final class KeyPathCache: @unchecked Sendable {
  // A key path cannot be sent between threads as such, for it may hold a subscript's arguments; those of
  // properties hold none.
  private var names: [AnyKeyPath: [String]] = [:]
  private let lock = Mutex(())

  func known(_ keyPath: AnyKeyPath) -> [String]? {
    lock.withLock { _ in names[keyPath] }
  }

  func note(_ keyPath: AnyKeyPath, _ found: [String]) {
    lock.withLock { _ in names[keyPath] = found }
  }
}
