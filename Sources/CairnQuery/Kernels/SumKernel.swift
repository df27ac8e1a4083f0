import CairnStorage
import CairnValues

/// The summary of one chunk's selected codes.
struct CodeSummary {
  var count = 0
  var sum = Int128Sum()
  var minimum = UInt64.max
  var maximum = UInt64.min
}

extension Chunk {
  /// Sums the codes of the selected rows, which must not be null, and finds the least and greatest.
  /// The codes must be narrower than 8 bytes. The caller adds the frame.
  func summariseCodes(_ rows: Selection) -> CodeSummary {
    assert(rows.isWithin(self), "a row is outside of the chunk")
    return switch width {
    case 0: CodeSummary(count: rows.count, minimum: 0, maximum: 0)
    case 1: summarise(codes.assumingMemoryBound(to: UInt8.self), rows: rows)
    case 2: summarise(codes.assumingMemoryBound(to: UInt16.self), rows: rows)
    default: summarise(codes.assumingMemoryBound(to: UInt32.self), rows: rows)
    }
  }

  @inline(__always)
  private func summarise<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafePointer<Code>, rows: Selection
  ) -> CodeSummary {
    var totals = CodeTotals<Code>()
    var word = rows.lower
    while word < rows.upper {
      let values = codes + word << 6
      var full = word
      while full < rows.upper, rows.words[full] == ~0 { full += 1 }
      if full > word {
        totals.add(values, count: (full - word) << 6)
        word = full
        continue
      }
      var bits = rows.words[word]
      word += 1
      while bits != 0 {
        totals.add(values[bits.trailingZeroBitCount])
        bits &= bits &- 1
      }
    }
    return totals.summary
  }
}

/// The totals of up to 4096 codes of up to 32 bits, which cannot overflow 64 bits.
private struct CodeTotals<Code: FixedWidthInteger & UnsignedInteger> {
  private var count = 0
  private var sum: UInt64 = 0
  private var least = Code.max
  private var greatest = Code.min

  @inline(__always)
  mutating func add(_ code: Code) {
    count += 1
    sum &+= UInt64(code)
    least = min(least, code)
    greatest = max(greatest, code)
  }

  /// Each result has its own loop, because a joint loop would not vectorise.
  @inline(__always)
  mutating func add(_ codes: UnsafePointer<Code>, count rows: Int) {
    var total: UInt64 = 0
    for row in 0..<rows { total &+= UInt64(codes[row]) }
    var low = Code.max
    for row in 0..<rows { low = min(low, codes[row]) }
    var high = Code.min
    for row in 0..<rows { high = max(high, codes[row]) }
    count += rows
    sum &+= total
    least = min(least, low)
    greatest = max(greatest, high)
  }

  var summary: CodeSummary {
    var wide = Int128Sum()
    wide += sum
    return CodeSummary(
      count: count, sum: wide, minimum: UInt64(least), maximum: UInt64(greatest))
  }
}

/// A sum of 64-bit integers that cannot overflow: 128 bits, two's complement.
struct Int128Sum: Equatable, Sendable {
  private(set) var high: Int64 = 0
  private(set) var low: UInt64 = 0

  @inline(__always)
  static func += (sum: inout Int128Sum, number: Int64) {
    let (low, carry) = sum.low.addingReportingOverflow(UInt64(bitPattern: number))
    sum.low = low
    sum.high &+= (number >> 63) &+ (carry ? 1 : 0)
  }

  @inline(__always)
  static func += (sum: inout Int128Sum, number: UInt64) {
    let (low, carry) = sum.low.addingReportingOverflow(number)
    sum.low = low
    sum.high &+= carry ? 1 : 0
  }

  static func += (sum: inout Int128Sum, other: Int128Sum) {
    let (low, carry) = sum.low.addingReportingOverflow(other.low)
    sum.low = low
    sum.high &+= other.high &+ (carry ? 1 : 0)
  }

  /// Adds `number` `times` times.
  mutating func add(_ number: Int64, times: Int) {
    let (high, low) = number.multipliedFullWidth(by: Int64(times))
    var product = Int128Sum()
    product.high = high
    product.low = low
    self += product
  }

  /// The sum, if it fits in 64 bits.
  var exact: Int64? {
    let number = Int64(bitPattern: low)
    return high == number >> 63 ? number : nil
  }

  /// The nearest double.
  var double: Double {
    if let exact { return Double(exact) }
    return Double(high) * 0x1p64 + Double(low)
  }

  /// The sum as a value: an integer, or a decimal if it does not fit in 64 bits.
  var value: Value {
    if let exact { return .int(exact) }
    return .decimal(decimal)
  }

  private var decimal: Decimal128 {
    let half = Decimal128(Int64(1) << 32)
    let lowest = Decimal128(Int64(low >> 32)) * half + Decimal128(Int64(low & 0xFFFF_FFFF))
    return Decimal128(high) * half * half + lowest
  }
}

/// Totals of doubles. NaN is left out.
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

  /// Adds scaled decimals. Only the final division rounds.
  mutating func add(_ codes: CodeSummary, chunk: Chunk) {
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
