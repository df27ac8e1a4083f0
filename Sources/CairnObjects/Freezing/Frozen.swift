/// A frozen object, collection or results that any number of threads, tasks and actors may hold and read at once.
///
///     let dog = Frozen(dog)
///     Task.detached { print(dog.name) }
///     let dogs = Frozen(realm.objects(Dog.self))
///     Task.detached { print(dogs.count, dogs.value.filter("age > 3").count) }
///
/// Only what is frozen is `Sendable`; what is live belongs to one thread, queue or actor.
@dynamicMemberLookup
public struct Frozen<Value: ThreadConfined>: @unchecked Sendable {
  // Sendable: what is frozen and what it leads to never change, and what reading them remembers is under a lock.
  /// The frozen value.
  public let value: Value

  /// Freezes a value, as `freeze()` does.
  public init(_ value: Value) {
    self.value = value._forAnyThread()
  }

  /// A property of the value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }
}

extension Frozen where Value: ObjectBase {
  /// The frozen object.
  public var object: Value { value }
}
