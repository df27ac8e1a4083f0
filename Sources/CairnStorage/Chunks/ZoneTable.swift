/// Edits zones of one column, segment by segment.
struct ZoneTable {
  let table: UInt32
  let column: UInt16
  private var extent: UInt32 = 0
  private var segment = -1
  private var bytes: [UInt8] = []
  private var isChanged = false

  /// A segment grows by so many zones: they fill half of a page.
  private static let step = 85

  init(table: UInt32, column: UInt16) {
    self.table = table
    self.column = column
  }

  /// Sets the zone of a stored chunk. Chunks come in rising order.
  mutating func set(
    _ zone: Zone, extent: UInt32, number: Int, _ lmdb: some KeyValues
  ) throws(StoreError) {
    if extent != self.extent || number / Zone.perSegment != segment {
      try store(into: lmdb)
      self.extent = extent
      segment = number / Zone.perSegment
      bytes = lmdb.get(.zones(table, column, extent, segment)).map(Array.init) ?? []
    }
    let start = (number % Zone.perSegment) * Zone.size
    reserve(start + Zone.size)
    let isOther = bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress, Zone(reading: base + start) != zone.written else {
        return false
      }
      zone.write(to: base + start)
      return true
    }
    if isOther { isChanged = true }
  }

  private mutating func reserve(_ size: Int) {
    guard size > bytes.count else { return }
    let zones = (size / Zone.size + Self.step - 1) / Self.step * Self.step
    let wanted = min(zones, Zone.perSegment) * Zone.size
    bytes += [UInt8](repeating: 0, count: wanted - bytes.count)
  }

  /// Writes the segment that was edited last.
  mutating func store(into lmdb: some KeyValues) throws(StoreError) {
    guard segment >= 0 else { return }
    if isChanged { try lmdb.put(.zones(table, column, extent, segment), bytes) }
    isChanged = false
    segment = -1
  }
}

extension Zone {
  /// The zone as it is read back.
  fileprivate var written: Zone {
    var zone = self
    zone.flags |= Zone.isWrittenFlag
    return zone
  }
}
