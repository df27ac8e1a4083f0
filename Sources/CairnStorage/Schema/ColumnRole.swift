/// What a column is there for: for its user, or for the store's own bookkeeping.
package enum ColumnRole: Hashable, Sendable {
  /// A property of the class.
  case property
  /// The key of the object that an embedded object lives in.
  case ownerKey
  /// The property that it lives in: the number of the class in the upper bits, that of the column in the lower 16.
  case ownerColumn
  /// The location that the embedded object in the column of that number describes.
  case point(of: UInt16)
}

extension ColumnRole {
  /// The role as the store keeps it: a number, and the column that it speaks of.
  var encoded: (number: UInt8, column: UInt16) {
    switch self {
    case .property: (0, 0)
    case .ownerKey: (1, 0)
    case .ownerColumn: (2, 0)
    case .point(let column): (3, column)
    }
  }

  /// Nil when no role has the number.
  init?(number: UInt8, column: UInt16) {
    switch number {
    case 0: self = .property
    case 1: self = .ownerKey
    case 2: self = .ownerColumn
    case 3: self = .point(of: column)
    default: return nil
    }
  }
}
