import CairnStorage

/// A condition on a bool or integer column.
final class IntegerFilter: Filter {
  let column: Column
  let condition: RangeCondition<Int64>

  init(_ column: Column, condition: RangeCondition<Int64>) {
    self.column = column
    self.condition = condition
  }

  override var cost: Double { condition.ranges.count > 1 ? 3 : 0.3 }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return .some }
    return condition.zoneMapResult(
      minimum: zone.minimum, maximum: zone.maximum, hasNaN: false, hasNulls: zone.nullCount != 0)
  }

  override var indexRequest: IndexRequest? { integerRequest }
  override var elementTest: ElementTest? { .integers(condition) }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    condition.refine(&selection, chunk: chunk, scratch: scratch) { $0 }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  override var description: String { "\(column.schema.name) \(condition.summary)" }
}

extension RangeCondition<Int64> {
  /// Keeps the matching rows of a chunk of integer codes.
  ///
  /// - Parameter value: Converts an integer of the chunk to the condition's units.
  @inline(__always)
  func refine(
    _ selection: inout Selection, chunk: Chunk, scratch: ScratchBuffers,
    value: (Int64) -> Int64
  ) {
    let nulls = NullRule(words: chunk.nulls, match: nullsMatch)
    guard ranges.count > 1 else {
      if let codes = ranges.first?.codes(chunk) {
        codes.refine(&selection, chunk: chunk, inverted: inverted, nulls: nulls, scratch: scratch)
      } else {
        let all: UInt64 = inverted ? ~0 : 0
        selection.keep(nulls) { _, _ in all }
      }
      return
    }
    selection.keep(nulls) { word, selected in
      selected.keepingEach {
        isInRange(value(chunk.int(at: word << 6 | $0))) != inverted
      }
    }
  }
}

extension RangeCondition {
  /// A description of the condition, for `explain`.
  var summary: String {
    let parts = ranges.map { range in
      range.low == range.high
        ? "\(range.low)"
        : range.low == Number.least
          ? "...\(range.high)"
          : range.high == Number.greatest
            ? "\(range.low)..." : "\(range.low)...\(range.high)"
    }
    let values = parts.isEmpty ? "nothing" : parts.joined(separator: " | ")
    return (inverted ? "not in " : "in ") + values + (nullsMatch ? " or null" : "")
  }
}

/// A condition on a double or date column.
final class DoubleFilter: Filter {
  let column: Column
  let condition: RangeCondition<Double>

  init(_ column: Column, condition: RangeCondition<Double>) {
    self.column = column
    self.condition = condition
  }

  override var cost: Double { condition.ranges.count > 1 ? 4 : 0.5 }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return .some }
    return condition.zoneMapResult(
      minimum: zone.doubleMinimum, maximum: zone.doubleMaximum, hasNaN: zone.hasNaN,
      hasNulls: zone.nullCount != 0)
  }

  override var indexRequest: IndexRequest? { doubleRequest }
  override var elementTest: ElementTest? { .doubles(condition) }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    assert(selection.isWithin(chunk), "a row is outside of the chunk")
    if case .decimals = chunk.encoding {
      let scaled = condition.scaled(chunk.exponent)
      scaled.refine(&selection, chunk: chunk, scratch: scratch) { $0 }
    } else {
      condition.refine(
        &selection, values: chunk.codes.assumingMemoryBound(to: Double.self), nulls: chunk.nulls,
        scratch: scratch)
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  override var description: String { "\(column.schema.name) \(condition.summary)" }
}

/// A condition on a float column.
final class FloatFilter: Filter {
  let column: Column
  let condition: RangeCondition<Float>

  init(_ column: Column, condition: RangeCondition<Float>) {
    self.column = column
    self.condition = condition
  }

  override var elementTest: ElementTest? { .floats(condition) }
  override var cost: Double { condition.ranges.count > 1 ? 4 : 0.4 }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return .some }
    return condition.zoneMapResult(
      minimum: Float(zone.doubleMinimum), maximum: Float(zone.doubleMaximum), hasNaN: zone.hasNaN,
      hasNulls: zone.nullCount != 0)
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    assert(selection.isWithin(chunk), "a row is outside of the chunk")
    condition.refine(
      &selection, values: chunk.codes.assumingMemoryBound(to: Float.self), nulls: chunk.nulls,
      scratch: scratch)
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  override var description: String { "\(column.schema.name) \(condition.summary)" }
}

extension RangeCondition where Number: BinaryFloatingPoint {
  /// Keeps the matching rows of a chunk of floating-point values.
  @inline(__always)
  func refine(
    _ selection: inout Selection, values: UnsafePointer<Number>, nulls: UnsafePointer<UInt64>?,
    scratch: ScratchBuffers
  ) {
    let nulls = NullRule(words: nulls, match: nullsMatch)
    if ranges.count > 1 {
      selection.keep(nulls) { word, selected in
        selected.keepingEach { isInRange(values[word << 6 | $0]) != inverted }
      }
    } else if let range = ranges.first {
      FloatRange(low: range.low, high: range.high)
        .refine(&selection, values: values, inverted: inverted, nulls: nulls, scratch: scratch)
    } else {
      let all: UInt64 = inverted ? ~0 : 0
      selection.keep(nulls) { _, _ in all }
    }
  }
}

extension RangeCondition<Double> {
  /// The same condition on integers scaled by a power of ten. Division preserves their order.
  func scaled(_ exponent: Int) -> RangeCondition<Int64> {
    let power = Decimals.powers[exponent]
    return RangeCondition<Int64>(
      ranges.compactMap { $0.scaled(power) }, inverted: inverted, nullsMatch: nullsMatch)
  }
}

extension Bounds<Double> {
  /// The integers whose quotient by `power` is in the range; nil for an empty range.
  func scaled(_ power: Double) -> Bounds<Int64>? {
    guard var from = ConstantBounds<Int64>((low * power).rounded()).above,
      var to = ConstantBounds<Int64>((high * power).rounded()).below
    else { return nil }
    // The product was rounded; a step or two corrects it.
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
