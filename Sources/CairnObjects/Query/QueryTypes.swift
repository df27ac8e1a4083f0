import CairnGeometry
import CairnValues
import FoundationEssentials

/// What has properties in a query: objects.
public protocol _QueryObject: ObjectBase {}

extension ObjectBase: _QueryObject {}

/// What has an order in a query: numbers, dates, texts and data.
public protocol _QueryOrdered {}

/// What string operators look into: texts and data.
public protocol _QueryText {}

/// What has a least and a greatest value in a query: numbers and dates.
public protocol _QueryRanked {}

/// What can be added up in a query: numbers.
public protocol _QueryNumeric: _QueryRanked, _QueryOrdered {}

/// What can lie within a shape: locations, and embedded objects that are one.
public protocol _QueryLocation {}

/// A property that holds many: a list, a set, a map, the objects that link here.
public protocol _QueryCollection: _Persistable {
  /// What it holds; of a map the values.
  associatedtype _QueryElement
}

/// A property that holds values under keys.
public protocol _QueryMap: _QueryCollection {}

extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryRanked, _QueryOrdered {}
extension String: _QueryOrdered, _QueryText {}
extension Data: _QueryOrdered, _QueryText {}
extension GeoPoint: _QueryLocation {}
extension EmbeddedObject: _QueryLocation {}

extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}
extension Optional: _QueryText where Wrapped: _QueryText {}
extension Optional: _QueryRanked where Wrapped: _QueryRanked {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: _QueryLocation where Wrapped: _QueryLocation {}
