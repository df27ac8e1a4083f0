extension Results: CustomStringConvertible, LayeredText {
  /// The first elements, at most 100.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    guard case .objects(let found) = content else {
      return CollectionText.text("Results<\(Element.self)>", elements: self, depth: depth)
    }
    return CollectionText.text("Results<\(found.handle.name)>", elements: self, depth: depth)
  }
}

extension List: CustomStringConvertible, LayeredText {
  /// The first elements, at most 100.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    CollectionText.text(
      "List<\(reference.elementName(Element.self))>", elements: self, depth: depth)
  }
}

extension MutableSet: CustomStringConvertible, LayeredText {
  /// The first elements, at most 100.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    CollectionText.text(
      "MutableSet<\(reference.elementName(Element.self))>", elements: self, depth: depth)
  }
}

extension LinkingObjects: CustomStringConvertible, LayeredText {
  /// The first objects, at most 100.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    CollectionText.text("LinkingObjects<\(Element.self)>", elements: self, depth: depth)
  }
}

extension Map: CustomStringConvertible, LayeredText {
  /// The first entries, at most 100.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    guard depth > 0 else { return ObjectText.tooDeep }
    let shown = prefix(CollectionText.maxElements).map {
      CollectionText.line($0.key._mapKey, element: $0.value, depth: depth)
    }
    return CollectionText.text(
      "Map<\(Key.self), \(reference.elementName(Value.self))>", shown: shown, count: count)
  }
}

/// The text of collections in descriptions.
enum CollectionText {
  /// The maximum number of elements in a description.
  static let maxElements = 100

  static func text<C: RealmCollection>(_ title: String, elements: C, depth: Int) -> String {
    guard depth > 0 else { return ObjectText.tooDeep }
    let shown = elements.prefix(maxElements).enumerated().map {
      line("\($0)", element: $1, depth: depth)
    }
    return text(title, shown: shown, count: elements.count)
  }

  static func text(_ title: String, shown: [String], count: Int) -> String {
    let rest = count > maxElements ? ["\t... \(count - maxElements) objects skipped."] : []
    return "\(title) (\n\((shown + rest).joined(separator: ",\n"))\n)"
  }

  /// One element of a collection, with the remaining depth of nested objects.
  static func line(_ label: String, element: Any, depth: Int) -> String {
    "\t[\(label)] " + text(of: element, depth - 1).split(separator: "\n").joined(separator: "\n\t")
  }

  private static func text(of element: Any, _ depth: Int) -> String {
    switch element {
    case let object as ObjectBase: return ObjectText.text(of: object, depth: depth)
    case let mixed as AnyRealmValue: return text(of: mixed, depth)
    default:
      guard let object = Bridge.unwrapped(element) as? ObjectBase else { return "\(element)" }
      return "Optional(\(ObjectText.text(of: object, depth: depth)))"
    }
  }

  private static func text(of mixed: AnyRealmValue, _ depth: Int) -> String {
    switch mixed {
    case .object(let object): "object(\(ObjectText.text(of: object, depth: depth)))"
    case .list(let list): "list(\(list.text(depth: depth)))"
    case .dictionary(let map): "dictionary(\(map.text(depth: depth)))"
    default: "\(mixed)"
    }
  }
}

extension CollectionReference? {
  /// The name of the elements' type, or of their stored class if the program does not have the
  /// type.
  fileprivate func elementName(_ type: Any.Type) -> String {
    guard let target = self?.elements.target else { return "\(type)" }
    return "\(type)" == "Optional<DynamicObject>"
      ? "Optional<\(target.name)>" : type == DynamicObject.self ? target.name : "\(type)"
  }
}
