import CairnStorage
import CairnValues

/// Types of one's own are equal where what is stored for them is, unless they say otherwise.
extension FailableCustomPersistable {
  /// Whether the same is stored for both.
  public static func == (a: Self, b: Self) -> Bool {
    let (x, y) = (a.persistableValue, b.persistableValue)
    guard let x = x as? ObjectBase, let y = y as? ObjectBase else { return x == y }
    return x.holdsSame(as: y)
  }

  /// The same for equal values.
  public func hash(into hasher: inout Hasher) {
    if PersistedType._kind.target == nil { hasher.combine(persistableValue) }
  }
}

extension ObjectBase {
  /// Whether both, in no store yet, have equal values in all properties that are neither links nor collections.
  fileprivate final func holdsSame(as other: ObjectBase) -> Bool {
    guard type(of: self) == type(of: other) else { return false }
    let properties = ObjectLayout.of(type(of: self)).properties
    return properties.allSatisfy { property in
      guard property.kind.collection == .none, property.kind.target == nil else { return true }
      return property.initial(in: self) == property.initial(in: other)
    }
  }
}

extension PropertyLayout {
  fileprivate func initial(in object: ObjectBase) -> Value? {
    isMissing(in: object) ? nil : wrapper.value(pointer(in: object))._initial?.value
  }
}
