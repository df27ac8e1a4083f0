internal import CairnGeometry
internal import CairnQuery
internal import CairnStorage
import CairnSystem
internal import CairnValues

/// The numbers of rows that an import skipped on request.
struct SkippedRows: Sendable {
  /// Rows that do not meet the condition, or are in none of the boxes.
  var unmatched = 0
  /// Rows that are too close to an earlier one.
  var duplicates = 0
}

/// Removes the rows of a batch that do not meet the condition of the import or are in none of its boxes,
/// those that do not matter to the program, and those that are too close to an earlier row.
struct RowSieve: Sendable {
  /// The test of the condition and the boxes; nil if all rows meet them.
  private let test: RowsTest?
  /// The test whether rows matter; nil if all may.
  let hint: RowsTest?
  /// The finder of close rows, and the column of their locations. With a finder, blocks must come in
  /// order.
  private let close: (finder: Mutex<CloseLocations>, column: Int)?

  /// Prepares the removal.
  ///
  /// - Parameter table: The class that the rows are added to; nil for a new one.
  init(_ options: ImportOptions, plan: ImportPlan, table: Table?) throws(ImportError) {
    if !options.boxes.isEmpty, !plan.columns.contains(where: \.isSpatial) {
      throw ImportError(
        .usage, message: "\(option: .boxes) needs locations, and the rows have none")
    }
    test = try Self.test(options, plan: plan)
    hint = plan.bound(options.pruning)?.rowsTest
    guard let spacing = options.spacing else {
      close = nil
      return
    }
    guard let column = plan.location else {
      throw ImportError(
        .usage, message: "\(option: .spacing) needs locations, and the rows have none")
    }
    var finder = CloseLocations(within: spacing)
    if let table, let own = table.schema.column(named: plan.columns[column].name) {
      finder.add(table, position: own.position)
    }
    close = (Mutex(finder), column)
  }

  /// Returns a test of the rows of a batch; nil if all rows are taken.
  private static func test(
    _ options: ImportOptions, plan: ImportPlan
  ) throws(ImportError) -> RowsTest? {
    do throws(PredicateError) {
      guard let bound = try plan.bound(options.condition, boxes: options.boxes) else { return nil }
      guard let test = bound.rowsTest else {
        throw PredicateError(.unsupported, message: "a condition on columns is needed.")
      }
      return test
    } catch { throw ImportError(.usage, message: "\(option: .condition): \(error.message)") }
  }

  /// Removes rows from a batch, and returns their numbers.
  func apply(to batch: ColumnBatch) -> SkippedRows {
    var skipped = SkippedRows()
    if let hint { batch.keep(where: hint) }
    guard test != nil || close != nil else { return skipped }
    var isKept =
      test?.matches(BatchColumns(batch: batch)) ?? Array(repeating: true, count: batch.rowCount)
    skipped.unmatched = isKept.count { !$0 }
    if let close {
      let column = batch.columns[close.column]
      skipped.duplicates = close.finder.withLock { finder in
        var count = 0
        for row in isKept.indices where isKept[row] {
          guard case .point(let place) = column.value(at: row) else { continue }
          if finder.isNew(place) { continue }
          isKept[row] = false
          count += 1
        }
        return count
      }
    }
    if skipped.unmatched + skipped.duplicates > 0 { batch.keep(isKept) }
    return skipped
  }
}

extension ColumnBatch {
  /// Removes the rows that do not pass a test.
  fileprivate func keep(where test: RowsTest) {
    let isKept = test.matches(BatchColumns(batch: self))
    if isKept.contains(false) { keep(isKept) }
  }
}

/// The values of a batch, which conditions and formulas read.
struct BatchColumns: ValueColumns {
  let batch: ColumnBatch

  var rowCount: Int { batch.rowCount }

  func value(_ column: Int, row: Int) -> Value { batch.columns[column].value(at: row) }

  /// The text of a row. Valid as long as the batch.
  func text(_ column: Int, row: Int) -> UnsafeRawBufferPointer? {
    let values = batch.columns[column]
    return values.isNull(row) ? nil : values.bytes(at: row)
  }

  func numbers(_ column: Int) -> RawNumbers? {
    let values = batch.columns[column]
    guard [.int, .double, .date].contains(values.type) else { return nil }
    return RawNumbers(type: values.type, base: values.numberMemory, nulls: values.nullMemory)
  }

  func positions(_ column: Int) -> RawPositions? {
    let values = batch.columns[column]
    guard values.type == .point else { return nil }
    return RawPositions(
      longitudes: values.numberMemory, latitudes: values.latitudeMemory, nulls: values.nullMemory)
  }
}

/// Locations in a grid of cubes in space, in which those near another one are found without looking
/// at the rest. Space has neither poles nor an antimeridian.
struct CloseLocations {
  /// The haversine of the least distance between two locations.
  private let threshold: Double
  /// The same distance through the sphere of radius 1, and a little more.
  private let chord: Double
  private let cubeSize: Double
  /// The index of the last location in each cube.
  private var last: [UInt64: Int32] = [:]
  /// The index of the location before in the same cube; -1 for the first.
  private var previous: [Int32] = []
  private var places: [(longitude: Double, latitude: Double)] = []

  /// The number of bits for each coordinate of a cube.
  private static let bits: UInt64 = 21

  init(within distance: Distance) {
    let angle = min(distance.radians, .pi)
    threshold = sin(angle / 2) * sin(angle / 2)
    chord = 2 * sin(angle / 2) * (1 + 1e-9) + 1e-12
    cubeSize = max(4 * chord, 4e-6)
  }

  /// Adds the locations of a class.
  mutating func add(_ table: Table, position: Int) {
    for key in 0..<table.endKey where table.isLive(key) {
      if case .point(let place) = table.value(position, at: key) { insert(place) }
    }
  }

  /// Adds a location, unless another one is closer than the distance.
  ///
  /// - Returns: Whether it was added.
  mutating func isNew(_ place: Position) -> Bool {
    let centre = Self.vector(place)
    let (low, high) = (cube(centre - chord), cube(centre + chord))
    for x in low[0]...high[0] {
      for y in low[1]...high[1] {
        for z in low[2]...high[2] where isClose(place, cube: Self.key(x, y, z)) { return false }
      }
    }
    insert(place)
    return true
  }

  private func isClose(_ place: Position, cube: UInt64) -> Bool {
    var index = last[cube] ?? -1
    while index >= 0 {
      let other = places[Int(index)]
      let haversine = Sphere.haversine(
        place.latitude, longitude: place.longitude, otherLatitude: other.latitude,
        otherLongitude: other.longitude)
      if haversine < threshold { return true }
      index = previous[Int(index)]
    }
    return false
  }

  private mutating func insert(_ place: Position) {
    let cubes = cube(Self.vector(place))
    let key = Self.key(cubes[0], cubes[1], cubes[2])
    previous.append(last[key] ?? -1)
    last[key] = Int32(places.count)
    places.append((place.longitude, place.latitude))
  }

  private func cube(_ place: SIMD3<Double>) -> SIMD3<Int> {
    SIMD3<Int>((place / cubeSize).rounded(.down)) &+ 1 << (Int(Self.bits) - 1)
  }

  private static func key(_ x: Int, _ y: Int, _ z: Int) -> UInt64 {
    (UInt64(x) << bits | UInt64(y)) << bits | UInt64(z)
  }

  /// The location on the sphere of radius 1.
  private static func vector(_ place: Position) -> SIMD3<Double> {
    let (longitude, latitude) = (place.longitude * .pi / 180, place.latitude * .pi / 180)
    return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }
}
