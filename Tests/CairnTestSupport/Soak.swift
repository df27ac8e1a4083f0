#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Whether the long forms of the tests run, as `make soak` has them.
public enum Soak {
  /// Whether `CAIRN_SOAK` is set to 1.
  public static let isOn = getenv("CAIRN_SOAK").map { String(cString: $0) } == "1"

  /// How often something is done: so often in every run of the tests, so often in a long one.
  public static func count(_ short: Int, long: Int) -> Int { isOn ? long : short }
}
