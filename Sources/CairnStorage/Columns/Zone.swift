/// The bounds and the number of nulls of a chunk, readable without the chunk.
///
/// The bounds cover the values that are neither null nor NaN, as bit patterns: bool and int
/// unchanged; double, float and date as a double; string and data as their first eight bytes,
/// big-endian and padded with zeros, so that they bound the prefix only.
package struct Zone: Equatable, Sendable {
  /// The lower bound.
  package var minimum: Int64
  /// The upper bound.
  package var maximum: Int64
  /// The number of null rows; -1 if unknown.
  package var nullCount: Int32
  /// A combination of the flags below.
  package var flags: UInt32

  /// The zone has bounds.
  @inlinable package static var hasBoundsFlag: UInt32 { 1 }
  /// A NaN may be among the values.
  @inlinable package static var hasNaNFlag: UInt32 { 2 }
  /// The zone was written; without this flag the entry is meaningless.
  package static let isWrittenFlag: UInt32 = 4

  /// The size in bytes of a zone in the zone table.
  package static let size = 24
  /// The number of zones in a value of the zone table.
  package static let perSegment = 512

  /// Makes a zone.
  package init(minimum: Int64 = 0, maximum: Int64 = 0, nullCount: Int = 0, flags: UInt32 = 0) {
    self.minimum = minimum
    self.maximum = maximum
    self.nullCount = Int32(nullCount)
    self.flags = flags
  }

  /// A zone that promises nothing.
  package static let unknown = Zone(nullCount: -1, flags: hasNaNFlag)

  /// Whether `minimum` and `maximum` are valid.
  @inlinable package var hasBounds: Bool { flags & Zone.hasBoundsFlag != 0 }
  /// Whether a NaN may be among the values.
  @inlinable package var hasNaN: Bool { flags & Zone.hasNaNFlag != 0 }
  /// Whether `nullCount` is known. It is unknown while a transaction edits the chunk.
  @inlinable package var isKnown: Bool { nullCount >= 0 }
}

/// An editor for the zones of one column, segment by segment.
struct ZoneTable {
  let table: UInt32
  let column: UInt16
  private var extent: UInt32 = 0
  private var segment = -1
  private var bytes: [UInt8] = []
  private var isChanged = false

  /// The number of zones by which a segment grows; they fill half of a page.
  private static let step = 85

  init(table: UInt32, column: UInt16) {
    self.table = table
    self.column = column
  }

  /// Sets the zone of a stored chunk. Chunks are set in rising order.
  mutating func set(
    _ zone: Zone, extent: UInt32, number: Int, lmdb: some KeyValues
  ) throws(StoreError) {
    if extent != self.extent || number / Zone.perSegment != segment {
      try store(into: lmdb)
      self.extent = extent
      segment = number / Zone.perSegment
      bytes =
        lmdb.get(.zones(table, column: column, extent: extent, segment: segment)).map(Array.init)
        ?? []
    }
    let start = (number % Zone.perSegment) * Zone.size
    reserve(start + Zone.size)
    assert(start >= 0 && start + Zone.size <= bytes.count, "the segment does not have the zone")
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
    if isChanged {
      try lmdb.put(.zones(table, column: column, extent: extent, segment: segment), bytes: bytes)
    }
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

extension Zone {
  /// Reads a zone from a zone table; nil if the chunk was never written.
  init?(reading base: UnsafeRawPointer) {
    self.init(
      minimum: base.loadUnaligned(as: Int64.self),
      maximum: base.loadUnaligned(fromByteOffset: 8, as: Int64.self))
    nullCount = base.loadUnaligned(fromByteOffset: 16, as: Int32.self)
    flags = base.loadUnaligned(fromByteOffset: 20, as: UInt32.self)
    if flags & Zone.isWrittenFlag == 0 { return nil }
  }

  /// Writes the zone to a zone table.
  func write(to base: UnsafeMutableRawPointer) {
    base.storeBytes(of: minimum, as: Int64.self)
    base.storeBytes(of: maximum, toByteOffset: 8, as: Int64.self)
    base.storeBytes(of: nullCount, toByteOffset: 16, as: Int32.self)
    base.storeBytes(of: flags | Zone.isWrittenFlag, toByteOffset: 20, as: UInt32.self)
  }
}
