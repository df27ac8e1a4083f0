import Dispatch

extension ObjectBase {
  /// Calls the block with the properties that change, and when the object is deleted.
  ///
  ///     let token = dog.observe { change in
  ///       switch change {
  ///       case .change(let dog, let properties): for property in properties { print(property.name) }
  ///       case .deleted: print("gone")
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// It is called when collections' observers are, but not for the object as it is at first.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose changes are told of, also of linked objects: `"toys.name"` tells of a change of
  ///     `toys`; nil or none for the object's own. Names that the class does not have are programming errors.
  ///   - queue: a serial queue to call the block on, with the object of a realm of that; nil for here.
  /// - Returns: what the calls last as long as.
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    beObserved(on: queue, { ObjectTracker($0, keyPaths) { $0.as(T.self) } }, block)
  }

  /// Calls the block when one of these properties changes, and when the object is deleted.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: PropertyNames.paths(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the properties that change, and when the object is deleted.
  ///
  /// - Returns: what the calls last as long as.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await beObserved(
      on: actor, _isolation: _isolation, { ObjectTracker($0, keyPaths) { $0.as(T.self) } },
      as: { $0 }, block)
  }

  /// Calls the block on an actor when one of these properties changes, and when the object is deleted.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: PropertyNames.paths(of: keyPaths), on: actor, _isolation: _isolation, block)
  }

  /// The object as its class.
  fileprivate func `as`<T: ObjectBase>(_ type: T.Type) -> T {
    guard let object = self as? T else {
      programmingError("An object of '\(Swift.type(of: self))' cannot be observed as '\(type)'.")
    }
    return object
  }
}

// Of a protocol, so that classes may have a property of the same name.
extension ThreadConfined where Self: ObjectBase {
  /// What becomes of the object, one change after the other; ends when it is deleted.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<ObjectChange<Self>> { changes(keyPaths: nil) }

  /// The changes of these properties, one after the other; ends when the object is deleted.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]?) -> ChangeSequence<ObjectChange<Self>> {
    beFollowed({ ObjectTracker($0, keyPaths) { $0 } }, as: { $0 })
  }
}
