/// What is known of a chunk without touching it: bounds and nulls.
///
/// Bounds are those of the values that are neither null nor NaN, as bit patterns:
/// bool and int as they are; double, float and date as a Double's; string and data as their
/// first eight bytes, big-endian, padded with zeros (a bound on the prefix only).
package struct Zone: Equatable, Sendable {
  package var minimum: Int64
  package var maximum: Int64
  package var nullCount: Int32
  package var flags: UInt32

  @inlinable package static var hasBoundsFlag: UInt32 { 1 }
  @inlinable package static var hasNaNFlag: UInt32 { 2 }
  /// The zone was written; without it the entry means nothing.
  package static let isWrittenFlag: UInt32 = 4

  /// Bytes of a zone in the zone table.
  package static let size = 24
  /// Zones of one zone table value.
  package static let perSegment = 512

  package init(minimum: Int64 = 0, maximum: Int64 = 0, nullCount: Int = 0, flags: UInt32 = 0) {
    self.minimum = minimum
    self.maximum = maximum
    self.nullCount = Int32(nullCount)
    self.flags = flags
  }

  /// A zone that promises nothing.
  package static let unknown = Zone(nullCount: -1, flags: hasNaNFlag)

  /// Whether `minimum` and `maximum` mean something.
  @inlinable package var hasBounds: Bool { flags & Zone.hasBoundsFlag != 0 }
  /// Whether a NaN may be among the values.
  @inlinable package var hasNaN: Bool { flags & Zone.hasNaNFlag != 0 }
  /// Whether `nullCount` is known; it is not while a transaction edits the chunk.
  @inlinable package var isKnown: Bool { nullCount >= 0 }
}
