import CairnStorage
import CairnValues

/// What no compiler finds wrong with a class of objects.
extension ObjectLayout {
  /// - Throws: `Realm.Error` with every mistake in the classes, or a name that two of them have.
  static func check(_ fresh: [ObjectLayout], besides known: [String: ObjectLayout]) throws {
    var mistakes = fresh.flatMap(\.mistakes)
    var named = known
    for layout in fresh {
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

  /// A sentence for each mistake in the class: class, property, cure.
  var mistakes: [String] {
    guard !properties.isEmpty else {
      return [
        "Class '\(className)' has no property that is stored; mark those that are with @Persisted."
      ]
    }
    return properties.compactMap(mistake) + properties.compactMap(mistakenLink)
      + mistakenKeys + mistakenNames + mistakenFunctions
  }

  private func place(_ property: PropertyLayout) -> String { "'\(className).\(property.name)'" }

  private func mistake(in property: PropertyLayout) -> String? {
    let (kind, place) = (property.kind, place(property))
    if property.isPrimaryKey, !kind.canBeKey {
      return "Property \(place) is the primary key and \(kind.words); a primary key is an int, "
        + "a string, an ObjectId or a UUID."
    }
    if property.isIndexed, !kind.canBeIndexed {
      return "Property \(place) is indexed and \(kind.words), of which there is no index; "
        + "declare it without."
    }
    return nil
  }

  private func mistakenLink(in property: PropertyLayout) -> String? {
    guard let target = property.kind.target else { return nil }
    let place = place(property)
    if target.isForAnyClass {
      return "Property \(place) leads to objects of any class; name a subclass of '\(target)'."
    }
    if property.kind.isInverse { return mistakenInverse(property, ObjectLayout.of(target)) }
    switch property.kind.collection {
    case .none where !property.kind.isOptional:
      return "Property \(place) leads to an object, so it must be optional: declare it as "
        + "'\(target)?'."
    case .set where property.kind.type == .embedded:
      return "Property \(place) is a set of embedded objects, which cannot be told apart; "
        + "use a list."
    default: return nil
    }
  }

  private func mistakenInverse(_ property: PropertyLayout, _ origin: ObjectLayout) -> String? {
    let place = place(property)
    guard let name = property.origin else {
      return "Property \(place) names no property to turn round; declare it with "
        + "@Persisted(originProperty:)."
    }
    guard let forward = origin.property(named: name), !forward.kind.isInverse else {
      return "Property \(place) turns round '\(origin.className).\(name)', which class "
        + "'\(origin.className)' does not have; name one that leads to '\(className)'."
    }
    guard let target = forward.kind.target,
      Field.ancestry(of: type).contains(where: { $0 == target })
    else {
      return "Property \(place) turns round '\(origin.className).\(name)', which does not lead to "
        + "'\(className)'; name one that does."
    }
    return nil
  }

  private var mistakenKeys: [String] {
    let keys = properties.filter(\.isPrimaryKey)
    let list = keys.map { "'\($0.name)'" }.joined(separator: " and ")
    if isEmbedded, !keys.isEmpty {
      return [
        "Class '\(className)' is embedded, so it has no primary key: declare \(list) without."
      ]
    }
    guard keys.count > 1 else { return [] }
    return ["Class '\(className)' has \(keys.count) primary keys, \(list); keep one of them."]
  }

  private var mistakenNames: [String] {
    let names = Dictionary(grouping: properties, by: \.columnName)
    let clashes = names.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
    return clashes.map { name, properties in
      "Properties \(properties.map(place).joined(separator: " and ")) have the same name '\(name)' "
        + "in the store; rename one of them in propertiesMapping()."
    }
      + properties.filter(\.columnName.isEmpty).map {
        "Property \(place($0)) has an empty name in the store; change it in propertiesMapping()."
      }
  }

  /// Names in the class's functions that no property has.
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
        "'\(className).\(function)' names '\($0)', which no stored property is called."
      }
    }
  }
}

extension ObjectBase {
  /// Whether it is none of the program's classes, but what they inherit from.
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

  /// What a message says that a property holds.
  fileprivate var words: String {
    switch collection {
    case .none: "of type \(type.name)"
    case .list: "a list"
    case .set: "a set"
    case .map: "a map"
    }
  }
}
