import CairnTestSupport

/// A seeded generator of random operations. It uses few names, numbers and locations, so that they
/// coincide.
struct FleetGenerator {
  private var random: SplitMix64
  private var nextTag = 1

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
  private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  private mutating func some<T>(
    _ range: ClosedRange<Int>, _ make: (inout FleetGenerator) -> T
  ) -> [T] {
    (0..<number(range)).map { _ in make(&self) }
  }

  private mutating func perhaps<T>(
    _ percent: Int, _ make: (inout FleetGenerator) -> T
  ) -> T? { chance(percent) ? make(&self) : nil }

  // MARK: Values

  mutating func name() -> String {
    ["Asta", "Berta", "Çiğdem", "dora", "Emil 🚢", ""][number(0...5)]
  }

  mutating func place() -> FleetState.Place {
    FleetState.Place(latitude: Double(number(-4...4)), longitude: Double(number(-4...4)) + 0.5)
  }

  private mutating func key() -> String { ["a", "b", "ä", "zz"][number(0...3)] }

  mutating func sailor() -> SailorDraft {
    if chance(60) { return .existing(number(0...99)) }
    nextTag += 1
    return .new(
      tag: nextTag, name: perhaps(60) { $0.name() }, friend: perhaps(25) { $0.sailor() })
  }

  private mutating func cabin() -> CabinDraft {
    CabinDraft(beds: perhaps(70) { $0.number(0...3) }, guests: perhaps(50) { $0.crew() })
  }

  private mutating func berth() -> BerthDraft {
    let place = place()
    return BerthDraft(
      type: perhaps(30) { $0.chance(70) ? "Point" : "LineString" },
      coordinates: perhaps(80) { $0.chance(90) ? [place.longitude, place.latitude] : [1] },
      note: perhaps(30) { $0.name() })
  }

  private mutating func crew() -> [SailorDraft] { some(0...3) { $0.sailor() } }

  private mutating func extra(depth: Int = 0) -> ExtraDraft {
    switch number(0...(depth < 2 ? 6 : 4)) {
    case 0: .none
    case 1: .int(number(0...3))
    case 2: .text(name())
    case 3: .flag(chance(50))
    case 4: .sailor(number(0...99))
    case 5: .list(some(0...3) { $0.extra(depth: depth + 1) })
    default: .map(entries { $0.extra(depth: depth + 1) })
    }
  }

  private mutating func entries<T>(_ make: (inout FleetGenerator) -> T) -> [String: T] {
    Dictionary(some(0...3) { ($0.key(), make(&$0)) }) { first, _ in first }
  }

  mutating func ship() -> ShipDraft {
    var draft = ShipDraft()
    draft.name = perhaps(50) { $0.name() }
    draft.tons = perhaps(40) { generator in generator.perhaps(80) { $0.number(0...5) } }
    draft.position = perhaps(50) { generator in generator.perhaps(80) { $0.place() } }
    draft.berth = perhaps(35) { generator in generator.perhaps(80) { $0.berth() } }
    draft.captain = perhaps(35) { generator in generator.perhaps(80) { $0.sailor() } }
    draft.crew = perhaps(30) { $0.crew() }
    draft.watch = perhaps(20) { $0.crew() }
    draft.mates = perhaps(20) { generator in
      generator.entries { mates in mates.perhaps(80) { $0.sailor() } }
    }
    draft.log = perhaps(25) { generator in generator.some(0...3) { $0.name() } }
    draft.flags = perhaps(20) { generator in generator.some(0...4) { $0.number(0...6) } }
    draft.cargo = perhaps(20) { generator in generator.entries { $0.number(0...3) } }
    draft.cabins = perhaps(25) { generator in generator.some(0...3) { $0.cabin() } }
    draft.extra = perhaps(30) { $0.extra() }
    return draft
  }
}

extension FleetGenerator {
  // MARK: Operations

  mutating func operation() -> FleetOperation {
    let ship = number(0...99)
    switch number(0...99) {
    case 0...9: return .add(ship: number(0...14), self.ship(), all: chance(30))
    case 10...21: return .create(ship: number(0...14), self.ship(), all: chance(30))
    case 22...25: return .enlist(sailor())
    case 26...33: return .set(ship: ship, self.ship())
    case 34...38: return .setAll(tons: number(0...5), bulk())
    case 39...43: return .move(ship: ship, perhaps(90) { $0.place() })
    case 44...47:
      let place = place()
      return .sail(berth: ship, [place.longitude, place.latitude])
    case 48...50: return .befriend(sailor: ship, perhaps(70) { $0.sailor() })
    case 51...52: return .rename(sailor: ship, name())
    case 53...58: return .crew(ship: ship, sequence { $0.sailor() })
    case 59...62: return .log(ship: ship, sequence { $0.name() })
    case 63...66: return .cabins(ship: ship, sequence { $0.cabin() })
    case 67...69: return .guests(ship: ship, cabin: number(0...9), sequence { $0.sailor() })
    case 70...72: return .watch(ship: ship, set { $0.sailor() })
    case 73...75: return .flags(ship: ship, set { $0.number(0...6) })
    case 76...78: return .mates(ship: ship, map { mates in mates.perhaps(80) { $0.sailor() } })
    case 79...81: return .cargo(ship: ship, map { $0.number(0...3) })
    case 82...84: return .extra(ship: ship, key: key(), extra())
    case 85...86: return .sink(ship: ship)
    case 87: return .sinkAll(name: name())
    case 88...89: return .dismiss(sailor: ship)
    case 90: return .dismissCrew(ship: ship)
    case 91: return chance(10) ? .deleteAll : .check
    case 92...98: return .ask(question())
    default: return .check
    }
  }

  private mutating func bulk() -> BulkDraft {
    switch number(0...5) {
    case 0: .name(name())
    case 1: .tons(perhaps(80) { $0.number(0...5) })
    case 2: .position(perhaps(80) { $0.place() })
    case 3: .captain(perhaps(80) { .existing($0.number(0...99)) })
    case 4: .flags(some(0...3) { $0.number(0...6) })
    default: .berths(perhaps(80) { $0.name() })
    }
  }

  private mutating func sequence<T>(
    _ make: (inout FleetGenerator) -> T
  ) -> SequenceChange<T> {
    switch number(0...10) {
    case 0...2: .append(some(1...3, make))
    case 3: .insert(make(&self), at: number(0...99))
    case 4: .replace(at: number(0...99), make(&self))
    case 5: .remove(at: number(0...99))
    case 6: .removeRange(number(0...99), number(0...99))
    case 7: .move(number(0...99), number(0...99))
    case 8: .swap(number(0...99), number(0...99))
    case 9: .assign(some(0...3, make))
    default: .removeAll
    }
  }

  private mutating func set<T>(_ make: (inout FleetGenerator) -> T) -> SetChange<T> {
    switch number(0...8) {
    case 0...3: .insert(some(1...3, make))
    case 4: .remove(make(&self))
    case 5: .formUnion(some(0...3, make))
    case 6: .subtract(some(0...3, make))
    case 7: .formIntersection(some(0...3, make))
    default: .removeAll
    }
  }

  private mutating func map<T>(_ make: (inout FleetGenerator) -> T) -> MapChange<T> {
    switch number(0...6) {
    case 0...2: .set(key(), make(&self))
    case 3...4: .remove(key())
    case 5: .merge(entries(make))
    default: .removeAll
    }
  }

  private mutating func question() -> FleetQuery {
    switch number(0...10) {
    case 0: .inCircle(place(), kilometers: Double(number(0...500)))
    case 1: .inBox(place(), place())
    case 2: .berthInCircle(place(), kilometers: Double(number(0...500)))
    case 3: .named(name())
    case 4: .heavier(number(0...5))
    case 5: .withCrewNamed(name())
    case 6: .withCrewOf(number(0...4))
    case 7: .withCaptainNamed(name())
    case 8: .withCargo(key())
    case 9: .withExtra(number(0...3))
    default: .watchedBy(number(0...99))
    }
  }
}
