/// A frozen object that any number of threads, tasks and actors may hold and read at once.
///
///     let dog = Frozen(dog)
///     Task.detached { print(dog.name) }
///
/// Classes of objects cannot be `Sendable` themselves: each subclass would have to say so, and live ones are not.
@dynamicMemberLookup
public struct Frozen<Element: ObjectBase>: @unchecked Sendable {
  // Sendable: a frozen object and what it leads to never change, and what reading them remembers is under a lock.
  /// The frozen object.
  public let object: Element

  /// Freezes an object, as `freeze()` does.
  public init(_ object: Element) {
    self.object = object.freeze()
  }

  /// A property of the object.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Element, Value>) -> Value {
    object[keyPath: keyPath]
  }
}
