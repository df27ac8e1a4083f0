/// The Hilbert curve over longitude and latitude, 32 bits each.
package enum Hilbert {
  /// The position on the curve of a location in degrees.
  package static func key(longitude: Double, latitude: Double) -> UInt64 {
    table.withUnsafeBufferPointer { key(column(longitude), y: row(latitude), table: $0) }
  }

  /// The positions on the curve of `count` locations in degrees.
  package static func keys(
    longitudes: UnsafePointer<Double>, latitudes: UnsafePointer<Double>, count: Int,
    into keys: UnsafeMutablePointer<UInt64>
  ) {
    assert(count >= 0, "the number of locations is negative")
    table.withUnsafeBufferPointer { table in
      for index in 0..<count {
        keys[index] = key(column(longitudes[index]), y: row(latitudes[index]), table: table)
      }
    }
  }

  @inline(__always)
  private static func column(_ longitude: Double) -> UInt32 {
    cell((longitude + 180) * (4_294_967_296 / 360))
  }

  @inline(__always)
  private static func row(_ latitude: Double) -> UInt32 {
    cell((latitude + 90) * (4_294_967_296 / 180))
  }

  @inline(__always)
  private static func cell(_ position: Double) -> UInt32 {
    UInt32(truncatingIfNeeded: Int64(max(0, min(4_294_967_295, position))))
  }

  /// The position on the curve of a cell, computed from four bits of each axis at a time.
  @inline(__always)
  private static func key(
    _ x: UInt32, y: UInt32, table: UnsafeBufferPointer<UInt16>
  ) -> UInt64 {
    // The orientation takes two bits, and the cell eight.
    assert(table.count == 1 << 10, "the table does not have a step for each cell")
    guard let table = table.baseAddress else { return 0 }
    var key: UInt64 = 0
    var state: UInt32 = 0
    var shift: UInt32 = 28
    while true {
      let cell = (x &>> shift & 15) &<< 4 | (y &>> shift & 15)
      let step = UInt32(table[Int(state &<< 8 | cell)])
      key = key &<< 8 | UInt64(step & 255)
      state = step &>> 8
      if shift == 0 { return key }
      shift -= 4
    }
  }

  /// The steps of the curve, for each of its four orientations and each cell of 16 x 16: the
  /// position on the curve in the low byte, and the orientation within the cell above it.
  private static let table: [UInt16] = makeTable()

  private static func makeTable() -> [UInt16] {
    (0..<4).flatMap { state in
      (0..<256).map { cell in step(orientation: state, x: cell >> 4, y: cell & 15) }
    }
  }

  private static func step(orientation: Int, x: Int, y: Int) -> UInt16 {
    var orientation = orientation
    var position = 0
    for bit in [3, 2, 1, 0] {
      let quadrant = (x >> bit & 1) << 1 | (y >> bit & 1)
      let (order, next) = quarter(orientation, quadrant: quadrant)
      position = position << 2 | order
      orientation = next
    }
    return UInt16(orientation << 8 | position)
  }

  /// The step of one bit of each axis: bit 0 of the orientation swaps the axes, bit 1 rotates both
  /// by half a turn.
  private static func quarter(_ orientation: Int, quadrant: Int) -> (order: Int, next: Int) {
    var (x, y) = (quadrant >> 1, quadrant & 1)
    if orientation & 2 != 0 { (x, y) = (1 - x, 1 - y) }
    if orientation & 1 != 0 { swap(&x, &y) }
    switch (x, y) {
    case (0, 0): return (0, orientation ^ 1)
    case (0, 1): return (1, orientation)
    case (1, 1): return (2, orientation)
    default: return (3, orientation ^ 3)
    }
  }
}
