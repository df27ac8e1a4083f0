import Cairn
import Measuring

/// A class with plain fields, to hold @Persisted ones against.
final class PlainCity {
  var name = ""
  var pop = 0
}

/// What reading and writing one property costs, in nanoseconds.
enum Accessors {
  private static let rounds = 20_000_000

  @inline(never)
  private static func nanoseconds(_ count: Int, _ body: () -> Int) -> Double {
    var times: [Double] = []
    var total = 0
    for _ in 0..<3 {
      let before = now()
      total &+= body()
      times.append(now() - before)
    }
    if total == .min { print("") }
    return median(times) / Double(count) * 1e9
  }

  @inline(never)
  private static func count(_ city: PlainCity) -> Int {
    for round in 0..<rounds { city.pop = city.pop &+ (round & 1) }
    return city.pop
  }

  @inline(never)
  private static func count(_ city: City) -> Int {
    for round in 0..<rounds { city.pop = city.pop &+ (round & 1) }
    return city.pop
  }

  /// Reading one scalar of stored objects one after the other, and of one again and again.
  @inline(never)
  private static func sum(_ cities: [City], _ rounds: Int) -> Int {
    var sum = 0
    for _ in 0..<rounds { for city in cities { sum &+= city.pop } }
    return sum
  }

  static func lines(_ side: CairnSide) -> [String] {
    let plain = nanoseconds(rounds) { count(PlainCity()) }
    let unmanaged = nanoseconds(rounds) { count(City()) }
    let near = Array(side.cities.prefix(1000))
    let managed = nanoseconds(near.count * 10_000) { sum(near, 10_000) }
    let all = Array(side.cities.prefix(200_000)).shuffled()
    let scattered = nanoseconds(all.count * 5) { sum(all, 5) }
    return [
      "read and write a plain field                \(Line.figure(plain)) ns",
      "read and write an unmanaged property        \(Line.figure(unmanaged)) ns",
      "read a managed property, one chunk          \(Line.figure(managed)) ns",
      "read a managed property, 200 000 shuffled   \(Line.figure(scattered)) ns",
    ]
  }
}
