/// Finds which stored properties a key path reads, by letting it read from an object that takes notes.
///
/// One for each property of such an object; what it notes goes to the one list of the trace.
public final class KeyPathTracer {
  /// What a trace found.
  final class Trail {
    /// The properties in the order in which they were read.
    var names: [String] = []
  }

  let name: String
  let trail: Trail

  init(_ name: String, _ trail: Trail) {
    self.name = name
    self.trail = trail
  }

  /// Notes that the property was read.
  func pass() { trail.names.append(name) }

  /// Notes that the property was read; the object that it leads to takes notes too.
  func follow<T: ObjectBase>(_ type: T.Type) -> T {
    pass()
    return KeyPathTracer.recorder(type, trail)
  }

  /// An object whose properties take notes.
  static func recorder<T: ObjectBase>(_ type: T.Type, _ trail: Trail) -> T {
    let object = type.init()
    for property in ObjectLayout.of(type).properties {
      property.wrapper.trace(
        property.pointer(in: object), KeyPathTracer(property.columnName, trail))
    }
    return object
  }

  /// The stored properties that a key path reads, in order: `["favoriteToy", "name"]`.
  static func names<Root: ObjectBase, Value>(in keyPath: KeyPath<Root, Value>) -> [String] {
    let trail = Trail()
    _ = recorder(Root.self, trail)[keyPath: keyPath]
    return trail.names
  }
}
