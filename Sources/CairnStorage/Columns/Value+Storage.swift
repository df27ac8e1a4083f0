import CairnValues

extension Value {
  /// Returns the default value of a type, for cells without a value that may not be null.
  package static func defaultValue(of type: ValueType) -> Value {
    switch type {
    case .bool: .bool(false)
    case .int, .link, .embedded: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data, .mixed: .data([])
    case .date: .date(0)
    case .objectId: .objectId(ObjectId())
    case .uuid: .uuid(UUIDBytes(high: 0, low: 0))
    case .decimal128: .decimal(0)
    case .point: .point(Position(latitude: 0, longitude: 0))
    case .geometry, .lineString, .polygon: .geometry([])
    case .box: .box(Box(lanes: SIMD4(repeating: 0)))
    }
  }
}

extension Value {
  /// Returns whether both values are stored as the same bits, so that replacing one with the other
  /// changes nothing.
  func isBitIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)):
      a.bitPattern == b.bitPattern
    case (.point(let a), .point(let b)): a.isBitIdentical(to: b)
    case (.decimal(let a), .decimal(let b)):
      a.withStoredBytes { mine in b.withStoredBytes { mine.elementsEqual($0) } }
    default: self == other
    }
  }
}

extension Position {
  /// Returns whether both positions are equal to the bit.
  func isBitIdentical(to other: Position) -> Bool {
    latitude.bitPattern == other.latitude.bitPattern
      && longitude.bitPattern == other.longitude.bitPattern
      && altitude.bitPattern == other.altitude.bitPattern
  }
}
