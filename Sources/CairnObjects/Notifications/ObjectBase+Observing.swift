import Dispatch

extension ObjectBase {
  /// Calls the block with the properties that change, and when the object is deleted.
  ///
  ///     let token = dog.observe { change in
  ///       switch change {
  ///       case .change(let dog, let properties): for property in properties { print(property.name)
  ///       }
  ///       case .deleted: print("gone")
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// The block is called at the same times as those of collections, but not for the object's
  /// initial state.
  ///
  /// - Parameters:
  ///   - keyPaths: the observed properties, which may be those of linked objects: `"toys.name"`
  ///     reports a change of `toys`; nil or empty for the object's own. Names that the class does
  ///     not have are programming errors.
  ///   - queue: a serial queue to call the block on, with the object in a realm of that queue; nil
  ///     for the realm of the object.
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    subscribe(on: queue, { ObjectTracker($0, keyPaths: keyPaths) { $0.as(T.self) } }, block: block)
  }

  /// Calls the block when one of the given properties changes, and when the object is deleted.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: PropertyNames.paths(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the properties that change, and when the object is deleted.
  ///
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await subscribe(
      on: actor, _isolation: _isolation,
      { ObjectTracker($0, keyPaths: keyPaths) { $0.as(T.self) } },
      as: { $0 }, block: block)
  }

  /// Calls the block on an actor when one of the given properties changes, and when the object is
  /// deleted.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: PropertyNames.paths(of: keyPaths), on: actor, _isolation: _isolation, block)
  }

  /// The object as an instance of the class; another class is a programming error.
  fileprivate func `as`<T: ObjectBase>(_ type: T.Type) -> T {
    guard let object = self as? T else {
      programmingError("An object of '\(Swift.type(of: self))' cannot be observed as '\(type)'.")
    }
    return object
  }
}

// Members of a protocol rather than of the class, so that classes may have a property of the same
// name.
extension ThreadConfined where Self: ObjectBase {
  /// The changes of the object, as an asynchronous sequence, which ends when the object is deleted.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<ObjectChange<Self>> { changes(keyPaths: nil) }

  /// The changes of the given properties, as an asynchronous sequence, which ends when the object
  /// is deleted.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]?) -> ChangeSequence<ObjectChange<Self>> {
    changeSequence({ ObjectTracker($0, keyPaths: keyPaths) { $0 } }, as: { $0 })
  }
}

/// A change of an object since its observer was last notified.
@frozen
public enum ObjectChange<ObjectType> {
  /// The store could not be read. This is the last notification.
  case error(_ error: any Error)
  /// Properties changed.
  case change(_: ObjectType, _: [PropertyChange])
  /// The object was deleted. This is the last notification.
  case deleted
}

/// A change of one property of an object.
public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// The value before the change; nil for null and for collections. A linked object is in its
  /// present state and may be deleted.
  public let oldValue: Any?
  /// The value after the change; nil for null and for collections.
  public let newValue: Any?
}

extension PropertyChange: CustomStringConvertible {
  /// The name with both values.
  public var description: String {
    "<PropertyChange: \(name) \(oldValue ?? "nil") -> \(newValue ?? "nil")>"
  }
}
