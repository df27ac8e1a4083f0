internal import CairnGeometry
package import CairnQuery
internal import CairnStorage
import CairnSystem
internal import CairnValues

/// A condition that a decoder tests on the columns of a layer, so that the other columns are read only for
/// the rows that pass.
///
/// It reads a column only if the condition sees the same values as the file stores, as ``LayerPruning``
/// does. Rows whose coordinates an import would reject pass, so that they are reported.
package struct LayerSieve: Sendable {
  private var test: RowsTest
  private let sources: [LayerValues]
  private let types: [LayerColumnType]
  /// The columns of the positions.
  private let places: Places?
  private let allowsMissing: Bool

  private enum Places: Sendable {
    case columns(latitude: Int, longitude: Int)
    /// A column of points in WKB.
    case points(Int)

    var columns: [Int] {
      switch self {
      case .columns(let latitude, let longitude): [latitude, longitude]
      case .points(let column): [column]
      }
    }
  }

  /// Prepares a condition; nil if the layer decides nothing of it.
  ///
  /// - Parameter test: A condition that is bound to the columns of the plan.
  init?(_ test: RowsTest, plan: ImportPlan, layer: LayerColumns, mapping: CoordinateMapping) {
    let sources = LayerValues.all(of: plan, in: layer, mapping: mapping)
    types = layer.schema.columns.map(\.type)
    let places = Self.places(of: layer)
    let weakened = test.weakened { column in
      switch sources[column] {
      case .values(let index, let mayBecomeNull):
        !mayBecomeNull && plan.columns[column].valueType == Self.type(of: layer, index)
      case .positions(let haveEdges): !haveEdges && places != nil
      case .unknown: false
      }
    }
    guard let weakened else { return nil }
    (self.test, self.sources, self.places) = (weakened, sources, places)
    allowsMissing = plan.geometries.allowsMissing
  }

  private init(_ test: RowsTest, _ sieve: LayerSieve) {
    self = sieve
    self.test = test
  }

  private static func places(of layer: LayerColumns) -> Places? {
    if let geometry = layer.schema.geometry { return .points(geometry) }
    guard let found = layer.coordinates,
      layer.schema.columns[found.latitude].type == .double,
      layer.schema.columns[found.longitude].type == .double
    else { return nil }
    return .columns(latitude: found.latitude, longitude: found.longitude)
  }

  private static func type(of layer: LayerColumns, _ index: Int) -> ValueType? {
    switch layer.schema.columns[index].type {
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .date: .date
    case .text: .string
    case .data, .geometry: nil
    }
  }

  /// The indices of the columns of the layer that are tested.
  package var columns: Set<Int> {
    test.columns.reduce(into: []) { columns, column in columns.formUnion(layerColumns(column)) }
  }

  /// The columns of the layer that a column of the plan is made of.
  private func layerColumns(_ column: Int) -> [Int] {
    switch sources[column] {
    case .values(let index, _): [index]
    case .positions: places?.columns ?? []
    case .unknown: []
    }
  }

  /// Returns the part of the condition that some columns of the layer decide; nil without one.
  func weakened(to isKnown: (Int) -> Bool) -> LayerSieve? {
    test.weakened { layerColumns($0).allSatisfy(isKnown) }.map { LayerSieve($0, self) }
  }

  /// Rows of a layer in the columns that are tested.
  package struct Rows {
    let count: Int
    let columns: [Int: LayerBatch.Column]
    let texts: [Int: SharedTexts]

    /// Creates rows.
    ///
    /// - Parameters:
    ///   - columns: The columns that have no dictionary, by their indices in the layer.
    ///   - texts: The columns that have one.
    package init(count: Int, columns: [Int: LayerBatch.Column], texts: [Int: SharedTexts]) {
      (self.count, self.columns, self.texts) = (count, columns, texts)
    }
  }

  /// Returns whether each row may meet the condition.
  package func matches(_ rows: Rows) -> [Bool] {
    let hasLocalTimes = rows.columns.contains { index, column in
      types[index] == .date && column.markBytes.contains(LayerMark.local.rawValue)
    }
    // A time of day is not known before it gets its zone.
    if hasLocalTimes { return Array(repeating: true, count: rows.count) }
    let points = readsPlaces ? points(of: rows) : nil
    var matches = test.matches(
      SievedColumns(rows: rows, points: points, sources: sources, types: types))
    points?.keepUnsure(&matches, allowsMissing: allowsMissing)
    return matches
  }

  /// Whether the condition is one on positions, too.
  private var readsPlaces: Bool {
    test.columns.contains { if case .positions = sources[$0] { true } else { false } }
  }

  private func points(of rows: Rows) -> SievedPoints? {
    switch places {
    case .columns(let latitude, let longitude):
      guard let y = rows.columns[latitude], let x = rows.columns[longitude] else { return nil }
      return SievedPoints(latitudes: y, longitudes: x, count: rows.count)
    case .points(let index):
      return rows.columns[index].map { SievedPoints($0, count: rows.count) }
    case nil: return nil
    }
  }
}

/// The positions of rows that are not checked yet.
private final class SievedPoints {
  /// The longitudes, then the latitudes.
  private let memory: UnsafeMutablePointer<Double>
  /// A byte for each row, 1 if it has no position.
  private let nulls: UnsafeMutablePointer<UInt8>
  /// Whether each row may be one that an import rejects.
  private var isUnsure: [Bool]
  private let count: Int

  /// The distance in degrees from the limits of coordinates within which they may be moved.
  private static let margin = 1e-6

  /// Reads positions with one value for each row.
  private init(count: Int, position: (Int) -> (x: Double?, y: Double?)) {
    self.count = count
    memory = .allocate(capacity: max(1, 2 * count))
    nulls = .allocate(capacity: max(1, count))
    isUnsure = Array(repeating: false, count: count)
    for row in 0..<count {
      let (x, y) = position(row)
      memory[row] = x ?? 0
      memory[count + row] = y ?? 0
      nulls[row] = x == nil && y == nil ? 1 : 0
      // Written so that NaN is unsure.
      isUnsure[row] =
        (x == nil) != (y == nil)
        || !(abs(memory[row]) <= 180 - Self.margin && abs(memory[count + row]) <= 90 - Self.margin)
    }
  }

  convenience init(latitudes: LayerBatch.Column, longitudes: LayerBatch.Column, count: Int) {
    self.init(count: count) { row in
      (
        longitudes.isNull(row) ? nil : longitudes.double(row),
        latitudes.isNull(row) ? nil : latitudes.double(row)
      )
    }
  }

  /// Reads points in WKB. Other geometries are unsure.
  convenience init(_ column: LayerBatch.Column, count: Int) {
    self.init(count: count) { row in
      if column.isNull(row) { return (nil, nil) }
      let bytes = column.bytes(row)
      guard bytes.count == Self.pointSize, bytes[0] == 1,
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self)) == 1
      else { return (.nan, .nan) }
      func number(_ offset: Int) -> Double {
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return Double(bitPattern: UInt64(littleEndian: bits))
      }
      return (number(5), number(13))
    }
  }

  /// The bytes of a point in WKB: the order of bytes, the kind, and two numbers.
  private static let pointSize = 21

  deinit {
    memory.deallocate()
    nulls.deallocate()
  }

  /// The positions, which are valid as long as this object.
  var raw: RawPositions {
    RawPositions(
      longitudes: memory, latitudes: memory + count,
      nulls: UnsafeRawBufferPointer(start: nulls, count: count))
  }

  func value(_ row: Int) -> Value {
    assert(row >= 0 && row < count, "a row is outside of the batch")
    if nulls[row] == 1 { return .null }
    return .point(Position(latitude: memory[count + row], longitude: memory[row]))
  }

  /// Keeps the rows that an import may reject.
  func keepUnsure(_ matches: inout [Bool], allowsMissing: Bool) {
    for row in 0..<count where !matches[row] {
      if isUnsure[row] || nulls[row] == 1 && !allowsMissing { matches[row] = true }
    }
  }
}

/// The rows of a layer in the columns of a plan.
private struct SievedColumns: ValueColumns {
  let rows: LayerSieve.Rows
  let points: SievedPoints?
  let sources: [LayerValues]
  let types: [LayerColumnType]

  var rowCount: Int { rows.count }

  /// The column of the layer that a column of the plan has its values of.
  private func index(_ column: Int) -> Int? {
    if case .values(let index, _) = sources[column] { index } else { nil }
  }

  func value(_ column: Int, row: Int) -> Value {
    guard let index = index(column) else { return points?.value(row) ?? .null }
    guard types[index] != .text else {
      return text(column, row: row).map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
    }
    guard let values = rows.columns[index], !values.isNull(row) else { return .null }
    switch types[index] {
    case .int: return .int(values.int(row))
    case .double: return .double(values.double(row))
    case .bool: return .bool(values.bool(row))
    case .date: return .date(values.double(row))
    case .text, .data, .geometry: return .null
    }
  }

  func text(_ column: Int, row: Int) -> UnsafeRawBufferPointer? {
    guard let index = index(column) else { return nil }
    if let shared = rows.texts[index] {
      let text = shared.indexes[row]
      return text == SharedTexts.null ? nil : shared.bytes(text)
    }
    guard let values = rows.columns[index], !values.isNull(row) else { return nil }
    return values.bytes(row)
  }

  func numbers(_ column: Int) -> RawNumbers? {
    guard let index = index(column), let values = rows.columns[index] else { return nil }
    let type: ValueType
    switch types[index] {
    case .int: type = .int
    case .double: type = .double
    case .date: type = .date
    case .bool, .text, .data, .geometry: return nil
    }
    let marks = values.markBytes
    let hasNulls = marks.contains(LayerMark.null.rawValue)
    return RawNumbers(
      type: type, base: values.memory,
      nulls: hasNulls ? marks : UnsafeRawBufferPointer(rebasing: marks[..<0]))
  }

  func positions(_ column: Int) -> RawPositions? { index(column) == nil ? points?.raw : nil }

  func sharedTexts(_ column: Int) -> SharedTexts? { index(column).flatMap { rows.texts[$0] } }
}
