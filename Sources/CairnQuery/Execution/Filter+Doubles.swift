import CairnStorage

/// A condition on a double or date column.
final class DoubleFilter: Filter, @unchecked Sendable {
  let column: Column
  let condition: RangeCondition<Double>

  init(_ column: Column, _ condition: RangeCondition<Double>) {
    self.column = column
    self.condition = condition
  }

  override var cost: Double { condition.ranges.count > 1 ? 4 : 0.5 }

  override func verdict(_ chunk: Int) -> Verdict {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return .some }
    return condition.verdict(
      minimum: zone.doubleMinimum, maximum: zone.doubleMaximum, hasNaN: zone.hasNaN,
      hasNulls: zone.nullCount != 0)
  }

  override var indexRequest: IndexRequest? { doubleRequest }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    if case .decimals = chunk.encoding {
      let scaled = condition.scaled(chunk.exponent)
      scaled.narrow(&selection, chunk, workspace) { $0 }
    } else {
      condition.narrow(
        &selection, chunk.codes.assumingMemoryBound(to: Double.self), chunk.nulls, workspace)
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  override var description: String { "\(column.schema.name) \(condition.summary)" }
}

/// A condition on a float column.
final class FloatFilter: Filter, @unchecked Sendable {
  let column: Column
  let condition: RangeCondition<Float>

  init(_ column: Column, _ condition: RangeCondition<Float>) {
    self.column = column
    self.condition = condition
  }

  override var cost: Double { condition.ranges.count > 1 ? 4 : 0.4 }

  override func verdict(_ chunk: Int) -> Verdict {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return .some }
    return condition.verdict(
      minimum: Float(zone.doubleMinimum), maximum: Float(zone.doubleMaximum), hasNaN: zone.hasNaN,
      hasNulls: zone.nullCount != 0)
  }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    condition.narrow(
      &selection, chunk.codes.assumingMemoryBound(to: Float.self), chunk.nulls, workspace)
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  override var description: String { "\(column.schema.name) \(condition.summary)" }
}

extension RangeCondition where Number: BinaryFloatingPoint {
  /// Keeps the matching rows of a chunk of floating-point values.
  @inline(__always)
  func narrow(
    _ selection: inout Selection, _ values: UnsafePointer<Number>, _ nulls: UnsafePointer<UInt64>?,
    _ workspace: Workspace
  ) {
    let nulls = NullRule(words: nulls, match: nullsMatch)
    if ranges.count > 1 {
      selection.keep(nulls) { word, selected in
        selected.keepingEach { isInRange(values[word << 6 | $0]) != inverted }
      }
    } else if let range = ranges.first {
      FloatRange(low: range.low, high: range.high)
        .narrow(&selection, values, inverted: inverted, nulls, workspace)
    } else {
      let all: UInt64 = inverted ? ~0 : 0
      selection.keep(nulls) { _, _ in all }
    }
  }
}

extension RangeCondition<Double> {
  /// The same condition on integers scaled by a power of ten: dividing keeps their order.
  func scaled(_ exponent: Int) -> RangeCondition<Int64> {
    let power = Decimals.powers[exponent]
    return RangeCondition<Int64>(
      ranges.compactMap { $0.scaled(power) }, inverted: inverted, nullsMatch: nullsMatch)
  }
}

extension Bounds<Double> {
  /// The integers whose quotient by `power` is in the range; nil: none.
  func scaled(_ power: Double) -> Bounds<Int64>? {
    guard var from = Cut<Int64>((low * power).rounded()).above,
      var to = Cut<Int64>((high * power).rounded()).below
    else { return nil }
    // The product was rounded; a step or two puts it right.
    while from > .min, Double(from - 1) / power >= low { from -= 1 }
    while from < .max, Double(from) / power < low { from += 1 }
    while to < .max, Double(to + 1) / power <= high { to += 1 }
    while to > .min, Double(to) / power > high { to -= 1 }
    return from <= to ? Bounds<Int64>(low: from, high: to) : nil
  }
}

extension Zone {
  /// The least value of a double, float or date chunk.
  var doubleMinimum: Double { Double(bitPattern: UInt64(bitPattern: minimum)) }
  /// The greatest value of a double, float or date chunk.
  var doubleMaximum: Double { Double(bitPattern: UInt64(bitPattern: maximum)) }
}
