import CairnValues

extension Value {
  /// Whether the value and the other one are stored as the same bits: then writing one over the other changes nothing.
  func isStored(as other: Value) -> Bool {
    switch (self, other) {
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)):
      a.bitPattern == b.bitPattern
    case (.point(let a), .point(let b)): a.isStored(as: b)
    case (.decimal(let a), .decimal(let b)):
      a.withStoredBytes { mine in b.withStoredBytes { mine.elementsEqual($0) } }
    default: self == other
    }
  }
}

extension Position {
  /// Whether the place is the same to the bit.
  func isStored(as other: Position) -> Bool {
    latitude.bitPattern == other.latitude.bitPattern
      && longitude.bitPattern == other.longitude.bitPattern
      && altitude.bitPattern == other.altitude.bitPattern
  }
}
