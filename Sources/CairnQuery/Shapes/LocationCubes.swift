import CairnGeometry
import CairnStorage
import CairnSystem

/// Locations in degrees.
struct Locations {
  private(set) var longitudes: [Double] = []
  private(set) var latitudes: [Double] = []

  var count: Int { longitudes.count }

  /// Adds a location.
  mutating func append(longitude: Double, latitude: Double) {
    longitudes.append(longitude)
    latitudes.append(latitude)
  }

  /// The unit vectors from the centre of the earth.
  var directions: [SIMD3<Double>] {
    (0..<count).map { Sphere.direction(longitude: longitudes[$0], latitude: latitudes[$0]) }
  }
}

/// Locations by the cubes of a grid in space that they lie in. The diagonal of a cube is as long as a
/// distance, so that all locations of a cube are within that distance of each other. In space, neither
/// the poles nor the antimeridian are special.
struct LocationCubes {
  /// The index of each location, in order of the cubes, and within a cube in their own order.
  let order: [UInt32]
  private let locations: Locations
  private let directions: [SIMD3<Double>]
  fileprivate let cubes: [Cube]
  /// The first location of each cube in `order`, and the number of locations.
  private let starts: [Int]
  private let side: Double
  private let radians: Double
  /// The squared chords between which distances are computed exactly.
  private let unclear: ClosedRange<Double>

  /// The position of a cube in the grid. The order of cubes is that of `row`, then of `z`.
  fileprivate struct Cube: Equatable {
    var row: UInt64
    var z: Int32

    init(_ position: SIMD3<Double>) {
      let cube = SIMD3<Int32>(position.rounded(.down))
      row =
        UInt64(UInt32(bitPattern: cube.x ^ .min)) << 32 | UInt64(UInt32(bitPattern: cube.y ^ .min))
      z = cube.z
    }

    init(row: UInt64, z: Int32) {
      self.row = row
      self.z = z
    }

    static func < (one: Cube, other: Cube) -> Bool {
      one.row == other.row ? one.z < other.z : one.row < other.row
    }
  }

  /// The least distance in radians, 6 mm, for which the positions of cubes fit in 32 bits.
  static let leastRadians = 1e-9

  /// - Parameter distance: The distance, at least `leastRadians`.
  init(_ locations: Locations, within distance: Distance) {
    assert(distance.radians >= Self.leastRadians, "the cubes are too small to be numbered")
    self.locations = locations
    radians = distance.radians
    let chord = radians < .pi ? 2 * sin(radians / 2) : 2
    // Rounding must not bring two locations into a cube that are farther from each other.
    let side = chord / 3.0.squareRoot() * (1 - 1e-6)
    let slack = chord * chord * 1e-9 + chord * 2e-15
    unclear = max(0, chord * chord - slack)...chord * chord + slack
    let unsorted = locations.directions
    let all = unsorted.map { Cube($0 / side) }
    let order = RadixSort.order(
      all.map(\.row), then: all.map { UInt64(UInt32(bitPattern: $0.z ^ .min)) })
    var (cubes, starts): ([Cube], [Int]) = ([], [])
    for (position, index) in order.enumerated() where cubes.last != all[Int(index)] {
      cubes.append(all[Int(index)])
      starts.append(position)
    }
    directions = order.map { unsorted[Int($0)] }
    self.starts = starts + [order.count]
    (self.order, self.cubes, self.side) = (order, cubes, side)
  }

  /// The number of cubes with locations.
  var count: Int { cubes.count }

  /// The positions in `order` of the locations of a cube.
  @inline(__always)
  func locations(of cube: Int) -> Range<Int> { starts[cube]..<starts[cube + 1] }

  /// Whether two locations, by their positions in `order`, are within the distance of each other.
  @inline(__always)
  func areNear(_ one: Int, _ other: Int) -> Bool {
    let way = directions[one] - directions[other]
    let square = (way * way).sum()
    if square < unclear.lowerBound { return true }
    return square <= unclear.upperBound && areNearExactly(one, other)
  }

  private func areNearExactly(_ one: Int, _ other: Int) -> Bool {
    let (first, second) = (Int(order[one]), Int(order[other]))
    return Sphere.angle(
      locations.latitudes[first], longitude: locations.longitudes[first],
      otherLatitude: locations.latitudes[second], otherLongitude: locations.longitudes[second])
      <= radians
  }

  /// Whether some location of a cube may be within the distance of a location, by its position in
  /// `order`.
  @inline(__always)
  func mayBeNear(_ location: Int, cube: Int) -> Bool {
    let (corner, direction) = (cubes[cube].corner * side, directions[location])
    let nearest = pointwiseMax(corner, pointwiseMin(direction, corner + side))
    let way = nearest - direction
    return (way * way).sum() <= unclear.upperBound + side * 1e-15
  }

  /// Calls `body` on all cores with ranges that together have all cubes.
  func forEachRange(_ parts: Int, _ body: (_ part: Int, _ cubes: Range<Int>) -> Void) {
    let parts = max(1, min(count, parts))
    WorkerPool.shared.run(parts) { part in
      body(part, count * part / parts..<count * (part + 1) / parts)
    }
  }
}

extension LocationCubes.Cube {
  /// The least coordinates of the cube, in lengths of its side.
  fileprivate var corner: SIMD3<Double> {
    SIMD3(
      Double(Int32(bitPattern: UInt32(truncatingIfNeeded: row >> 32)) ^ .min),
      Double(Int32(bitPattern: UInt32(truncatingIfNeeded: row)) ^ .min), Double(z))
  }

  /// Whether another cube touches this one, or is the same.
  fileprivate func touches(_ other: LocationCubes.Cube) -> Bool {
    let way = corner - other.corner
    return abs(way.x) <= 1 && abs(way.y) <= 1 && abs(way.z) <= 1
  }
}

/// Finds the cubes near other ones, which are visited in ascending order.
struct CubeWalk {
  private let grid: LocationCubes
  /// For each of 25 rows of cubes near the present one, the first cube that may be near it.
  private var cursors: [Int]
  /// The cubes that may have locations within the distance of those of the present one, which is one
  /// of them.
  private(set) var found: [Int] = []

  /// Prepares a walk that begins at a cube.
  init(_ grid: LocationCubes, from start: Int) {
    self.grid = grid
    cursors = (0..<25).map { index in
      start < grid.count ? grid.firstCube(from: Self.start(index, grid.cubes[start])) : start
    }
  }

  /// The first cube of a row near another one. The distance is less than two sides.
  private static func start(_ index: Int, _ cube: LocationCubes.Cube) -> LocationCubes.Cube {
    let (x, y) = (Int64(index / 5 - 2), Int64(index % 5 - 2))
    return LocationCubes.Cube(
      row: cube.row &+ UInt64(bitPattern: x << 32) &+ UInt64(bitPattern: y), z: cube.z - 2)
  }

  /// Visits a cube, which comes after the last one.
  mutating func visit(_ cube: Int) {
    found.removeAll(keepingCapacity: true)
    for index in 0..<cursors.count {
      let start = Self.start(index, grid.cubes[cube])
      var next = cursors[index]
      while next < grid.count, grid.cubes[next] < start { next += 1 }
      cursors[index] = next
      while next < grid.count, grid.cubes[next].row == start.row,
        grid.cubes[next].z - start.z <= 4
      {
        found.append(next)
        next += 1
      }
    }
  }

  /// Whether two cubes touch each other.
  func touch(_ one: Int, _ other: Int) -> Bool { grid.cubes[one].touches(grid.cubes[other]) }
}

extension LocationCubes {
  /// The index of the first cube that is not before another one.
  fileprivate func firstCube(from start: Cube) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if cubes[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
