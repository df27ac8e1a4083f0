import CairnGeometry
import CairnQuery
import CairnSQL
import CairnTestSupport
import CairnValues

/// A generator of conditions on `SQLWorld`, whose constants are often values of its rows.
struct RandomConditions {
  let world: SQLWorld
  var random: SplitMix64

  private static let ordered = [
    "id", "n", "big", "f", "d", "e", "born", "local", "day", "seconds", "kind", "text", "blob",
    "uid", "oid", "dec",
  ]

  mutating func node(depth: Int = 2) -> PredicateNode {
    guard depth > 0, random.chance(0.6) else { return leaf() }
    let parts = (0..<2 + random.below(2)).map { _ in node(depth: depth - 1) }
    return switch random.below(3) {
    case 0: .and(parts)
    case 1: .or(parts)
    default: .not(parts[0])
    }
  }

  private mutating func leaf() -> PredicateNode {
    switch random.below(12) {
    case 0, 1, 2: return spatial()
    case 3, 4: return text()
    case 5:
      let name = random.pick(Self.ordered)
      return .isIn(.property(name), (0..<random.below(5)).map { _ in constant(name) }, [])
    case 6: return pair()
    case 7:
      let name = random.pick(SQLWorld.columns.map(\.name))
      return .compare(.property(name), random.pick([.equal, .notEqual]), .value(.null), [])
    case 8:
      let name = random.pick(Self.ordered)
      return .between(.property(name), constant(name), constant(name))
    case 9:
      let name = random.pick(SQLWorld.locations + ["flag"])
      return .compare(
        .property(name), random.pick([.equal, .notEqual]), .value(constant(name)), [])
    default:
      let name = random.pick(Self.ordered)
      return .compare(
        .property(name), random.pick(ComparisonOperator.allCases), .value(constant(name)), [])
    }
  }

  private mutating func constant(_ name: String) -> Value {
    if random.chance(0.05) { return .null }
    let index = SQLWorld.columns.firstIndex { $0.name == name } ?? 0
    let stored = world.rows[random.below(world.rows.count)][index]
    return crossed(
      stored.isNull || random.chance(0.3) ? SQLWorld.value(name, random: &random) : stored)
  }

  /// Sometimes another number close by, or of another type.
  private mutating func crossed(_ value: Value) -> Value {
    guard random.chance(0.3) else { return value }
    switch value {
    case .int(let number):
      return random.pick([
        .double(Double(number)), .double(Double(number) + 0.5), .decimal(Decimal128(number)),
        .double(1e30), .double(-.infinity),
      ])
    case .double(let number) where number.isFinite:
      return random.pick([
        .int(Int64(max(-9e18, min(9e18, number)))), .double(number.nextUp), .int(1 << 53 + 1),
        .int(.max), .decimal(Decimal128(number)),
      ])
    case .date(let seconds): return .date(random.pick([seconds.nextUp, seconds.nextDown, 1e20]))
    default: return value
    }
  }

  private mutating func text() -> PredicateNode {
    let name = random.pick(["kind", "text"])
    let word = random.chance(0.3) ? constant(name) : .string(random.word())
    guard case .string(let text) = word else { return leaf() }
    let options: StringOptions = random.chance(0.1) ? .caseInsensitive : []
    switch random.below(6) {
    case 0:
      return .match(
        .property(name), .like,
        .value(.string(random.pick(["*", "?", "*" + text + "*", text + "?"]))),
        options)
    case 1: return .match(.property(name), .matches, .value(.string(".*a.*")), options)
    case 2:
      return .compare(
        .count(PropertyPath(random.pick([name, "blob"])), where: nil),
        random.pick(ComparisonOperator.allCases), .value(.int(Int64(random.below(6)))), [])
    default:
      return .match(
        .property(name), random.pick([.beginsWith, .endsWith, .contains]), .value(.string(text)),
        options)
    }
  }

  private mutating func pair() -> PredicateNode {
    let (left, right) = random.pick([
      ("kind", "text"), ("d", "e"), ("e", "f"), ("big", "n"), ("big", "d"), ("n", "dec"),
      ("born", "local"), ("seconds", "seconds"),
    ])
    return .compare(
      .property(left), random.pick(ComparisonOperator.allCases), .expression(.property(right)), [])
  }

  private mutating func spatial() -> PredicateNode {
    let path = PropertyPath(random.pick(SQLWorld.locations + ["area"]))
    let shape = shape()
    if random.chance(0.7) {
      let isPlanar =
        !shape.crossesAntimeridian && (try? shape.withPlanarEdges?.validate()) != nil
      let relations = SpatialRelation.allCases.filter { isPlanar || !$0.isPlanar }
      return .relation(path, random.pick(relations + [.within, .within]), .shape(shape))
    }
    return .distance(
      path, random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), .shape(shape),
      distance())
  }

  private mutating func distance() -> Distance {
    let radians = random.pick([0, 0.001, 0.02, 0.2, 1.5, 3.1, 3.2])
    return Distance.radians(radians) ?? Distance.meters(0)
      ?? GeoPoint(
        clampedLatitude: 0, longitude: 0
      ).distance(to: GeoPoint(clampedLatitude: 0, longitude: 0))
  }

  mutating func shape() -> Shape {
    switch random.below(6) {
    case 0, 1: .circle(GeoCircle(center: random.point(), radius: distance()))
    case 2: .box(GeoBox(bottomLeft: random.point(), topRight: random.point()))
    case 3: .polygon(random.polygon(.planar))
    case 4: .polygon(random.polygon(.geodesic))
    default: .geometry(Geometry(random.point()), edges: random.pick([.planar, .geodesic]))
    }
  }
}
