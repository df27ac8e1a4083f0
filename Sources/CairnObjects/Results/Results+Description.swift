extension Results: CustomStringConvertible, LayeredText {
  /// The elements, a hundred at most.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    guard case .objects(let found) = content else {
      return CollectionText.text("Results<\(Element.self)>", self, depth)
    }
    return CollectionText.text("Results<\(found.handle.name)>", self, depth)
  }
}

extension List: CustomStringConvertible, LayeredText {
  /// The elements, a hundred at most.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    CollectionText.text("List<\(place.elementName(Element.self))>", self, depth)
  }
}

extension MutableSet: CustomStringConvertible, LayeredText {
  /// The elements, a hundred at most.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    CollectionText.text("MutableSet<\(place.elementName(Element.self))>", self, depth)
  }
}

extension LinkingObjects: CustomStringConvertible, LayeredText {
  /// The objects, a hundred at most.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    CollectionText.text("LinkingObjects<\(Element.self)>", self, depth)
  }
}

extension Map: CustomStringConvertible, LayeredText {
  /// The entries, a hundred at most.
  public var description: String { text(depth: ObjectText.depth) }

  func text(depth: Int) -> String {
    guard depth > 0 else { return ObjectText.tooDeep }
    let shown = prefix(CollectionText.most).map {
      CollectionText.line($0.key._mapKey, $0.value, depth)
    }
    return CollectionText.text("Map<\(Key.self), \(place.elementName(Value.self))>", shown, count)
  }
}

/// Collections as their descriptions show them.
enum CollectionText {
  /// How many elements are shown.
  static let most = 100

  static func text<C: RealmCollection>(_ title: String, _ elements: C, _ depth: Int) -> String {
    guard depth > 0 else { return ObjectText.tooDeep }
    let shown = elements.prefix(most).enumerated().map { line("\($0)", $1, depth) }
    return text(title, shown, elements.count)
  }

  static func text(_ title: String, _ shown: [String], _ count: Int) -> String {
    let rest = count > most ? ["\t... \(count - most) objects skipped."] : []
    return "\(title) (\n\((shown + rest).joined(separator: ",\n"))\n)"
  }

  /// One element of a collection that has that many levels left.
  static func line(_ place: String, _ element: Any, _ depth: Int) -> String {
    "\t[\(place)] " + text(of: element, depth - 1).split(separator: "\n").joined(separator: "\n\t")
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

extension CollectionPlace? {
  /// The name of the elements' type; where the program has none, that of their class.
  fileprivate func elementName(_ type: Any.Type) -> String {
    guard let target = self?.elements.target else { return "\(type)" }
    return "\(type)" == "Optional<DynamicObject>"
      ? "Optional<\(target.name)>" : type == DynamicObject.self ? target.name : "\(type)"
  }
}
