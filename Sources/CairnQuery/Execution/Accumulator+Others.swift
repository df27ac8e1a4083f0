import CairnStorage
import CairnValues

/// Decimals, in decimal arithmetic; NaN is left out.
final class DecimalAccumulator: Accumulator, @unchecked Sendable {
  private var numbers = 0
  private var sum = Decimal128(Int64(0))
  private var minimum: Decimal128?
  private var maximum: Decimal128?

  override func add(_ chunk: Chunk, _ rows: Selection) {
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

  override func merge(_ other: Accumulator) {
    super.merge(other)
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

/// The first and last text, by bytes.
final class TextAccumulator: Accumulator, @unchecked Sendable {
  private var least: [UInt8]?
  private var greatest: [UInt8]?

  override func add(_ chunk: Chunk, _ rows: Selection) {
    rows.forEachRow { row -> Void in
      count += 1
      offer(chunk.rowBytes(row))
    }
  }

  private func offer(_ bytes: UnsafeRawBufferPointer) {
    if least?.withUnsafeBytes({ byteOrder($0, bytes) <= 0 }) != true { least = Array(bytes) }
    if greatest?.withUnsafeBytes({ byteOrder(bytes, $0) <= 0 }) != true { greatest = Array(bytes) }
  }

  override func merge(_ other: Accumulator) {
    super.merge(other)
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
