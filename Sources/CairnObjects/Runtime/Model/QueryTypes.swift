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

/// A type that has a minimum and a maximum in a query: numbers and dates.
public protocol _QueryNumeric: _QueryOrdered {}

/// A type that can be summed in a query: numbers.
public protocol _QueryAddable: _QueryNumeric {}

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

extension Int: _QueryAddable {}
extension Int8: _QueryAddable {}
extension Int16: _QueryAddable {}
extension Int32: _QueryAddable {}
extension Int64: _QueryAddable {}
extension Float: _QueryAddable {}
extension Double: _QueryAddable {}
extension Decimal128: _QueryAddable {}
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
extension Optional: _QueryAddable where Wrapped: _QueryAddable {}
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
