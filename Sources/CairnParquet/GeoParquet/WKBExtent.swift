/// The box of the positions of a geometry, and the kind that it has.
struct WKBExtent {
  private(set) var xmin = Double.infinity
  private(set) var ymin = Double.infinity
  private(set) var xmax = -Double.infinity
  private(set) var ymax = -Double.infinity
  /// The number of the kind, from 1 for points.
  private(set) var kind: UInt32 = 0
  private(set) var hasAltitudes = false

  /// Whether the geometry has no positions.
  var isEmpty: Bool { xmin > xmax }

  /// The extent of a point.
  init(x: Double, y: Double, hasAltitude: Bool) {
    (xmin, ymin, xmax, ymax) = (x, y, x, y)
    (kind, hasAltitudes) = (1, hasAltitude)
  }

  /// Reads well-known binary that this program has written: in little-endian order, and whole.
  init(_ wkb: UnsafeRawBufferPointer) {
    var offset = 0
    kind = Self.kind(wkb)
    add(wkb, &offset)
  }

  private static func kind(_ wkb: UnsafeRawBufferPointer) -> UInt32 {
    wkb.count < 5 ? 0 : wkb.loadUnaligned(fromByteOffset: 1, as: UInt32.self) % 1000
  }

  /// Adds a geometry, and moves the offset behind it.
  private mutating func add(_ wkb: UnsafeRawBufferPointer, _ offset: inout Int) {
    guard offset + 5 <= wkb.count else { return offset = wkb.count }
    let code = wkb.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self)
    offset += 5
    let width = code >= 1000 ? 3 : 2
    hasAltitudes = hasAltitudes || width == 3
    switch code % 1000 {
    case 1: addPositions(1, width, wkb, &offset)
    case 2: addPositions(Self.count(wkb, &offset), width, wkb, &offset)
    case 3:
      for _ in 0..<Self.count(wkb, &offset) {
        addPositions(Self.count(wkb, &offset), width, wkb, &offset)
      }
    default:
      for _ in 0..<Self.count(wkb, &offset) where offset < wkb.count { add(wkb, &offset) }
    }
  }

  private static func count(_ wkb: UnsafeRawBufferPointer, _ offset: inout Int) -> Int {
    guard offset + 4 <= wkb.count else { return 0 }
    defer { offset += 4 }
    return Int(wkb.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  private mutating func addPositions(
    _ count: Int, _ width: Int, _ wkb: UnsafeRawBufferPointer, _ offset: inout Int
  ) {
    for _ in 0..<count {
      guard offset + width * 8 <= wkb.count else { return offset = wkb.count }
      let x = wkb.loadUnaligned(fromByteOffset: offset, as: Double.self)
      let y = wkb.loadUnaligned(fromByteOffset: offset + 8, as: Double.self)
      // The position of an empty point is not a number, which no comparison takes.
      if x < xmin { xmin = x }
      if x > xmax { xmax = x }
      if y < ymin { ymin = y }
      if y > ymax { ymax = y }
      offset += width * 8
    }
  }

  /// Extends the box by that of another geometry.
  mutating func formUnion(_ other: WKBExtent) {
    xmin = min(xmin, other.xmin)
    ymin = min(ymin, other.ymin)
    xmax = max(xmax, other.xmax)
    ymax = max(ymax, other.ymax)
  }

  /// The box in numbers of 32 bits, rounded outward.
  var singles: (xmin: Float, ymin: Float, xmax: Float, ymax: Float) {
    (
      Double(Float(xmin)) > xmin ? Float(xmin).nextDown : Float(xmin),
      Double(Float(ymin)) > ymin ? Float(ymin).nextDown : Float(ymin),
      Double(Float(xmax)) < xmax ? Float(xmax).nextUp : Float(xmax),
      Double(Float(ymax)) < ymax ? Float(ymax).nextUp : Float(ymax)
    )
  }
}
