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

  private static func matches(
    _ text: UnsafePointer<UInt8>, _ lower: StaticString, _ title: StaticString,
    _ upper: StaticString, _ count: Int
  ) -> Bool {
    memcmp(text, lower.utf8Start, count) == 0 || memcmp(text, title.utf8Start, count) == 0
      || memcmp(text, upper.utf8Start, count) == 0
  }
}
