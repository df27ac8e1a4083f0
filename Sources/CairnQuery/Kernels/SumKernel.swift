import CairnStorage

/// What one chunk's selected codes come to.
struct CodeSummary {
  var count = 0
  var sum = WideInteger()
  var minimum = UInt64.max
  var maximum = UInt64.min
}

extension Chunk {
  /// Adds up the codes of the selected rows, none of which is null, and finds the least and greatest.
  /// Chunks of 8-byte codes count them as signed: their frame is added by the caller.
  func summariseCodes(_ rows: Selection) -> CodeSummary {
    switch width {
    case 0: CodeSummary(count: rows.count, minimum: 0, maximum: 0)
    case 1: summarise(codes.assumingMemoryBound(to: UInt8.self), rows)
    case 2: summarise(codes.assumingMemoryBound(to: UInt16.self), rows)
    default: summarise(codes.assumingMemoryBound(to: UInt32.self), rows)
    }
  }

  @inline(__always)
  private func summarise<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafePointer<Code>, _ rows: Selection
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

/// Codes of up to 32 bits added up, 4096 of them at most: they cannot overflow 64 bits.
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

  /// One loop for each result: together they would not vectorise.
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
    var wide = WideInteger()
    wide += sum
    return CodeSummary(
      count: count, sum: wide, minimum: UInt64(least), maximum: UInt64(greatest))
  }
}
