import CairnStorage

/// One stored property of a class.
struct PropertyLayout {
  let name: String
  /// The name in the store.
  let columnName: String
  /// Where the property stands in an instance.
  let offset: Int
  let wrapper: any PersistedWrapper.Type
  let kind: PropertyKind
  let isIndexed: Bool
  let isPrimaryKey: Bool
  /// The property of the class `kind.target` that an inverse property turns round.
  let origin: String?

  /// The property that a field of a class holds; nil where it holds none that is stored.
  init?(_ field: Field, of type: ObjectBase.Type, in prototype: ObjectBase) {
    guard let wrapper = field.type as? any PersistedWrapper.Type, field.name.hasPrefix("_") else {
      return nil
    }
    let name = String(field.name.dropFirst())
    guard !type.ignoredProperties().contains(name) else { return nil }
    let pointer = prototype.storage(at: field.offset)
    let options = wrapper.options(pointer)
    let named = type.namedProperties
    self.name = name
    columnName = type.propertiesMapping()[name] ?? name
    offset = field.offset
    self.wrapper = wrapper
    kind = wrapper.kind
    isIndexed = options.contains(.indexed) || named.indexed.contains(name)
    isPrimaryKey = options.contains(.primaryKey) || named.primaryKey == name
    origin = wrapper.origin(pointer)
    shape = PropertyShape(wrapper, kind)
    mayBeUnreadable = wrapper.mayBeUnreadable && kind.target == nil && kind.collection == .none
  }

  /// Whether the store may hold what the property's own type has no value for: raw values without a case, numbers that are
  /// too wide, values that stand for none. By name it is read as it is stored.
  let mayBeUnreadable: Bool

  /// How the bits of the property are read and set.
  let shape: PropertyShape

  /// Where the property stands in an instance.
  func pointer(in object: ObjectBase) -> UnsafeMutableRawPointer { object.storage(at: offset) }
}

extension ObjectBase {
  /// The memory of the instance at an offset that its class's layout gave.
  final func storage(at offset: Int) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(self).toOpaque() + offset
  }
}
