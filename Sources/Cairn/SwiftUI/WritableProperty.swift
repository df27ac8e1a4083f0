import CairnObjects
import Observation

/// A property of an object, which bindings set in a write transaction of its own.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
final class WritableProperty<Base: ObjectBase, Member>: Observable {
  private let object: Base
  private let keyPath: ReferenceWritableKeyPath<Base, Member>
  /// The value that was read last. A binding may be read once more after the object was deleted.
  private var last: Member

  init(_ keyPath: ReferenceWritableKeyPath<Base, Member>, of object: Base) {
    self.object = object
    self.keyPath = keyPath
    last = object[keyPath: keyPath]
  }

  /// The value. Setting it joins a write transaction that is open, and has no effect on a deleted
  /// object.
  var value: Member {
    get {
      if !object.isInvalidated { last = object[keyPath: keyPath] }
      return last
    }
    set {
      guard !object.isInvalidated else { return }
      guard let realm = object.realm, !realm.isInWriteTransaction else {
        object[keyPath: keyPath] = newValue
        return
      }
      orFatal { try realm.write { object[keyPath: keyPath] = newValue } }
    }
  }
}
