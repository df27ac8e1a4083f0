extension ISODate {
  /// The date as text: `YYYY-MM-DD` at midnight UTC, else `YYYY-MM-DDTHH:MM:SS[.fff]Z`.
  ///
  /// The fraction has as many digits as it takes to read back the same date, in threes up to nine. A date
  /// beyond the year ±999999, and one that is not finite, gives its seconds.
  package static func format(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 3.1e13 else { return "\(seconds)" }
    return String(unsafeUninitializedCapacity: 40) { buffer in
      var writer = DateWriter(buffer)
      writer.write(seconds)
      return writer.count
    }
  }
}

/// Writes a date into bytes.
private struct DateWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  mutating func write(_ seconds: Double) {
    let (whole, fraction, places) = DateWriter.split(seconds)
    let days = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
    writeDay(days)
    let time = whole - days * 86_400
    if time == 0 && places == 0 { return }
    append(UInt8(ascii: "T"))
    append(time / 3600, digits: 2)
    append(UInt8(ascii: ":"))
    append(time / 60 % 60, digits: 2)
    append(UInt8(ascii: ":"))
    append(time % 60, digits: 2)
    if places > 0 {
      append(UInt8(ascii: "."))
      append(fraction, digits: places)
    }
    append(UInt8(ascii: "Z"))
  }

  /// Whole seconds (rounded down), and the fraction as an integer of 0, 3, 6 or 9 places.
  private static func split(_ seconds: Double) -> (whole: Int, fraction: Int, places: Int) {
    let floor = seconds.rounded(.down)
    if floor == seconds { return (Int(floor), 0, 0) }
    for (places, scale) in [(3, 1e3), (6, 1e6)] {
      let scaled = (seconds * scale).rounded()
      if abs(scaled) < 0x1p53, scaled / scale == seconds {
        let (whole, rest) = Int(scaled).flooredDivision(by: Int(scale))
        return (whole, rest, places)
      }
    }
    let rest = Int(((seconds - floor) * 1e9).rounded())
    return rest == 1_000_000_000 ? (Int(floor) + 1, 0, 0) : (Int(floor), rest, 9)
  }

  private mutating func writeDay(_ days: Int) {
    let (year, month, day) = ISODate.civil(days: days)
    if 0...9999 ~= year {
      append(year, digits: 4)
    } else {
      append(UInt8(ascii: year < 0 ? "-" : "+"))
      append(abs(year), digits: 6)
    }
    append(UInt8(ascii: "-"))
    append(month, digits: 2)
    append(UInt8(ascii: "-"))
    append(day, digits: 2)
  }

  private mutating func append(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  private mutating func append(_ number: Int, digits: Int) {
    var rest = number
    for place in stride(from: count + digits - 1, through: count, by: -1) {
      buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    count += digits
  }
}

extension Int {
  fileprivate func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
