internal import CairnGeometry

/// The locations or geometries of the rows of a slice, from one source. For use by one thread.
final class CSVSpatialColumn {
  let own: LocationSource
  let form: SpatialForm
  /// The coordinates of the rows of the slice.
  var longitudes: [Double] = []
  var latitudes: [Double] = []
  /// Third coordinates; empty when the slice has none, NaN where a row has none.
  var altitudes: [Double] = []
  /// The locations of those rows of the slice that have more than one.
  var pointsByRow: [Int: [Location]] = [:]
  /// Whether each row has nothing; empty when all rows have something.
  var isMissing: [Bool] = []
  /// The packed geometries of the slice, one after the other.
  private var packed: [UInt8] = []
  /// The range of each row's geometry in `packed`; empty unless the form is geometries.
  private var ranges: [Range<Int>] = []
  /// The kinds of geometries in the block.
  var evidence: SpatialEvidence = []

  init(_ own: LocationSource, form: SpatialForm) {
    self.own = own
    self.form = form
  }

  /// The source of the column.
  var source: SpatialSource { own.source }

  /// Whether rows are delivered as packed geometries.
  var isPacked: Bool { if case .geometries = form { true } else { false } }

  /// Begins a slice.
  func begin(_ count: Int) {
    if longitudes.count < count {
      longitudes = Array(repeating: 0, count: count)
      latitudes = Array(repeating: 0, count: count)
    }
    if !isMissing.isEmpty { isMissing.removeAll(keepingCapacity: true) }
    guard isPacked else { return }
    packed.removeAll(keepingCapacity: true)
    ranges.removeAll(keepingCapacity: true)
    ranges.append(contentsOf: repeatElement(0..<0, count: count))
  }

  /// Notes that a row has nothing.
  func setMissing(_ row: Int, of count: Int) {
    if isMissing.isEmpty { isMissing = Array(repeating: false, count: count) }
    isMissing[row] = true
  }

  /// Whether a row has nothing.
  @inline(__always)
  func isMissing(_ row: Int) -> Bool { !isMissing.isEmpty && isMissing[row] }

  /// Sets the geometry of a row.
  func setGeometry(_ row: Int, bytes: UnsafeRawBufferPointer) {
    let start = packed.count
    packed.append(contentsOf: bytes)
    ranges[row] = start..<packed.count
  }

  /// Whether the geometry of a row was set.
  func hasGeometry(_ row: Int) -> Bool { !ranges[row].isEmpty }

  /// Calls `body` with the geometry of a row; nil if the row has none.
  func withGeometry(_ row: Int, _ body: (UnsafeRawBufferPointer?) -> Void) {
    guard !ranges[row].isEmpty else { return body(nil) }
    packed.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[ranges[row]])) }
  }

  /// Returns the location of a row.
  private func location(_ row: Int) -> Location {
    Location(
      longitude: longitudes[row], latitude: latitudes[row],
      altitude: row < altitudes.count && !altitudes[row].isNaN ? altitudes[row] : nil)
  }

  /// Keeps the given rows, each once for every time that it is given.
  ///
  /// - Parameter rows: The rows, each with the index of its location among several, if it has.
  func keep(_ rows: [(row: Int, point: Int)]) {
    if isPacked { ranges = rows.map { ranges[$0.row] } }
    if !isMissing.isEmpty { isMissing = rows.map { isMissing[$0.row] } }
    let locations = rows.map { entry in
      let points = pointsByRow[entry.row]
      return points.flatMap { entry.point < $0.count ? $0[entry.point] : nil }
        ?? location(entry.row)
    }
    longitudes = locations.map(\.longitude)
    latitudes = locations.map(\.latitude)
    if !altitudes.isEmpty { altitudes = locations.map { $0.altitude ?? .nan } }
    pointsByRow.removeAll()
  }
}
