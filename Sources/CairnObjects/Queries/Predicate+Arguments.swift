import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Predicate {
  /// Parses a condition in the predicate language, with arguments for its `%@`, `%K`, `%d` and
  /// `$0`.
  ///
  /// An argument may be any value that a property can hold, including objects, enumerations and
  /// custom types; an optional, array or set of such values; a closed range; or a `GeoCircle`,
  /// `GeoBox` or `GeoPolygon`. Nil and `NSNull` mean null. A `GeoPoint`, `GeoLineString` or `Geometry`
  /// is also a shape, with shortest paths as edges.
  ///
  /// - Throws: `PredicateError` with the position.
  public init(_ format: String, _ arguments: Any?...) throws {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Parses a condition in the predicate language, with its arguments in an array.
  ///
  /// - Throws: `PredicateError` with the place.
  public init(format: String, argumentArray: [Any?]) throws {
    try self.init(format: format, argumentArray: argumentArray, in: nil)
  }

  /// Parses a condition for a realm, to which the objects among the arguments must belong.
  init(format: String, argumentArray: [Any?], in session: Session?) throws {
    var arguments: [PredicateArgument] = []
    for (number, argument) in argumentArray.enumerated() {
      guard let converted = PredicateArgument(argument, in: session) else {
        throw PredicateError(
          .argument,
          message:
            "Argument \(number) is of type \(Swift.type(of: Bridge.unwrapped(argument) ?? ())), "
            + "which predicates do not accept.",
          text: format)
      }
      arguments.append(converted)
    }
    try self.init(parsing: format, arguments: arguments)
  }
}

extension PredicateArgument {
  /// Converts a Swift value to an argument, or returns nil if predicates do not accept its type.
  init?(_ argument: Any?, in session: Session? = nil) {
    let unwrapped = Bridge.unwrapped(argument)
    // A polygon is a shape here, because as a value it would lose its kind of edges.
    if let polygon = unwrapped as? GeoPolygon {
      self = .shape(.polygon(polygon))
      return
    }
    if let value = QueryConstant.value(of: argument, in: session) {
      self = .value(value)
      return
    }
    switch unwrapped {
    case let circle as GeoCircle: self = .shape(.circle(circle))
    case let box as GeoBox: self = .shape(.box(box))
    case let range as any BoundedRange:
      guard let lower = QueryConstant.value(of: range.ends.0, in: session),
        let upper = QueryConstant.value(of: range.ends.1, in: session)
      else { return nil }
      self = .range(lower, upper, isClosed: range.isClosed)
    case let list as any Sequence:
      self.init(list: PredicateArgument.elements(of: list), in: session)
    default: return nil
    }
  }

  private init?(list: [Any], in session: Session?) {
    let values = list.compactMap { QueryConstant.value(of: $0, in: session) }
    guard values.count == list.count else { return nil }
    self = .list(values)
  }

  private static func elements(of sequence: some Sequence) -> [Any] {
    sequence.map { $0 as Any }
  }
}

/// A range with two bounds, for `BETWEEN` and `IN`.
package protocol BoundedRange {
  /// Both bounds.
  var ends: (Any, Any) { get }
  /// Whether the range includes its upper bound.
  var isClosed: Bool { get }
}

extension ClosedRange: BoundedRange {
  package var ends: (Any, Any) { (lowerBound, upperBound) }
  package var isClosed: Bool { true }
}

extension Range: BoundedRange {
  package var ends: (Any, Any) { (lowerBound, upperBound) }
  package var isClosed: Bool { false }
}

/// Swift values as constants in conditions.
package enum QueryConstant {
  /// Returns the constant for a value, or nil if conditions do not accept its type.
  package static func value(of any: Any?) -> Value? { value(of: any, in: nil) }

  /// Returns the constant for a value, or nil if conditions do not accept its type.
  ///
  /// - Parameter session: The session of the queried realm. An object of another realm is a
  ///   programming error.
  static func value(of any: Any?, in session: Session?) -> Value? {
    guard let any = Bridge.unwrapped(any) else { return .null }
    switch any {
    case let object as ObjectBase: return .link(link(to: object, in: session))
    case let custom as any FailableCustomPersistable:
      // Values that are stored as objects are compared member by member, which only `where`
      // supports.
      let stored: Any = custom.persistableValue
      return stored is EmbeddedObject ? nil : value(of: stored, in: session)
    case let scalar as any _Scalar: return scalar._stored.value
    case let mixed as AnyRealmValue: return mixed.constant(in: session)
    default: return Bridge.value(any)
    }
  }

  /// Returns the link to an object. An unmanaged or deleted object equals no stored object.
  private static func link(to object: ObjectBase, in session: Session?) -> Link {
    guard let row = object.row, row.handle.table.isLive(row.key) else { return .nowhere }
    if let session, row.handle.session.store !== session.store {
      programmingError("Object must be from the Realm being queried")
    }
    return Link(table: row.handle.table.schema.id, key: row.key)
  }
}

extension AnyRealmValue {
  /// Returns a list or a map as a constant, or nil for other values.
  func collection(in session: Session?) -> CollectionConstant? {
    switch self {
    case .list, .dictionary: element(in: session)
    default: nil
    }
  }

  private func element(in session: Session?) -> CollectionConstant {
    switch self {
    case .list(let list): .list(list.map { $0.element(in: session) })
    case .dictionary(let map): .entries(map.map { ($0.key, $0.value.element(in: session)) })
    default: .value(constant(in: session) ?? .null)
    }
  }

  /// Returns the value as a constant, or nil for lists and maps, which have no order and no string
  /// form.
  fileprivate func constant(in session: Session?) -> Value? {
    switch self {
    case .none: .null
    case .int(let value): .int(Int64(value))
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(Array(value))
    case .date(let value): .date(value.timeIntervalSinceReferenceDate)
    case .objectId(let value): .objectId(value)
    case .decimal128(let value): .decimal(value)
    case .uuid(let value): .uuid(UUIDBytes(value))
    case .object(let value): QueryConstant.value(of: value, in: session)
    case .list, .dictionary: nil
    }
  }
}
