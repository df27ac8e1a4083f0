import CairnValues

/// The names of the properties that key paths lead to, worked out once for each.
enum KeyPathNames {
  /// The stored property that a key path of one step names; a computed one is a programming error.
  static func name<Root: ObjectBase, Value>(of keyPath: KeyPath<Root, Value>) -> String {
    // A type that is no class of objects has no recorder, whatever the compiler let through.
    checkObjects(Root.self)
    let names = stored(keyPath, in: Root.self) { KeyPathTracer.recorder(Root.self, $0) }
    guard names.count == 1 else { refuse(Root.self, names) }
    return names[0]
  }

  /// Ends the program where a type is not a class of objects. Not inlined: the compiler would take the constraints of its
  /// callers for the answer.
  @inline(never)
  static func checkObjects(_ type: Any.Type) {
    if type is ObjectBase.Type { return }
    programmingError(
      "A query can only ask about stored properties of objects, and '\(type)' is not a class of objects."
    )
  }

  /// The stored properties that a key path leads along to the last of them; a computed one is a programming
  /// error.
  ///
  /// - Parameter recorder: makes an object that takes notes.
  static func stored<Root, Value>(
    _ keyPath: KeyPath<Root, Value>, in root: Root.Type,
    recorder: (KeyPathTracer.Trail) -> Root
  ) -> [String] {
    if let known = cache.withLock({ $0[keyPath] }) { return known }
    let trail = KeyPathTracer.Trail(isProbing: true)
    let value = recorder(trail)[keyPath: keyPath]
    guard !trail.names.isEmpty, isStored(value) else { refuse(root, trail.names) }
    cache.withLock { $0[keyPath] = trail.names }
    return trail.names
  }

  /// Whether a value that probing properties gave is one of theirs.
  private static func isStored(_ value: Any) -> Bool {
    guard let scalar = Bridge.unwrapped(value) as? any _Scalar else { return true }
    return !type(of: scalar).hasProbe || scalar.isProbe
  }

  private static func refuse<Root>(_ root: Root.Type, _ names: [String]) -> Never {
    let read = names.isEmpty ? "." : ", which reads '\(names.joined(separator: "', '"))'."
    programmingError(
      "A query can only ask about stored properties; this key path of '\(root)' leads to another\(read)"
    )
  }

  /// Key paths that were traced before. One cannot be sent between threads as such, for it may hold a subscript's
  /// arguments; those of properties hold none.
  private static let cache = Mutex<[AnyKeyPath: [String]]>([:])
}
