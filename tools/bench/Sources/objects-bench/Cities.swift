import Measuring

/// The cities of the benchmark, the same for every run and on both sides.
struct Cities: Sequence, IteratorProtocol {
  struct One {
    let name: String
    let pop: Int
    let longitude: Double
    let latitude: Double
  }

  private let count: Int
  private var made = 0
  private var random = Random(seed: 42)

  init(count: Int) { self.count = count }

  mutating func next() -> One? {
    guard made < count else { return nil }
    let latitude = random.uniform(-60, 70)
    let longitude = random.uniform(-180, 180)
    let pop = Int(random.next() % 1_000_001)
    defer { made += 1 }
    return One(name: "P\(made)", pop: pop, longitude: longitude, latitude: latitude)
  }
}
