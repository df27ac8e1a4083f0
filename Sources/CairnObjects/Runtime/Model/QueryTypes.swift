import CairnGeometry
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that has properties in a query: objects.
public protocol _QueryObject: ObjectBase {}

extension ObjectBase: _QueryObject {}

/// A type that has an order in a query: numbers, dates, strings and data.
public protocol _QueryOrdered {}

/// A type that string operators accept: strings and data.
public protocol _QueryText {}

/// A type that has a minimum and a maximum in a query, and a sum and a mean unless it is a date:
/// numbers and dates. The sum of dates is a programming error, as in Realm.
public protocol _QueryNumeric: _QueryOrdered {}

/// A type that can lie within a shape: locations, geometries, and embedded objects that represent a
/// location.
public protocol _QueryLocation {}

/// A property that spatial conditions test: a location, a geometry, or a collection of them.
public protocol _QuerySpatial {}

/// A property with several values: a list, a set, a map, or the objects that link here.
public protocol _QueryCollection: _Persistable {
  /// The type of the elements; for a map, of the values.
  associatedtype _QueryElement
}

/// A property that holds values by key.
public protocol _QueryMap: _QueryCollection {}

extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension String: _QueryOrdered, _QueryText {}
extension Data: _QueryOrdered, _QueryText {}
extension GeoPoint: _QueryLocation {}
extension Geometry: _QueryLocation {}
extension GeoLineString: _QueryLocation {}
extension GeoPolygon: _QueryLocation {}
extension EmbeddedObject: _QueryLocation {}

extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}
extension Optional: _QueryText where Wrapped: _QueryText {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: _QueryLocation where Wrapped: _QueryLocation {}

extension GeoPoint: _QuerySpatial {}
extension Geometry: _QuerySpatial {}
extension GeoLineString: _QuerySpatial {}
extension GeoPolygon: _QuerySpatial {}
extension EmbeddedObject: _QuerySpatial {}
extension Optional: _QuerySpatial where Wrapped: _QueryLocation {}

/// A type that may be null.
public protocol _QueryOptional {
  /// The type without null.
  associatedtype _Wrapped
}

extension Optional: _QueryOptional {
  /// The wrapped type.
  public typealias _Wrapped = Wrapped
}
