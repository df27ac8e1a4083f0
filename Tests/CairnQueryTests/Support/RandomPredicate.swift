import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues

/// A generator of predicates over `RandomTable`. Constants are often values of its rows.
struct RandomPredicate {
  let table: NaiveTable
  var random: SplitMix64

  private static let ordered = [
    "id", "n", "big", "pop", "f", "d", "price", "when", "kind", "text", "blob", "oid", "uid", "dec",
    "m", "e",
  ]

  mutating func node(depth: Int = 3) -> PredicateNode {
    guard depth > 0, random.chance(0.7) else { return leaf() }
    let parts = (0..<2 + random.below(2)).map { _ in node(depth: depth - 1) }
    switch random.below(3) {
    case 0: return .and(parts)
    case 1: return .or(parts)
    default: return .not(parts[0])
    }
  }

  mutating func leaf() -> PredicateNode {
    switch random.below(12) {
    case 0, 1:
      return .relation(
        PropertyPath(random.pick(["location", "home"])), .within, .shape(shape()))
    case 2: return text()
    case 3: return list()
    case 4: return pair()
    case 5:
      let name = random.pick(Self.ordered + ["flag", "location"])
      return .compare(.property(name), random.pick([.equal, .notEqual]), .value(.null), [])
    case 6:
      let name = random.pick(Self.ordered)
      return .between(.property(name), constant(name), constant(name))
    case 7:
      return .compare(
        .property("flag"), random.pick([.equal, .notEqual]), .value(.bool(random.chance(0.5))), [])
    default:
      let name = random.pick(Self.ordered)
      return .compare(
        .property(name), random.pick(ComparisonOperator.allCases), .value(constant(name)), [])
    }
  }

  private mutating func constant(_ name: String) -> Value {
    if random.chance(0.03) { return .null }
    if random.chance(0.7), !table.rows.isEmpty {
      let value = table.value(name, table.rows[random.below(table.rows.count)].values)
      if !value.isNull { return crossed(value) }
    }
    let type = table.schema.columns[table.position(name)].type
    return crossed(RandomTable.value(name, type, random.below(20_000), &random))
  }

  /// Occasionally converts a number to another numeric type; numbers compare by value.
  private mutating func crossed(_ value: Value) -> Value {
    guard random.chance(0.3) else { return value }
    switch value {
    case .int(let number):
      return random.pick([
        .double(Double(number)), .double(Double(number) + 0.5),
        .decimal(Decimal128(number) + Decimal128(Int64(1)) / Decimal128(Int64(4))),
      ])
    case .double(let number) where number.isFinite:
      return random.pick([
        .int(Int64(max(-1e18, min(1e18, number)))), .decimal(Decimal128(number)),
        .double(number.nextUp),
      ])
    default: return value
    }
  }

  private mutating func text() -> PredicateNode {
    let name = random.pick(["kind", "text", "nick"])
    let value: Value =
      random.chance(0.3) ? constant(name) : .string(String(random.text().prefix(random.below(4))))
    guard case .string(let text) = value else { return leaf() }
    let options: StringOptions = random.pick([
      [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ])
    switch random.below(6) {
    case 5: return .match(.property(name), .search, .value(.string(text)), [])
    case 0:
      return .compare(
        .property(name), random.pick([.equal, .notEqual]), .value(.string(text)), options)
    case 1:
      return .match(
        .property(name), .like,
        .value(.string(random.pick(["*", "?", "a*", "*" + text + "*", text]))),
        options)
    case 2:
      let patterns = [
        ".*", "a.*|[^a]?", "\\w+", "(" + text.filter(\.isLetter) + ")?.*", "[a-n]*.{0,3}",
      ]
      return .match(.property(name), .matches, .value(.string(random.pick(patterns))), options)
    default:
      return .match(
        .property(name), random.pick([.beginsWith, .endsWith, .contains]), .value(.string(text)),
        options)
    }
  }

  private mutating func list() -> PredicateNode {
    let name = random.pick(Self.ordered)
    let count = random.below(8)
    let options =
      ["kind", "text", "nick"].contains(name) ? random.pick(StringOptions.combinations) : []
    return .isIn(.property(name), (0..<count).map { _ in constant(name) }, options)
  }

  private mutating func pair() -> PredicateNode {
    switch random.below(4) {
    case 0:
      return .compare(
        .property("kind"), random.pick(ComparisonOperator.allCases),
        .expression(.property(random.pick(["nick", "text"]))), [])
    case 1:
      return .match(
        .property("text"), random.pick(MatchOperator.betweenProperties),
        .expression(.property("nick")), [])
    case 2:
      let operation = random.pick([ComparisonOperator.equal, .notEqual])
      return .compare(
        .property("location"), operation,
        .expression(.property(random.pick(["home", "location"]))),
        [])
    default:
      let numbers = ["id", "n", "big", "pop", "f", "d", "price", "m", "e", "dec"]
      return .compare(
        .property(random.pick(numbers)), random.pick(ComparisonOperator.allCases),
        .expression(.property(random.pick(numbers))), [])
    }
  }

  mutating func shape() -> Shape {
    while true {
      let centre = random.position()
      switch random.below(3) {
      case 0:
        if let circle = GeoCircle(
          center: (centre.latitude, centre.longitude),
          radiusInRadians: random.pick([0, 0.001, 0.02, 0.2, 1.5, 3.2]))
        {
          return .circle(circle)
        }
      case 1:
        let other = random.position()
        if let box = GeoBox(
          bottomLeft: (min(centre.latitude, other.latitude), centre.longitude),
          topRight: (max(centre.latitude, other.latitude), other.longitude))
        {
          return .box(box)
        }
      default: if let polygon = polygon(centre) { return .polygon(polygon) }
      }
    }
  }

  private mutating func polygon(_ centre: Position) -> GeoPolygon? {
    let size = random.pick([0.5, 5.0, 25.0])
    guard abs(centre.latitude) + size < 85, abs(centre.longitude) + size < 175 else { return nil }
    let corners = [(1.0, 0.0), (0.3, 0.4), (0.0, 1.0), (-0.8, 0.1), (-0.2, -0.9)]
    var ring = corners.compactMap {
      GeoPoint(latitude: centre.latitude + $0.1 * size, longitude: centre.longitude + $0.0 * size)
    }
    ring.append(ring[0])
    return GeoPolygon(outerRing: ring, edges: random.chance(0.5) ? .planar : .geodesic)
  }
}

extension MatchOperator {
  /// The operators that compare a property with another one.
  static let betweenProperties = allCases.filter { !$0.takesConstantText }
}

extension StringOptions {
  /// Every combination of the options.
  static let combinations: [StringOptions] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]
}
