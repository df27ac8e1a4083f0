import CairnStorage
import CairnValues

/// Summarises integers, with exact sums.
final class IntegerAccumulator: Accumulator {
  private var sum = Int128Sum()
  private var minimum = Int64.max
  private var maximum = Int64.min

  override func add(_ chunk: Chunk, rows: Selection) {
    guard chunk.width < 8 else { return addWide(chunk, rows: rows) }
    let codes = chunk.summariseCodes(rows)
    guard codes.count > 0 else { return }
    count += codes.count
    sum += codes.sum
    sum.add(chunk.frame, times: codes.count)
    minimum = min(minimum, chunk.frame &+ Int64(codes.minimum))
    maximum = max(maximum, chunk.frame &+ Int64(codes.maximum))
  }

  private func addWide(_ chunk: Chunk, rows: Selection) {
    rows.forEachRow { row -> Void in
      let number = chunk.rowInteger(row)
      count += 1
      sum += number
      minimum = min(minimum, number)
      maximum = max(maximum, number)
    }
  }

  override func mergeFigures(_ other: Accumulator) {
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

/// Summarises doubles and dates. NaN counts as a value that is not null and is left out of
/// everything else.
final class DoubleAccumulator: Accumulator {
  private var numbers = DoubleTotals()

  override func add(_ chunk: Chunk, rows: Selection) {
    if case .decimals = chunk.encoding, chunk.width < 8 {
      let codes = chunk.summariseCodes(rows)
      count += codes.count
      return numbers.add(codes, chunk: chunk)
    }
    // Summing each chunk separately loses fewer digits than one long sum.
    var part = DoubleTotals()
    let scale = chunk.scale
    rows.forEachRow { row -> Void in part.add(chunk.rowDouble(row, scale: scale)) }
    count += rows.count
    numbers.merge(part)
  }

  override func mergeFigures(_ other: Accumulator) {
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

/// Summarises floats, summed as doubles.
final class FloatAccumulator: Accumulator {
  private var numbers = DoubleTotals()

  override func add(_ chunk: Chunk, rows: Selection) {
    var part = DoubleTotals()
    rows.forEachRow { row -> Void in part.add(Double(chunk.rowFloat(row))) }
    count += rows.count
    numbers.merge(part)
  }

  override func mergeFigures(_ other: Accumulator) {
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

/// Summarises decimals in decimal arithmetic. NaN is left out.
final class DecimalAccumulator: Accumulator {
  private var numbers = 0
  private var sum = Decimal128(Int64(0))
  private var minimum: Decimal128?
  private var maximum: Decimal128?

  override func add(_ chunk: Chunk, rows: Selection) {
    rows.forEachRow { row -> Void in
      count += 1
      let number = Decimal128(storedBytes: chunk.rowBytes(row))
      if !number.isNaN { add(number) }
    }
  }

  private func add(_ number: Decimal128) {
    numbers += 1
    sum = sum + number
    minimum = minimum.map { number < $0 ? number : $0 } ?? number
    maximum = maximum.map { $0 < number ? number : $0 } ?? number
  }

  override func mergeFigures(_ other: Accumulator) {
    guard let other = other as? DecimalAccumulator, let least = other.minimum,
      let greatest = other.maximum
    else { return }
    numbers += other.numbers
    sum = sum + other.sum
    minimum = minimum.map { least < $0 ? least : $0 } ?? least
    maximum = maximum.map { $0 < greatest ? greatest : $0 } ?? greatest
  }

  override var summary: Summary {
    var summary = Summary(count: count, sum: .decimal(sum))
    guard let minimum, let maximum else { return summary }
    summary.minimum = .decimal(minimum)
    summary.maximum = .decimal(maximum)
    summary.average = .decimal(sum / Decimal128(Int64(numbers)))
    return summary
  }
}

/// Finds the first and last text by bytes.
final class TextAccumulator: Accumulator {
  private var least: [UInt8]?
  private var greatest: [UInt8]?

  override func add(_ chunk: Chunk, rows: Selection) {
    rows.forEachRow { row -> Void in
      count += 1
      offer(chunk.rowBytes(row))
    }
  }

  private func offer(_ bytes: UnsafeRawBufferPointer) {
    if least?.withUnsafeBytes({ byteOrder($0, and: bytes) <= 0 }) != true { least = Array(bytes) }
    if greatest?.withUnsafeBytes({ byteOrder(bytes, and: $0) <= 0 }) != true {
      greatest = Array(bytes)
    }
  }

  override func mergeFigures(_ other: Accumulator) {
    guard let other = other as? TextAccumulator else { return }
    other.least?.withUnsafeBytes(offer)
    other.greatest?.withUnsafeBytes(offer)
  }

  override var summary: Summary {
    Summary(
      count: count, minimum: text(least), maximum: text(greatest))
  }

  private func text(_ bytes: [UInt8]?) -> Value {
    bytes.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
  }
}
