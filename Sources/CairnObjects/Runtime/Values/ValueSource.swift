import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The source of an object's values: a dictionary, an array in declaration order, or another
/// object.
enum ValueSource {
  case named([String: Any])
  /// The fields of a structure or a class instance.
  case fields([String: Any])
  case ordered([Any])
  case object(ObjectBase)

  /// Creates a source; nil if the value has no named or ordered values.
  ///
  /// - Throws: `Realm.Error` for an array with more values than the class has properties.
  init?(_ any: Any, for layout: ObjectLayout) throws {
    if let object = Bridge.object(any) {
      self = .object(object)
      return
    }
    switch any {
    case let values as [String: Any]: self = .named(values)
    case let values as [Any]:
      let count = layout.storedProperties.count
      guard values.count <= count else {
        throw InvalidValue.tooMany(
          values.count, properties: count, className: layout.className)
      }
      self = .ordered(values)
    default:
      guard let fields = ValueSource.fields(of: any) else { return nil }
      self = .fields(fields)
    }
  }

  /// Returns the stored fields of a structure or a class instance by name, or nil for other values.
  private static func fields(of any: Any) -> [String: Any]? {
    let mirror = Mirror(reflecting: any)
    guard mirror.displayStyle == .struct || mirror.displayStyle == .class else { return nil }
    let fields = mirror.children.compactMap { child in child.label.map { ($0, child.value) } }
    return fields.isEmpty ? nil : Dictionary(fields) { first, _ in first }
  }

  /// Returns the value for a property, or nil if the source has none.
  func value(of property: String, at index: Int) -> Any? {
    switch self {
    case .named(let values), .fields(let values): values[property]
    case .ordered(let values): index < values.count ? values[index] : nil
    case .object(let object): object.valueForCopy(of: property)
    }
  }

  /// The identity of the source, if it is an object.
  var identity: ValueDecoder.SourceIdentity? {
    guard case .object(let object) = self else { return nil }
    guard let row = object.row else { return .unmanaged(ObjectIdentifier(object)) }
    return .row(ValueDecoder.Identity(row.handle.name, key: .int(Int64(row.key))))
  }
}

extension ValueSource {
  /// Returns the elements of an array, a set, results or another collection of values, or nil for
  /// other values.
  static func elements(of any: Any) -> [Any]? {
    switch any {
    case let elements as [Any]: elements
    case is String, is [String: Any], is Data, is any _QueryMap: nil
    case let elements as any Sequence: list(elements)
    default: nil
    }
  }

  /// Returns the entries of a dictionary or a map, or nil for other values.
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
  /// Returns the value of a property for a copy of the object, or nil if the class has no property
  /// of that name.
  final func valueForCopy(of name: String) -> Any? {
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
    return property.wrapper.read(property.pointer(in: self), row: row)
  }
}

/// A map with the type of its values erased.
protocol AnyMap {
  var anyEntries: [String: Any] { get }
}
