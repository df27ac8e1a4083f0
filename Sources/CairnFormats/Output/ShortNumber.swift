#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Numbers for people: `93.063` where the double is 93.06299999999999.
package enum ShortNumber {
  private static let digits = 15

  /// The shortest text that equals the number in its first 15 digits.
  ///
  /// Every decimal of at most 15 digits has this as its own text, so what is lost is only the error of arithmetic.
  /// Numbers from 10^15 on have no digits to spare, and stay exact.
  package static func text(_ number: Double) -> String {
    let exact = number.description
    guard exact.utf8.count > digits, abs(number) < 1e15 else { return exact }
    return Double(rounded(number))?.description ?? exact
  }

  /// The number in C's notation, with 15 significant digits.
  private static func rounded(_ number: Double) -> String {
    var buffer = [CChar](repeating: 0, count: 40)
    let length = withVaList([number]) { vsnprintf(&buffer, buffer.count, "%.\(digits)g", $0) }
    return String(decoding: buffer.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
