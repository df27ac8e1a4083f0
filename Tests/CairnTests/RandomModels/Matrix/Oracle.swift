import Cairn
import Foundation

/// The rules of comparison in plain Swift, the oracle for the store.
enum Oracle {
  /// Whether two values are equal: strings by code point, null only to null, NaN to nothing.
  static func equal(_ a: Any?, _ b: Any?) -> Bool {
    guard let a = plain(a), let b = plain(b) else { return plain(a) == nil && plain(b) == nil }
    if isNaN(a) || isNaN(b) { return false }
    return rank(a, b) == 0
  }

  /// The order of two values as -1, 0 or 1, or nil for nulls and NaN, which have no order.
  static func order(_ a: Any?, _ b: Any?) -> Int? {
    guard let a = plain(a), let b = plain(b), !isNaN(a), !isNaN(b) else { return nil }
    return rank(a, b)
  }

  /// The stored form of a value, or nil for null.
  static func plain(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.flatMap { plain($0.value) }
    }
    if let shade = value as? Shade { return shade.rawValue }
    if let level = value as? Level { return level.rawValue }
    if let warmth = value as? Celsius { return warmth.degrees }
    return value
  }

  private static func isNaN(_ value: Any) -> Bool {
    (value as? Double)?.isNaN ?? (value as? Float)?.isNaN ?? false
  }

  private static func rank(_ a: Any, _ b: Any) -> Int {
    switch (a, b) {
    case (let a as Bool, let b as Bool): compare(a ? 1 : 0, b ? 1 : 0)
    case (let a as any BinaryInteger, let b as any BinaryInteger): compare(Int64(a), Int64(b))
    case (let a as Float, let b as Float): compare(a, b)
    case (let a as Double, let b as Double): compare(a, b)
    case (let a as Date, let b as Date): compare(a, b)
    case (let a as Decimal128, let b as Decimal128): compare(a, b)
    case (let a as String, let b as String): compare(Array(a.utf8), Array(b.utf8))
    case (let a as Data, let b as Data): compare(Array(a), Array(b))
    case (let a as ObjectId, let b as ObjectId): compare(a.stringValue, b.stringValue)
    case (let a as UUID, let b as UUID): compare(a.uuidString, b.uuidString)
    default: 2
    }
  }

  private static func compare<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }

  private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
  }
}
