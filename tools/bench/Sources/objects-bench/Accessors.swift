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

  /// The properties of a city as a plain value.
  private struct Summary: ValueModel {
    let name: String
    let pop: Int

    @inline(__always)
    init(_ city: City) {
      name = city.name
      pop = city.pop
    }
  }

  /// The cost of reading two properties of each object, through objects and as values.
  private static func lines(reading cities: Results<City>) -> [String] {
    let count = cities.count
    let objects = nanoseconds(count) {
      cities.reduce(0) { $0 &+ $1.pop &+ $1.name.utf8.count }
    }
    let array = nanoseconds(count) {
      cities.map { (name: $0.name, pop: $0.pop) }.reduce(0) { $0 &+ $1.pop }
    }
    let kept = nanoseconds(count) {
      let kept = Array(cities)
      return kept.reduce(0) { $0 &+ $1.pop &+ $1.name.utf8.count }
    }
    let values = nanoseconds(count) {
      cities.values(of: Summary.self).reduce(0) { $0 &+ $1.pop &+ $1.name.utf8.count }
    }
    return [
      "read two properties of passing objects      \(Line.figure(objects)) ns",
      "read them into an array of tuples           \(Line.figure(array)) ns",
      "read two properties of an array of objects  \(Line.figure(kept)) ns",
      "read them as values                         \(Line.figure(values)) ns,"
        + " \(Line.figure(kept / values)) times as fast as an array of objects",
    ]
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
    ] + lines(reading: side.cities)
  }
}
