/// What became of an object since its observer was told of it last.
@frozen
public enum ObjectChange<ObjectType> {
  /// The store could not be read; nothing follows.
  case error(_ error: any Error)
  /// Properties changed.
  case change(_: ObjectType, _: [PropertyChange])
  /// The object was deleted; nothing follows.
  case deleted
}

/// What became of one property of an object.
public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// What it was; nil for null, and for collections. An object that it led to is shown as it is now, and may be deleted.
  public let oldValue: Any?
  /// What it is; nil for null, and for collections.
  public let newValue: Any?
}

extension PropertyChange: CustomStringConvertible {
  /// The name with both values.
  public var description: String {
    "<PropertyChange: \(name) \(oldValue ?? "nil") -> \(newValue ?? "nil")>"
  }
}
