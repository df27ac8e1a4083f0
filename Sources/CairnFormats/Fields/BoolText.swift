#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `true` and `false`, in lower, title or upper case.
enum BoolText {
  @inline(__always)
  static func parse(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool? {
    if count == 4 {
      return matches(text, "true", "True", "TRUE", 4) ? true : nil
    }
    return count == 5 && matches(text, "false", "False", "FALSE", 5) ? false : nil
  }

  /// The words that databases and people use besides: `t`, `yes`, `y`, `on`, `1` and their opposites, in any case.
  static func parseWord(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool? {
    guard 1...5 ~= count else { return nil }
    let word = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    return words[word.lowercased()]
  }

  private static let words = [
    "true": true, "t": true, "yes": true, "y": true, "on": true, "1": true, "false": false,
    "f": false, "no": false, "n": false, "off": false, "0": false,
  ]

  private static func matches(
    _ text: UnsafePointer<UInt8>, _ lower: StaticString, _ title: StaticString,
    _ upper: StaticString, _ count: Int
  ) -> Bool {
    memcmp(text, lower.utf8Start, count) == 0 || memcmp(text, title.utf8Start, count) == 0
      || memcmp(text, upper.utf8Start, count) == 0
  }
}
