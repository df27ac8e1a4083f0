import Cairn
import Measuring

/// A class with plain fields, to compare with `@Persisted` properties.
final class PlainCity {
  var name = ""
  var pop = 0
}

/// The cost of reading and writing one property, in nanoseconds.
enum Accessors {
  private static let rounds = 10_000

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

  // Separate functions, so that the optimiser cannot keep a plain field in a register over the
  // whole loop;
  // one object after another, so that reference counting does not dominate.
  @inline(never)
  private static func raise(_ city: PlainCity, by number: Int) { city.pop = city.pop &+ number }

  @inline(never)
  private static func raise(_ city: City, by number: Int) { city.pop = city.pop &+ number }

  @inline(never)
  private static func raise(_ cities: [PlainCity], _ rounds: Int) -> Int {
    for city in cities { for round in 0..<rounds { raise(city, by: round & 1) } }
    return cities[0].pop
  }

  @inline(never)
  private static func raise(_ cities: [City], _ rounds: Int) -> Int {
    for city in cities { for round in 0..<rounds { raise(city, by: round & 1) } }
    return cities[0].pop
  }

  /// The cost of reading one scalar, of many stored objects in turn and of one repeatedly.
  @inline(never)
  private static func sum(_ cities: [City], _ rounds: Int) -> Int {
    var sum = 0
    for _ in 0..<rounds { for city in cities { sum &+= city.pop } }
    return sum
  }

  static func lines(_ side: CairnSide) -> [String] {
    let fields = (0..<1000).map { _ in PlainCity() }
    let plain = nanoseconds(fields.count * rounds) { raise(fields, rounds) }
    let loose = (0..<1000).map { _ in City() }
    let unmanaged = nanoseconds(loose.count * rounds) { raise(loose, rounds) }
    let near = Array(side.cities.prefix(1000))
    let managed = nanoseconds(near.count * rounds) { sum(near, rounds) }
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
