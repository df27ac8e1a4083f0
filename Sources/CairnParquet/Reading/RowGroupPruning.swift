internal import CairnIO
internal import CairnQuery
internal import CairnValues

/// Decides which row groups of a file have rows that may meet a condition, by their statistics.
///
/// A group is left out only if its statistics prove that none of its rows meets the condition. What a
/// statistic does not say, or says in another form than expected, is not known.
struct RowGroupPruning {
  private let file: ParquetFile
  private let pruning: LayerPruning

  init(_ file: ParquetFile, _ pruning: LayerPruning) {
    self.file = file
    self.pruning = pruning
  }

  /// The rows of the groups that are read.
  var rows: RowRanges {
    var rows = RowRanges()
    for group in file.metadata.groups where isRead(group) {
      rows.append(group.firstRow..<group.endRow)
    }
    return rows
  }

  /// Whether a row of a group may meet the condition.
  func isRead(_ group: RowGroup) -> Bool {
    pruning.mayHold(RowGroupStatistics(file: file, group: group))
  }
}

/// The statistics of a row group.
struct RowGroupStatistics: LayerStatistics {
  let file: ParquetFile
  let group: RowGroup

  func bounds(ofColumn index: Int) -> ValueBounds {
    guard file.columns[index].form == nil, let leaf = file.columns[index].node.leaf,
      leaf.maxRepetition == 0
    else { return ValueBounds() }
    return bounds(leaf)
  }

  private func bounds(_ leaf: LeafColumn) -> ValueBounds {
    var bounds = ValueBounds()
    bounds.mayBeNaN = leaf.kind.mayBeNaN
    let statistics = group.columns[leaf.index].statistics
    if let nulls = nullCount(leaf) {
      bounds.mayBeNull = nulls > 0
      bounds.isAllNull = nulls == group.rowCount
    }
    guard let statistics, isOrdered(leaf), let least = statistics.least,
      let greatest = statistics.greatest, let low = leaf.bound(least, isUpper: false),
      let high = leaf.bound(greatest, isUpper: true), let order = low.order(to: high),
      order != .greater
    else { return bounds }
    (bounds.least, bounds.greatest) = (low, high)
    return bounds
  }

  private func isOrdered(_ leaf: LeafColumn) -> Bool {
    let orders = file.metadata.areOrdered
    return leaf.index < orders.count && orders[leaf.index]
  }

  /// The number of nulls of a column outside of lists; nil if it is not known.
  private func nullCount(_ leaf: LeafColumn) -> Int64? {
    if leaf.maxDefinition == 0 { return 0 }
    guard let count = group.columns[leaf.index].statistics?.nullCount,
      0...group.rowCount ~= count
    else { return nil }
    return count
  }
}

// The boxes of geometries.
extension RowGroupStatistics {
  var box: CoordinateBox? {
    guard let column = file.columns.first(where: { $0.form != nil }) else { return nil }
    if case .native = column.form { return box(ofPositions: column.node) }
    return box(ofCovering: column.node) ?? box(stated: column.node)
  }

  /// The box of positions whose coordinates lie in columns.
  private func box(ofPositions node: SchemaNode) -> CoordinateBox? {
    let leaves = node.leaves
    // With others of these names, it would be uncertain which ones the geometries are read from.
    let xs = leaves.filter { $0.path.hasSuffix(".x") }
    let ys = leaves.filter { $0.path.hasSuffix(".y") }
    guard xs.count == 1, ys.count == 1, let x = range(xs[0]), let y = range(ys[0]) else {
      return nil
    }
    return CoordinateBox(
      xmin: x.lowerBound, ymin: y.lowerBound, xmax: x.upperBound, ymax: y.upperBound)
  }

  /// The box around the boxes that a column states for each geometry.
  private func box(ofCovering geometry: SchemaNode) -> CoordinateBox? {
    guard let node = file.boxes, node.repetition != .repeated, let column = geometry.leaf else {
      return nil
    }
    var sides: [ClosedRange<Double>] = []
    for name in ["xmin", "ymin", "xmax", "ymax"] {
      guard let leaf = node.children.first(where: { $0.name == name })?.leaf,
        let nulls = nullCount(leaf), nulls <= nullCount(column) ?? 0, let side = range(leaf)
      else { return nil }
      sides.append(side)
    }
    var box = CoordinateBox(
      xmin: sides[0].lowerBound, ymin: sides[1].lowerBound, xmax: sides[2].upperBound,
      ymax: sides[3].upperBound)
    // A box across ±180 degrees has its west in `xmin`, and it is the greater number. Only a group that
    // reaches far from west to east can have such a row.
    if sides[0].upperBound - sides[2].lowerBound > Self.leastCrossing {
      (box.xmin, box.xmax) = (-180, 180)
    }
    return box
  }

  /// The least difference of the sides of a box across ±180 degrees, which is then 270 degrees wide.
  private static let leastCrossing = 90.0

  /// The box that the statistics of the geometries state.
  private func box(stated node: SchemaNode) -> CoordinateBox? {
    guard let leaf = node.leaf, let stated = group.columns[leaf.index].box else { return nil }
    var box = CoordinateBox(
      xmin: stated.xmin, ymin: stated.ymin, xmax: stated.xmax, ymax: stated.ymax)
    // A box across ±180 degrees, as for the column of boxes.
    if box.xmin > box.xmax { (box.xmin, box.xmax) = (-180, 180) }
    return box
  }

  /// The range of the numbers of a column, at any depth.
  private func range(_ leaf: LeafColumn) -> ClosedRange<Double>? {
    let bounds = bounds(leaf)
    guard let low = bounds.least?.doubleValue, let high = bounds.greatest?.doubleValue else {
      return nil
    }
    // Some writers round to 32 bits in any direction.
    guard leaf.kind == .float else { return low...high }
    return Double(Float(low).nextDown)...Double(Float(high).nextUp)
  }
}

extension ValueKind {
  /// Whether values may be NaN, which bounds leave out.
  fileprivate var mayBeNaN: Bool {
    switch self {
    case .float, .double, .half: true
    default: false
    }
  }
}

extension LeafColumn {
  /// Returns a bound of the values as a layer has them; nil if it is not understood.
  ///
  /// - Parameters:
  ///   - bytes: The bound in the form of PLAIN, without a length.
  ///   - isUpper: Whether the bound is that of the greatest value.
  func bound(_ bytes: [UInt8], isUpper: Bool) -> Value? {
    guard width.map({ $0 == bytes.count }) ?? true else { return nil }
    switch kind {
    case .bool: return bytes.count == 1 && bytes[0] < 2 ? .bool(bytes[0] == 1) : nil
    case .text: return String(validating: bytes, as: UTF8.self).map { .string($0) }
    case .int:
      return converted(bytes).map { .int(Int64(bitPattern: $0)) }
    case .float:
      return Self.number(Double(Float(bitPattern: Self.integer(bytes))))
    case .double: return Self.number(Double(bitPattern: Self.integer(bytes)))
    case .half, .decimalBytes:
      guard kind.columnType == .double else { return nil }
      let number = try? bytes.parsed { (bytes) throws(ParquetError) in
        try NumberConversion.double(bytes, kind)
      }
      return number.flatMap(Self.number)
    case .decimalInteger:
      guard kind.columnType == .double else { return nil }
      return converted(bytes).flatMap { Self.number(Double(bitPattern: $0)) }
    case .days, .timestamp:
      // A time without a zone is moved by up to a day when it gets one.
      let shift: Double = kind.isLocal ? (isUpper ? 86400 : -86400) : 0
      return converted(bytes).map { .date(Double(bitPattern: $0) + shift) }
    case .oldTimestamp, .time, .uuid, .interval, .data, .geometry, .null, .unsupported: return nil
    }
  }

  /// The bits of a number of 4 or 8 bytes, converted as the values of the column are.
  private func converted(_ bytes: [UInt8]) -> UInt64? {
    var bits: UInt64
    if type == .int32 {
      let number: UInt32 = Self.integer(bytes)
      bits =
        kind == .int(isSigned: false)
        ? UInt64(number) : UInt64(bitPattern: Int64(Int32(bitPattern: number)))
    } else {
      bits = Self.integer(bytes)
    }
    do throws(ParquetError) {
      try NumberConversion.convert(&bits, 1, kind)
      return bits
    } catch { return nil }
  }

  /// The integer in little-endian bytes, which must be as many as it has.
  private static func integer<Number: FixedWidthInteger>(_ bytes: [UInt8]) -> Number {
    bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  /// A number; nil for NaN, which has no order.
  private static func number(_ value: Double) -> Value? { value.isNaN ? nil : .double(value) }
}
