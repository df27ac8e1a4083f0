import Foundation

/// The switch for the long forms of the tests, which `make soak` runs.
public enum Soak {
  /// Whether `CAIRN_SOAK` is set to 1.
  public static let isOn = getenv("CAIRN_SOAK").map { String(cString: $0) } == "1"

  /// Returns the number of repetitions: `short` in a normal run, `long` in a soak run.
  public static func count(_ short: Int, long: Int) -> Int { isOn ? long : short }

  /// Returns the number of rounds of a random test: ten times as many in a soak run.
  public static func rounds(_ count: Int) -> Int { self.count(count, long: 10 * count) }
}
