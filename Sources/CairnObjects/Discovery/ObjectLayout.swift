import CairnStorage
import CairnValues
import CairnValues

/// What Cairn knows of a class of objects: its stored properties, and where in an instance they stand.
final class ObjectLayout {
  let type: ObjectBase.Type
  let className: String
  /// Inherited ones first, then in the order of the declaration.
  let properties: [PropertyLayout]

  var isEmbedded: Bool { type is EmbeddedObject.Type }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    className = String(describing: type)
    let prototype = type.init()
    properties = Field.fields(of: type).compactMap { PropertyLayout($0, in: prototype) }
  }

  /// The classes that the properties lead to.
  var targets: [ObjectLayout] { properties.compactMap { $0.kind.target.map(ObjectLayout.of) } }

  /// The layout of a class; worked out once.
  static func of(_ type: ObjectBase.Type) -> ObjectLayout {
    let id = ObjectIdentifier(type)
    if let known = cache.withLock({ $0[id] }) { return known }
    let layout = ObjectLayout(type)
    return cache.withLock { known in
      if let earlier = known[id] { return earlier }
      known[id] = layout
      return layout
    }
  }

  private static let cache = Mutex<[ObjectIdentifier: ObjectLayout]>([:])
}

extension ObjectLayout {
  /// The class as a store has it.
  var schema: TableSchema {
    let stored = properties.filter { !$0.kind.isInverse }
    let columns = stored.enumerated().map { position, property in
      ColumnSchema(
        id: UInt16(position), name: property.columnName, type: property.kind.type,
        collection: property.kind.collection, isOptional: property.kind.isOptional,
        isIndexed: property.options.contains(.indexed),
        isPrimaryKey: property.options.contains(.primaryKey),
        target: property.kind.target.map { ObjectLayout.of($0).className }, position: position)
    }
    return TableSchema(id: .max, name: className, columns: columns, isEmbedded: isEmbedded)
  }
}

/// One stored property of a class.
struct PropertyLayout {
  let name: String
  /// The name in the store.
  var columnName: String
  let offset: Int
  let wrapper: any PersistedWrapper.Type
  let kind: PropertyKind
  let options: PropertyOptions

  init?(_ field: Field, in prototype: ObjectBase) {
    guard let wrapper = field.type as? any PersistedWrapper.Type, field.name.hasPrefix("_") else {
      return nil
    }
    name = String(field.name.dropFirst())
    columnName = name
    offset = field.offset
    self.wrapper = wrapper
    kind = wrapper.kind
    options = wrapper.options(prototype.storage(at: field.offset))
  }

  /// Where the property stands in an instance.
  func pointer(in object: ObjectBase) -> UnsafeMutableRawPointer { object.storage(at: offset) }
}

extension ObjectBase {
  /// The memory of the instance at an offset that its class's layout gave.
  final func storage(at offset: Int) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(self).toOpaque() + offset
  }
}
