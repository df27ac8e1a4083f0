import CairnStorage
import CairnSystem
import CairnValues
@_spi(Reflection) import Swift

/// The stored properties of an object class and their offsets in an instance.
final class ObjectLayout {
  let type: ObjectBase.Type
  /// The name of the class in the store: without the module and without enclosing types.
  let className: String
  /// The inherited properties, then the others in declaration order.
  let properties: [PropertyLayout]
  /// The properties that are not inverse ones, in the order in which arrays give their values.
  let storedProperties: [PropertyLayout]
  /// An instance in the state in which its initializer leaves it.
  let prototype: ObjectBase

  /// Whether the properties are all that an instance holds, so that its row determines its values.
  let holdsOnlyProperties: Bool
  /// Whether any property has a default that differs from object to object.
  let hasFreshDefaults: Bool
  /// The properties that have no default value.
  let requiredLocations: [PropertyLayout]

  var isEmbedded: Bool { type is EmbeddedObject.Type }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    className = type._realmObjectName() ?? String(describing: type)
    let prototype = type.init()
    self.prototype = prototype
    let fields = Field.fields(of: type)
    properties = fields.compactMap { PropertyLayout($0, of: type, in: prototype) }
    storedProperties = properties.filter { !$0.kind.isInverse }
    holdsOnlyProperties = fields.count == properties.count + Field.fields(of: ObjectBase.self).count
    hasFreshDefaults = properties.contains { $0.wrapper.hasFreshDefault }
    requiredLocations = properties.filter { !$0.wrapper.hasDefault }
  }

  /// The classes to which the properties lead.
  var targets: [ObjectLayout] {
    let types = properties.compactMap(\.kind.target)
    return types.filter { !$0.isForAnyClass }.map { ObjectLayout.of($0) }
  }

  /// Returns the property with that name in the program.
  func property(named name: String) -> PropertyLayout? {
    properties.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// Returns the layout of a class, which is computed once.
  static func of(_ type: ObjectBase.Type) -> ObjectLayout {
    let id = ObjectIdentifier(type)
    if let cached = cache.withLock({ $0[id] }) { return cached }
    let layout = ObjectLayout(type)
    return cache.withLock { cached in
      if let earlier = cached[id] { return earlier }
      cached[id] = layout
      return layout
    }
  }

  /// Returns the class of that name if the program has used exactly one, and nil otherwise.
  static func unique(named name: String) -> ObjectLayout? {
    let named = cache.withLock { $0.values.filter { $0.className == name } }
    return named.count == 1 ? named[0] : nil
  }

  private static let cache = Mutex<[ObjectIdentifier: ObjectLayout]>([:])
}

extension ObjectLayout {
  /// The definition of the class for a store.
  var draft: TableDraft {
    let renamed = properties.filter { $0.columnName != $0.name }
    return TableDraft(
      name: className, columns: columns, isEmbedded: isEmbedded,
      inverses: properties.compactMap(inverse),
      aliases: Dictionary(renamed.map { ($0.name, $0.columnName) }) { first, _ in first })
  }

  private var columns: [ColumnSchema] {
    storedProperties.enumerated().map { position, property in
      ColumnSchema(
        id: UInt16(position), name: property.columnName, type: property.kind.type,
        collection: property.kind.collection, isOptional: property.kind.isOptional,
        isIndexed: property.isIndexed, isFullText: property.isFullText,
        isPrimaryKey: property.isPrimaryKey,
        target: property.kind.target.map { ObjectLayout.of($0).className }, position: position)
    }
  }

  private func inverse(_ property: PropertyLayout) -> InverseSchema? {
    guard let target = property.kind.target.map(ObjectLayout.of), let origin = property.origin,
      let column = target.property(named: origin)?.columnName
    else { return nil }
    return InverseSchema(name: property.name, origin: target.className, property: column)
  }

  /// Whether an object may lead, through links, to another object of its class.
  var isOnCycle: Bool {
    targets.contains { target in target.reachable.contains { $0 === self } }
  }

  /// The class and every class that its properties reach, each once.
  var reachable: [ObjectLayout] {
    var found: [ObjectLayout] = []
    var seen: Set<ObjectIdentifier> = []
    var open = [self]
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      found.append(next)
      open += next.targets
    }
    return found
  }
}

/// A stored property of a class.
struct PropertyLayout {
  let name: String
  /// The name in the store.
  let columnName: String
  /// The offset of the property in an instance.
  let offset: Int
  let wrapper: any PersistedWrapper.Type
  let kind: PropertyKind
  let isIndexed: Bool
  /// Whether the property has a full-text index.
  let isFullText: Bool
  let isPrimaryKey: Bool
  /// The property of the class `kind.target` whose links an inverse property follows backwards.
  let origin: String?

  /// Creates the layout of the property that a field holds; nil if the field is not a stored
  /// property.
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
    isFullText = options.contains(.fullText)
    isPrimaryKey = options.contains(.primaryKey) || named.primaryKey == name
    origin = wrapper.origin(pointer)
    representation = PropertyRepresentation(wrapper, kind: kind)
    mayBeUnreadable = wrapper.mayBeUnreadable && kind.target == nil && kind.collection == .none
    if !isUnderstoodByBinder(prototype) { representation = .typed }
  }

  private func isUnderstoodByBinder(_ prototype: ObjectBase) -> Bool {
    let binder = PropertyBinder(self, column: 1, prototype: prototype)
    defer { binder.free() }
    return binder.isUnderstood(byInstancesLike: prototype)
  }

  /// Whether the store may hold values that the property's type cannot represent: raw values
  /// without a case, integers that are too wide, values that a custom type rejects. Access by name
  /// returns such values as they are stored.
  let mayBeUnreadable: Bool

  /// How the bits of the property are read and written.
  private(set) var representation: PropertyRepresentation

  /// Returns the address of the property in an instance. Valid while the instance exists.
  func pointer(in object: ObjectBase) -> UnsafeMutableRawPointer { object.storage(at: offset) }
}

extension ObjectBase {
  /// Returns the address in the instance at an offset from the layout of its class. Valid while the
  /// instance exists.
  final func storage(at offset: Int) -> UnsafeMutableRawPointer {
    // An instance begins with its class and its reference counts; 0 is the start of the instance.
    assert(
      offset == 0 || offset >= 2 * MemoryLayout<Int>.size, "the offset is not one of a property")
    return Unmanaged.passUnretained(self).toOpaque() + offset
  }

  /// Returns whether a class is this one or a subclass.
  static func includes(_ type: ObjectBase.Type) -> Bool { type is Self.Type }
}

/// A stored field of a class, as the runtime reports it. See `docs/toolchain.md`.
struct Field {
  let name: String
  /// The offset in bytes from the start of an instance.
  let offset: Int
  let type: Any.Type

  /// The value of the runtime's `classType`. The runtime declares it as a variable, which Swift 6
  /// does not allow us to read.
  private static let ofClass = _EachFieldOptions(rawValue: 1 << 0)

  /// Returns the fields of a class, inherited fields first.
  static func fields(of type: AnyClass) -> [Field] {
    var fields: [Field] = []
    _ = _forEachField(of: type, options: ofClass) { name, offset, type, _ in
      fields.append(Field(name: String(cString: name), offset: offset, type: type))
      return true
    }
    return fields
  }
}
