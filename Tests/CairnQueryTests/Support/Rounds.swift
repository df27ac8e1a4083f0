#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How long random tests go on.
enum Rounds {
  /// So many rounds, times `CAIRN_TEST_ROUNDS` where that is set: for a night.
  static func of(_ count: Int) -> Int {
    guard let text = getenv("CAIRN_TEST_ROUNDS"), let factor = Int(String(cString: text)) else {
      return count
    }
    return count * factor
  }
}
