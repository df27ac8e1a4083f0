/// A geometry that was read for comparisons with several others, which is less work than to read it
/// for each and to prepare it for many.
package struct PlanarReading {
  // Valid until `removeAll()` of the readings.
  fileprivate let side: UnsafePointer<PlanarSide>

  /// Whether the geometry has a relation to another one. Nothing holds for an empty geometry.
  package func holds(_ relation: SpatialRelation, to other: PlanarReading) -> Bool {
    PlanarRelation.holds(relation, side.pointee, to: other.side.pointee)
  }
}

/// Geometries that were read, each once. One thread uses it.
package final class PlanarReadings {
  private static let blockSize = 1 << 18

  private let capacity: Int
  private let sides: UnsafeMutablePointer<PlanarSide>
  /// A bit for each geometry that was read.
  private let isRead: UnsafeMutablePointer<UInt64>
  /// The memory of the sides. The last block is in use up to `used`.
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private var used = 0

  /// - Parameter capacity: The number of geometries.
  package init(capacity: Int) {
    self.capacity = capacity
    sides = .allocate(capacity: capacity)
    isRead = .allocate(capacity: (capacity + 63) / 64)
    isRead.initialize(repeating: 0, count: (capacity + 63) / 64)
  }

  deinit {
    removeAll()
    for block in blocks { block.deallocate() }
    sides.deallocate()
    isRead.deallocate()
  }

  /// Forgets all geometries.
  package func removeAll() {
    for word in 0..<(capacity + 63) / 64 { isRead[word] = 0 }
    while blocks.count > 1 { blocks.removeLast().deallocate() }
    used = 0
  }

  /// The reading of the geometry with a number, which stays valid until `removeAll()`.
  @inline(__always)
  package func reading(_ number: Int, of geometry: @autoclosure () -> GeometryView) -> PlanarReading
  {
    assert(number >= 0 && number < capacity, "the geometry does not exist")
    if isRead[number >> 6] >> UInt64(number & 63) & 1 == 0 { read(geometry(), number: number) }
    return PlanarReading(side: sides + number)
  }

  @inline(never)
  private func read(_ geometry: GeometryView, number: Int) {
    let layout = PlanarLayout(geometry, treeThreshold: PlanarSide.treeThreshold)
    let side = PlanarSide(geometry, layout: layout, memory: memory(layout.size))
    (sides + number).initialize(to: side)
    isRead[number >> 6] |= 1 << UInt64(number & 63)
  }

  /// Memory for a side. Valid until `removeAll()`.
  private func memory(_ size: Int) -> UnsafeMutableRawBufferPointer {
    if blocks.last.map({ $0.count - used < size }) ?? true {
      blocks.append(
        .allocate(
          byteCount: max(size, Self.blockSize), alignment: PlanarLayout.alignment))
      used = 0
    }
    let memory = UnsafeMutableRawBufferPointer(
      rebasing: blocks[blocks.count - 1][used..<used + size])
    used = (used + size + PlanarLayout.alignment - 1) & ~(PlanarLayout.alignment - 1)
    return memory
  }
}
