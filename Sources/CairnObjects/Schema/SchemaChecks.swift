import CairnStorage
import CairnValues

/// The mistakes in an object class that the compiler does not find.
extension ObjectLayout {
  /// Checks classes that the program declares.
  ///
  /// - Throws: `Realm.Error` with every mistake in the classes, and with names that two of them
  ///   share.
  static func check(_ new: [ObjectLayout], alongside known: [String: ObjectLayout]) throws {
    var mistakes = new.flatMap(\.mistakes)
    var named = known
    for layout in new {
      if let other = named.updateValue(layout, forKey: layout.className) {
        mistakes.append(
          "Classes '\(String(reflecting: other.type))' and '\(String(reflecting: layout.type))' "
            + "have the same name '\(layout.className)' in the store; rename one of them.")
      }
    }
    guard mistakes.isEmpty else {
      throw Realm.Error(.fail, sentences: mistakes, under: "The program's classes have mistakes:")
    }
  }

  /// One sentence for each mistake in the class, with the class, the property and the remedy.
  var mistakes: [String] {
    guard !properties.isEmpty else {
      return [
        "Class '\(className)' has no stored properties; mark them with @Persisted."
      ]
    }
    return properties.compactMap(mistake) + properties.compactMap(mistakenLink)
      + mistakenKeys + mistakenNames + mistakenFunctions
  }

  private func subject(_ property: PropertyLayout) -> String { "'\(className).\(property.name)'" }

  private func mistake(in property: PropertyLayout) -> String? {
    let (kind, subject) = (property.kind, subject(property))
    if property.isPrimaryKey, !kind.canBeKey {
      return
        "Property \(subject) is the primary key and \(kind.typeDescription); a primary key is "
        + "an int, a string, an ObjectId or a UUID."
    }
    if property.isIndexed, !kind.canBeIndexed {
      return "Property \(subject) is indexed and \(kind.typeDescription), which cannot be indexed; "
        + "remove the index."
    }
    if property.isFullText, kind.type != .string || kind.collection != .none {
      return "Property \(subject) has a full-text index and \(kind.typeDescription); "
        + "only a string can have one."
    }
    return nil
  }

  private func mistakenLink(in property: PropertyLayout) -> String? {
    guard let target = property.kind.target else { return nil }
    let subject = subject(property)
    if target.isForAnyClass {
      return "Property \(subject) links to objects of any class; name a subclass of '\(target)'."
    }
    if property.kind.isInverse { return mistakenInverse(property, origin: ObjectLayout.of(target)) }
    switch property.kind.collection {
    case .none where !property.kind.isOptional:
      return "Property \(subject) links to an object, so it must be optional: declare it as "
        + "'\(target)?'."
    case .set where property.kind.type == .embedded:
      return "Property \(subject) is a set of embedded objects, which have no identity; "
        + "use a list."
    default: return nil
    }
  }

  private func mistakenInverse(_ property: PropertyLayout, origin: ObjectLayout) -> String? {
    let subject = subject(property)
    guard let name = property.origin else {
      return "Property \(subject) names no origin property; declare it with "
        + "@Persisted(originProperty:)."
    }
    guard let forward = origin.property(named: name), !forward.kind.isInverse else {
      return "Property \(subject) is the inverse of '\(origin.className).\(name)', which class "
        + "'\(origin.className)' does not have; name a property that links to '\(className)'."
    }
    guard let target = forward.kind.target, target.includes(type) else {
      return "Property \(subject) is the inverse of '\(origin.className).\(name)', which does not "
        + "link to '\(className)'; name a property that does."
    }
    return nil
  }

  private var mistakenKeys: [String] {
    let keys = properties.filter(\.isPrimaryKey)
    let list = keys.map { "'\($0.name)'" }.joined(separator: " and ")
    if isEmbedded, !keys.isEmpty {
      return [
        "Class '\(className)' is embedded and cannot have a primary key; remove it from \(list)."
      ]
    }
    guard keys.count > 1 else { return [] }
    return ["Class '\(className)' has \(keys.count) primary keys, \(list); keep one of them."]
  }

  private var mistakenNames: [String] {
    let names = Dictionary(grouping: properties, by: \.columnName)
    let clashes = names.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
    return clashes.map { name, properties in
      "Properties \(properties.map(subject).joined(separator: " and ")) have the same name "
        + "'\(name)' in the store; rename one of them in propertiesMapping()."
    }
      + properties.filter(\.columnName.isEmpty).map {
        "Property \(subject($0)) has an empty name in the store; change it in propertiesMapping()."
      }
  }

  /// The names in the class's overrides that match no property.
  private var mistakenFunctions: [String] {
    let named = type.namedProperties
    let ignored = type.ignoredProperties()
    let functions = [
      ("primaryKey()", named.primaryKey.map { [$0] } ?? []),
      ("indexedProperties()", named.indexed),
      ("propertiesMapping()", type.propertiesMapping().keys.sorted()),
    ]
    return functions.flatMap { function, names in
      names.filter { property(named: $0) == nil && !ignored.contains($0) }.map {
        "'\(className).\(function)' names '\($0)', which is not a stored property."
      }
    }
  }
}

extension ObjectBase {
  /// Whether the type is one of Cairn's base classes instead of a class of the program.
  static var isForAnyClass: Bool {
    self == ObjectBase.self || self == Object.self || self == EmbeddedObject.self
  }
}

extension PropertyKind {
  fileprivate var canBeKey: Bool {
    collection == .none && [.int, .string, .objectId, .uuid].contains(type)
  }

  fileprivate var canBeIndexed: Bool {
    let types: [ValueType] = [.bool, .int, .string, .date, .objectId, .uuid]
    return collection == .none && types.contains(type)
  }

  /// The description of the property's type for messages.
  fileprivate var typeDescription: String {
    switch collection {
    case .none: "of type \(type.name)"
    case .list: "a list"
    case .set: "a set"
    case .map: "a map"
    }
  }
}

extension ObjectLayout {
  /// Returns a sentence for each property that the store does not have as the class declares it.
  /// Additional properties in the store are not differences: they keep their values, and new
  /// objects get null or the default value there.
  func differences(from stored: TableSchema) -> [String] {
    var found: [String] = []
    if stored.isEmbedded != isEmbedded {
      found.append(
        "Class '\(className)' is \(isEmbedded ? "embedded" : "not embedded"), and "
          + "\(stored.isEmbedded ? "embedded" : "not embedded") in the store.")
    }
    let columns = draft.columns
    for column in columns {
      found += differences(column, stored: stored.column(named: column.name))
    }
    if let key = stored.primaryKey, !columns.contains(where: \.isPrimaryKey) {
      found.append(
        "Property '\(className).\(stored.columns[key].name)' is the primary key in the store, "
          + "not in the class.")
    }
    return found
  }

  private func differences(_ wanted: ColumnSchema, stored: ColumnSchema?) -> [String] {
    let subject = "Property '\(className).\(wanted.name)'"
    guard let stored else { return ["\(subject) is not in the store."] }
    var found: [String] = []
    if wanted.type != stored.type || wanted.collection != stored.collection
      || wanted.target != stored.target
    {
      found.append(
        "\(subject) is \(wanted.typeText) in the class, \(stored.typeText) in the store.")
    } else if wanted.isOptional != stored.isOptional {
      found.append(
        "\(subject) is \(wanted.isOptional ? "optional" : "required") in the class, "
          + "\(stored.isOptional ? "optional" : "required") in the store.")
    }
    if wanted.isPrimaryKey, !stored.isPrimaryKey {
      found.append("\(subject) is the primary key in the class, not in the store.")
    }
    return found
  }
}
