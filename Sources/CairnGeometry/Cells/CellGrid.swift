import CairnSystem

/// A division of the world into cells, by which locations are grouped. Every location lies in exactly
/// one cell.
package enum CellGrid: Hashable, Sendable {
  /// Rectangles of equal size in degrees, counted from the equator and the prime meridian.
  case degrees(DegreeGrid)
  /// The cells of geohashes of equal length.
  case geohash(GeohashGrid)
  /// Cells between meridians and parallels that are about squares on the earth.
  case squares(SquareGrid)
  /// Hexagons of equal area.
  case hexagons(HexagonGrid)

  /// Returns the code of the cell that contains a location in degrees.
  @inline(__always)
  package func code(longitude: Double, latitude: Double) -> Int64 {
    switch self {
    case .degrees(let grid): grid.code(longitude: longitude, latitude: latitude)
    case .geohash(let grid): grid.code(longitude: longitude, latitude: latitude)
    case .squares(let grid): grid.code(longitude: longitude, latitude: latitude)
    case .hexagons(let grid): grid.code(longitude: longitude, latitude: latitude)
    }
  }

  /// Returns the name of a cell: `WEST,SOUTH,EAST,NORTH` of a rectangle or square, a geohash, or
  /// `LATITUDE,LONGITUDE` of the centre of a hexagon.
  package func name(of code: Int64) -> String {
    switch self {
    case .degrees(let grid): grid.rectangle(of: code).name
    case .geohash(let grid): grid.name(of: code)
    case .squares(let grid): grid.rectangle(of: code).name
    case .hexagons(let grid): grid.name(of: code)
    }
  }

  /// Returns the area of a cell as a polygon, anticlockwise.
  package func polygon(of code: Int64) -> Geometry {
    let ring =
      switch self {
      case .degrees(let grid): grid.rectangle(of: code).ring
      case .geohash(let grid): grid.rectangle(of: code).ring
      case .squares(let grid): grid.rectangle(of: code).ring
      case .hexagons(let grid): grid.ring(of: code)
      }
    var builder = GeometryBuilder()
    builder.begin(.polygon)
    builder.beginRing()
    for point in ring { builder.add(longitude: point.longitude, latitude: point.latitude) }
    builder.endRing()
    builder.end()
    return builder.geometry()
  }
}

/// The row and the column of a cell in one number, which sorts by row, then by column.
enum CellCode {
  /// Returns the code of a row and a column, each of at most 32 bits.
  @inline(__always)
  static func code(row: Int, column: Int) -> Int64 {
    Int64(row) << 32 | Int64(UInt32(truncatingIfNeeded: column + 1 << 31))
  }

  /// Returns the row and the column of a code.
  static func position(of code: Int64) -> (row: Int, column: Int) {
    (Int(code >> 32), Int(UInt32(truncatingIfNeeded: code)) - 1 << 31)
  }
}

/// A cell between two meridians and two parallels, or another rectangle of these.
package struct CellRectangle {
  let west, south, east, north: Double

  /// The corners, anticlockwise; the last repeats the first.
  fileprivate var ring: [(longitude: Double, latitude: Double)] {
    [(west, south), (east, south), (east, north), (west, north), (west, south)]
  }

  /// The edges in degrees: `WEST,SOUTH,EAST,NORTH`.
  fileprivate var name: String {
    [west, south, east, north].map { CellText.decimal($0, places: 7) }.joined(separator: ",")
  }
}

extension CellRectangle {
  /// Creates a rectangle from its edges in degrees.
  package init(_ edges: (west: Double, south: Double, east: Double, north: Double)) {
    self.init(west: edges.west, south: edges.south, east: edges.east, north: edges.north)
  }

  /// The rectangle as a box.
  package var box: GeoBox {
    GeoBox(
      bottomLeft: GeoPoint(clampedLatitude: south, longitude: west),
      topRight: GeoPoint(clampedLatitude: north, longitude: east))
  }
}

/// Intervals of equal length along one axis of a grid. The first and the last one may be shorter.
struct CellAxis: Hashable, Sendable {
  /// The edge with index 0.
  private let origin: Double
  /// The length of an interval, times `divisor`. It is exact, so every edge is rounded only once.
  private let size: Double
  private let divisor: Double
  let first: Int
  private let last: Int
  private let limit: Double

  /// Divides the range from `-limit` to `limit` into intervals of the length `size / divisor`.
  init(origin: Double, size: Double, divisor: Double = 1, limit: Double) {
    self.origin = origin
    self.size = size
    self.divisor = divisor
    self.limit = limit
    first = Int(((-limit - origin) * divisor / size).rounded(.down))
    last = Int(((limit - origin) * divisor / size).rounded(.up)) - 1
  }

  /// Returns the lower edge of an interval, within the range.
  @inline(__always)
  func edge(_ index: Int) -> Double {
    min(max(origin + Double(index) * size / divisor, -limit), limit)
  }

  /// Returns the interval that contains a coordinate. An edge belongs to the interval above it, and
  /// the end of the range to the last interval.
  @inline(__always)
  func index(of coordinate: Double) -> Int {
    let near = ((coordinate - origin) * divisor / size).rounded(.down)
    var index = min(max(Int(near), first), last)
    if index < last, coordinate >= edge(index + 1) { index += 1 }
    if index > first, coordinate < edge(index) { index -= 1 }
    return index
  }
}

/// Rectangles of equal size in degrees, counted from the equator and the prime meridian. Those at
/// the antimeridian and at the poles are smaller if the size does not divide 180 or 90.
package struct DegreeGrid: Hashable, Sendable {
  /// The sizes in degrees that a grid can have, with at most seven decimals.
  package static let sizes = 1e-6...90.0

  let longitudes: CellAxis
  let latitudes: CellAxis

  /// Creates a grid; returns nil if the size is not one of `sizes`.
  package init?(size: Double) {
    let units = (size * 1e7).rounded()
    guard Self.sizes.contains(size), units / 1e7 == size else { return nil }
    longitudes = CellAxis(origin: 0, size: units, divisor: 1e7, limit: 180)
    latitudes = CellAxis(origin: 0, size: units, divisor: 1e7, limit: 90)
  }

  @inline(__always)
  func code(longitude: Double, latitude: Double) -> Int64 {
    CellCode.code(row: latitudes.index(of: latitude), column: longitudes.index(of: longitude))
  }

  func rectangle(of code: Int64) -> CellRectangle {
    let (row, column) = CellCode.position(of: code)
    return CellRectangle(
      west: longitudes.edge(column), south: latitudes.edge(row),
      east: longitudes.edge(column + 1), north: latitudes.edge(row + 1))
  }
}

/// The cells of geohashes of equal length: a world of alternately halved longitudes and latitudes,
/// five bits to the character.
///
/// Source: Gustavo Niemeyer, geohash.org (2008).
package struct GeohashGrid: Hashable, Sendable {
  /// The lengths that a geohash can have.
  package static let lengths = 1...12

  private let length: Int
  let longitudes: CellAxis
  let latitudes: CellAxis

  private static let digits = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)

  /// Creates a grid; returns nil if the length is not one of `lengths`.
  package init?(length: Int) {
    guard Self.lengths.contains(length) else { return nil }
    self.length = length
    let bits = length * 5
    // Both sizes are exact, because 360 and 180 are divided by powers of two.
    longitudes = CellAxis(
      origin: -180, size: 360 / Double(1 << ((bits + 1) / 2)), limit: 180)
    latitudes = CellAxis(origin: -90, size: 180 / Double(1 << (bits / 2)), limit: 90)
  }

  /// The bits of the geohash, so that codes sort like geohashes.
  @inline(__always)
  func code(longitude: Double, latitude: Double) -> Int64 {
    self.code(row: latitudes.index(of: latitude), column: longitudes.index(of: longitude))
  }

  /// The code of a cell.
  @inline(__always)
  func code(row: Int, column: Int) -> Int64 {
    let (x, y) = (Self.spread(UInt64(column)), Self.spread(UInt64(row)))
    // The last bit is one of longitude if the number of bits is odd.
    return Int64(bitPattern: length & 1 == 1 ? x | y << 1 : x << 1 | y)
  }

  func rectangle(of code: Int64) -> CellRectangle {
    let bits = UInt64(bitPattern: code)
    let x = Self.gather(length & 1 == 1 ? bits : bits >> 1)
    let y = Self.gather(length & 1 == 1 ? bits >> 1 : bits)
    return CellRectangle(
      west: longitudes.edge(x), south: latitudes.edge(y), east: longitudes.edge(x + 1),
      north: latitudes.edge(y + 1))
  }

  func name(of code: Int64) -> String {
    let bytes = (0..<length).map { position in
      Self.digits[Int(code >> Int64((length - 1 - position) * 5)) & 31]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Moves bit i of a number of 32 bits to bit 2i.
  @inline(__always)
  private static func spread(_ number: UInt64) -> UInt64 {
    var bits = number
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }

  /// Moves bit 2i of a number to bit i; the other bits are ignored.
  private static func gather(_ number: UInt64) -> Int {
    var bits = number & 0x5555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return Int((bits | bits >> 16) & 0xFFFF_FFFF)
  }
}

/// Numbers in the names of cells.
enum CellText {
  /// Returns a number with at most that many decimals, without trailing zeros.
  static func decimal(_ number: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = Int((number * scale).rounded())
    let (whole, rest) = abs(scaled).quotientAndRemainder(dividingBy: Int(scale))
    let digits = String(rest)
    let fraction = (String(repeating: "0", count: places - digits.count) + digits)
      .reversed().drop { $0 == "0" }.reversed()
    return (scaled < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : "." + String(fraction))
  }
}
