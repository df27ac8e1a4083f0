import CairnValues
import FoundationEssentials

/// What objects are made from: a dictionary, an array in the order of the declaration, or another object.
enum ValueSource {
  case named([String: Any])
  /// The fields of a structure or an instance.
  case fields([String: Any])
  case ordered([Any])
  case object(ObjectBase)

  /// Nil for what names no properties.
  ///
  /// - Throws: `Realm.Error` for an array longer than the properties are many.
  init?(_ any: Any, for layout: ObjectLayout) throws {
    switch any {
    case let object as ObjectBase: self = .object(object)
    case let values as [String: Any]: self = .named(values)
    case let values as [Any]:
      guard values.count <= layout.properties.count else {
        throw ValueError.tooMany(values.count, layout.properties.count, layout.className)
      }
      self = .ordered(values)
    default:
      guard let fields = ValueSource.fields(of: any) else { return nil }
      self = .fields(fields)
    }
  }

  /// The stored fields of a structure or an instance by name; nil for what has none.
  private static func fields(of any: Any) -> [String: Any]? {
    let mirror = Mirror(reflecting: any)
    guard mirror.displayStyle == .struct || mirror.displayStyle == .class else { return nil }
    let fields = mirror.children.compactMap { child in child.label.map { ($0, child.value) } }
    return fields.isEmpty ? nil : Dictionary(fields) { first, _ in first }
  }

  /// What the source has for a property; nil where it has nothing.
  func value(of property: String, at place: Int) -> Any? {
    switch self {
    case .named(let values), .fields(let values): values[property]
    case .ordered(let values): place < values.count ? values[place] : nil
    case .object(let object): object.given(property)
    }
  }

  /// Which row it is, for a source in a realm.
  var identity: ValueIntake.Identity? {
    guard case .object(let object) = self, let row = object.row else { return nil }
    return ValueIntake.Identity(row.handle.name, .int(Int64(row.key)))
  }
}

extension ValueSource {
  /// The elements of an array, a set, results or another collection of values; nil for anything else.
  static func elements(of any: Any) -> [Any]? {
    switch any {
    case let elements as [Any]: elements
    case is String, is [String: Any], is Data, is any _QueryMap: nil
    case let elements as any Sequence: list(elements)
    default: nil
    }
  }

  /// The entries of a dictionary or a map; nil for anything else.
  static func entries(of any: Any) -> [String: Any]? {
    switch any {
    case let entries as [String: Any]: entries
    case let map as any AnyMap: map.anyEntries
    default: nil
    }
  }

  private static func list(_ elements: some Sequence) -> [Any] { elements.map { $0 } }
}

extension ObjectBase {
  /// The value of a property as another object takes it over; nil when the class has none of that name.
  final func given(_ name: String) -> Any? {
    if let dynamic = self as? DynamicObject {
      guard dynamic.objectSchema.properties.contains(where: { $0.name == name }) else {
        return nil
      }
      return .some(dynamic[name] as Any)
    }
    guard let property = ObjectLayout.of(type(of: self)).property(named: name),
      !property.isMissing(in: self)
    else { return nil }
    if let row, property.mayBeUnreadable {
      return .some(rawValue(of: property, at: row) as Any)
    }
    return property.wrapper.read(property.pointer(in: self), row)
  }
}

/// A map of any type of values.
protocol AnyMap {
  var anyEntries: [String: Any] { get }
}

extension Map: AnyMap {
  var anyEntries: [String: Any] {
    Dictionary(map { ($0.key._mapKey, $0.value as Any) }) { first, _ in first }
  }
}
