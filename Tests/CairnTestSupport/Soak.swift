import Foundation

/// The switch for the long forms of the tests, which `make soak` runs.
public enum Soak {
  /// Whether `CAIRN_SOAK` is set to 1.
  public static let isOn = getenv("CAIRN_SOAK").map { String(cString: $0) } == "1"

  /// Returns the number of repetitions: `short` in a normal run, `long` in a soak run.
  public static func count(_ short: Int, long: Int) -> Int { isOn ? long : short }

  /// Returns the seed of a random test: `usual` in a normal run, and in a soak run one that differs every
  /// time and is printed.
  public static func seed(_ usual: UInt64, of test: String = #function) -> UInt64 {
    guard isOn else { return usual }
    let seed = UInt64.random(in: 0...UInt64.max)
    print("\(test) has the seed \(seed).")
    return seed
  }

  /// Returns the number of rounds of a random test: ten times as many in a soak run.
  public static func rounds(_ count: Int) -> Int { self.count(count, long: 10 * count) }
}
