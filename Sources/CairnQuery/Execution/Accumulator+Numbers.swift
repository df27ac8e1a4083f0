import CairnStorage
import CairnValues

/// Integers: exact sums.
final class IntegerAccumulator: Accumulator, @unchecked Sendable {
  private var sum = WideInteger()
  private var minimum = Int64.max
  private var maximum = Int64.min

  override func add(_ chunk: Chunk, _ rows: Selection) {
    guard chunk.width < 8 else { return addWide(chunk, rows) }
    let codes = chunk.summariseCodes(rows)
    guard codes.count > 0 else { return }
    count += codes.count
    sum += codes.sum
    sum.add(chunk.frame, times: codes.count)
    minimum = min(minimum, chunk.frame &+ Int64(codes.minimum))
    maximum = max(maximum, chunk.frame &+ Int64(codes.maximum))
  }

  private func addWide(_ chunk: Chunk, _ rows: Selection) {
    rows.forEachRow { row -> Void in
      let number = chunk.rowInteger(row)
      count += 1
      sum += number
      minimum = min(minimum, number)
      maximum = max(maximum, number)
    }
  }

  override func merge(_ other: Accumulator) {
    super.merge(other)
    guard let other = other as? IntegerAccumulator else { return }
    sum += other.sum
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
  }

  override var summary: Summary {
    guard count > 0 else { return Summary(sum: .int(0)) }
    return Summary(
      count: count, sum: sum.value, minimum: .int(minimum), maximum: .int(maximum),
      average: .double(sum.double / Double(count)))
  }
}

/// Doubles and dates; NaN is left out of everything but the count of values that are not null.
final class DoubleAccumulator: Accumulator, @unchecked Sendable {
  private var numbers = DoubleTotals()

  override func add(_ chunk: Chunk, _ rows: Selection) {
    if case .decimals = chunk.encoding, chunk.width < 8 {
      let codes = chunk.summariseCodes(rows)
      count += codes.count
      return numbers.add(codes, chunk)
    }
    // Adding up every chunk on its own loses fewer digits than one long sum.
    var part = DoubleTotals()
    let scale = chunk.scale
    rows.forEachRow { row -> Void in part.add(chunk.rowDouble(row, scale)) }
    count += rows.count
    numbers.merge(part)
  }

  override func merge(_ other: Accumulator) {
    super.merge(other)
    if let other = other as? DoubleAccumulator { numbers.merge(other.numbers) }
  }

  override var summary: Summary {
    let isDate = column.schema.type == .date
    var summary = Summary(count: count)
    if numbers.count > 0 {
      summary.minimum = isDate ? .date(numbers.minimum) : .double(numbers.minimum)
      summary.maximum = isDate ? .date(numbers.maximum) : .double(numbers.maximum)
      if !isDate { summary.average = .double(numbers.sum / Double(numbers.count)) }
    }
    if !isDate { summary.sum = .double(numbers.sum) }
    return summary
  }
}

/// Floats, summed as doubles.
final class FloatAccumulator: Accumulator, @unchecked Sendable {
  private var numbers = DoubleTotals()

  override func add(_ chunk: Chunk, _ rows: Selection) {
    var part = DoubleTotals()
    rows.forEachRow { row -> Void in part.add(Double(chunk.rowFloat(row))) }
    count += rows.count
    numbers.merge(part)
  }

  override func merge(_ other: Accumulator) {
    super.merge(other)
    if let other = other as? FloatAccumulator { numbers.merge(other.numbers) }
  }

  override var summary: Summary {
    var summary = Summary(count: count, sum: .double(numbers.sum))
    guard numbers.count > 0 else { return summary }
    summary.minimum = .float(Float(numbers.minimum))
    summary.maximum = .float(Float(numbers.maximum))
    summary.average = .double(numbers.sum / Double(numbers.count))
    return summary
  }
}

/// Doubles added up; NaN is left out.
struct DoubleTotals {
  private(set) var count = 0
  private(set) var sum = 0.0
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity

  @inline(__always)
  mutating func add(_ number: Double) {
    guard !number.isNaN else { return }
    count += 1
    sum += number
    minimum = min(minimum, number)
    maximum = max(maximum, number)
  }

  /// Adds scaled decimals, exactly but for one division.
  mutating func add(_ codes: CodeSummary, _ chunk: Chunk) {
    guard codes.count > 0 else { return }
    let power = Decimals.powers[chunk.exponent]
    var total = codes.sum
    total.add(chunk.frame, times: codes.count)
    count += codes.count
    sum += total.double / power
    minimum = min(minimum, Double(chunk.frame &+ Int64(codes.minimum)) / power)
    maximum = max(maximum, Double(chunk.frame &+ Int64(codes.maximum)) / power)
  }

  mutating func merge(_ other: DoubleTotals) {
    count += other.count
    sum += other.sum
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
  }
}
