internal import CairnIO
import CairnSystem

/// Conversions of stored numbers to those of a layer.
package enum NumberConversion {
  /// The seconds from 1970 to 2001, where dates begin.
  private static let epoch: Int64 = 978_307_200

  /// Converts integers of 64 bits in place, as far as they are not kept as they are.
  static func convert(
    _ bits: UnsafeMutablePointer<UInt64>, _ count: Int, _ kind: ValueKind
  ) throws(ParquetError) {
    switch kind {
    case .int(isSigned: false):
      for index in 0..<count where bits[index] > UInt64(Int64.max) {
        throw ParquetError("the number \(bits[index]) is too large for an int")
      }
    case .days:
      for index in 0..<count {
        let days = Int64(bitPattern: bits[index])
        bits[index] = Double(days * 86400 - epoch).bitPattern
      }
    case .timestamp(let unit, _):
      let perSecond = unit.perSecond
      for index in 0..<count {
        let ticks = Int64(bitPattern: bits[index])
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: perSecond)
        bits[index] = (Double(seconds - epoch) + Double(rest) / Double(perSecond)).bitPattern
      }
    case .decimalInteger(_, let scale) where kind.columnType == .double:
      let power = power(scale)
      for index in 0..<count {
        bits[index] = (Double(Int64(bitPattern: bits[index])) / power).bitPattern
      }
    default: break
    }
  }

  /// Converts nanoseconds of a day (8 bytes) and Julian days (4 bytes).
  static func convertOldTimestamps(
    _ base: UnsafeRawPointer, _ count: Int, into bits: UnsafeMutablePointer<UInt64>
  ) {
    // The Julian day of 1970-01-01.
    let firstDay: Int64 = 2_440_588
    for index in 0..<count {
      let nanoseconds = base.loadUnaligned(fromByteOffset: index * 12, as: Int64.self)
      let day = Int64(base.loadUnaligned(fromByteOffset: index * 12 + 8, as: Int32.self))
      let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      let whole = (day - firstDay) * 86400 + seconds - epoch
      bits[index] = (Double(whole) + Double(rest) / 1_000_000_000).bitPattern
    }
  }

  /// The number in bytes: one of 16 bits, or a decimal of up to 15 digits.
  static func double(
    _ bytes: UnsafeRawBufferPointer, _ kind: ValueKind
  ) throws(ParquetError) -> Double {
    guard case .decimalBytes(_, let scale) = kind else {
      guard bytes.count == 2 else { throw .truncated }
      return half(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
    }
    return Double(try integer(bytes)) / power(scale)
  }

  /// Reads a signed integer, whose most significant byte comes first.
  private static func integer(_ bytes: UnsafeRawBufferPointer) throws(ParquetError) -> Int64 {
    let fill: UInt8 = bytes.first.map { $0 & 0x80 != 0 ? 0xFF : 0 } ?? 0
    let digits = bytes.drop { $0 == fill }
    guard digits.count < 8 else {
      throw ParquetError("a decimal has more digits than its column")
    }
    let start: Int64 = fill == 0 ? 0 : -1
    return digits.reduce(start) { $0 << 8 | Int64($1) }
  }

  private static func power(_ scale: Int) -> Double {
    var power = 1.0
    for _ in 0..<max(0, min(scale, 22)) { power *= 10 }
    return power
  }

  /// The number with 16 bits.
  ///
  /// Source: IEEE 754-2019, binary16.
  package static func half(_ bits: UInt16) -> Double {
    let sign: Double = bits & 0x8000 == 0 ? 1 : -1
    let (exponent, fraction) = (Int(bits >> 10 & 0x1F), Double(bits & 0x3FF))
    switch exponent {
    case 0: return sign * fraction * 0x1p-24
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default:
      return sign * (1024 + fraction) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
    }
  }
}
