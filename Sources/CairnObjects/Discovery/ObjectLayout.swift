import CairnStorage
import CairnValues

/// What Cairn knows of a class of objects: its stored properties, and where in an instance they stand.
final class ObjectLayout {
  let type: ObjectBase.Type
  /// The name of the class in the store: without the module, and without the types that it is nested in.
  let className: String
  /// Inherited ones first, then in the order of the declaration.
  let properties: [PropertyLayout]
  /// An instance as its initialiser leaves it.
  let prototype: ObjectBase

  /// Whether a property begins with another value for each object.
  let hasFreshDefaults: Bool
  /// The properties that no default stands for.
  let requiredLocations: [PropertyLayout]

  var isEmbedded: Bool { type is EmbeddedObject.Type }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    className = String(describing: type)
    let prototype = type.init()
    self.prototype = prototype
    properties = Field.fields(of: type).compactMap { PropertyLayout($0, of: type, in: prototype) }
    hasFreshDefaults = properties.contains { $0.wrapper.hasFreshDefault }
    requiredLocations = properties.filter { !$0.wrapper.hasDefault }
  }

  /// The classes that the properties lead to.
  var targets: [ObjectLayout] {
    let types = properties.compactMap(\.kind.target)
    return types.filter { !$0.isForAnyClass }.map { ObjectLayout.of($0) }
  }

  /// The property of that name in the program.
  func property(named name: String) -> PropertyLayout? {
    properties.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

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

  /// The one class of that name which the program has used; nil where it has used none, or several.
  static func unique(named name: String) -> ObjectLayout? {
    let named = cache.withLock { $0.values.filter { $0.className == name } }
    return named.count == 1 ? named[0] : nil
  }

  private static let cache = Mutex<[ObjectIdentifier: ObjectLayout]>([:])
}

extension ObjectLayout {
  /// The class as a store gets it.
  var draft: TableDraft {
    let renamed = properties.filter { $0.columnName != $0.name }
    return TableDraft(
      name: className, columns: columns, isEmbedded: isEmbedded,
      inverses: properties.compactMap(inverse),
      aliases: Dictionary(renamed.map { ($0.name, $0.columnName) }) { first, _ in first })
  }

  private var columns: [ColumnSchema] {
    properties.filter { !$0.kind.isInverse }.enumerated().map { position, property in
      ColumnSchema(
        id: UInt16(position), name: property.columnName, type: property.kind.type,
        collection: property.kind.collection, isOptional: property.kind.isOptional,
        isIndexed: property.isIndexed, isPrimaryKey: property.isPrimaryKey,
        target: property.kind.target.map { ObjectLayout.of($0).className }, position: position)
    }
  }

  private func inverse(_ property: PropertyLayout) -> InverseSchema? {
    guard let target = property.kind.target.map(ObjectLayout.of), let origin = property.origin,
      let column = target.property(named: origin)?.columnName
    else { return nil }
    return InverseSchema(name: property.name, origin: target.className, property: column)
  }

  /// Whether an object may lead to another one of its class.
  var isOnCycle: Bool {
    targets.contains { target in target.reachable.contains { $0 === self } }
  }

  /// The class and all that its properties lead to, each once.
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
