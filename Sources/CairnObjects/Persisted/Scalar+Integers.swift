import CairnStorage
import CairnValues

/// A whole number of a fixed width; all of them are stored alike.
public protocol _StoredInteger: _Scalar, _PrimaryKey, FixedWidthInteger {}

extension _StoredInteger {
  public static var _kind: PropertyKind { PropertyKind(type: .int) }
  @inlinable
  public static func _default() -> Self { 0 }

  public init(_cell: _Cell) {
    self = Self.fitting(_cell.int)
  }

  public init?(_stored: StoredValue) {
    guard case .int(let number) = _stored.value else { return nil }
    self = Self.fitting(number)
  }

  public var _stored: StoredValue { StoredValue(.int(Int64(self))) }

  /// The stored number; one that the type cannot hold ends the program rather than be another number.
  @inline(__always)
  static func fitting(_ number: Int64) -> Self {
    guard let fitting = Self(exactly: number) else { tooNarrow(number) }
    return fitting
  }

  @inline(never)
  private static func tooNarrow(_ number: Int64) -> Never {
    programmingError("The stored number \(number) does not fit a property of type \(Self.self).")
  }
}

extension Int: _StoredInteger {}
extension Int8: _StoredInteger {}
extension Int16: _StoredInteger {}
extension Int32: _StoredInteger {}
extension Int64: _StoredInteger {}
