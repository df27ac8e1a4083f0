import CairnGeometry
import CairnQuery
import CairnTestSupport
import CairnValues

/// A generator of random trees in every form that the parser can return.
struct NodeGenerator {
  var random: SplitMix64

  /// The number of enclosing subqueries.
  private var openSubqueries = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func node(depth: Int) -> PredicateNode {
    guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else { return condition() }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .not(node(depth: depth - 1))
    case 1: return .all((0..<number(2...4)).map { _ in node(depth: depth - 1) })
    default: return .any((0..<number(2...4)).map { _ in node(depth: depth - 1) })
    }
  }

  private mutating func condition() -> PredicateNode {
    switch number(0...9) {
    case 0: return .constant(Bool.random(using: &random))
    case 1: return .compare(expression(), comparison(orders: false), operand(), options())
    case 2: return .compare(expression(), comparison(orders: true), operand(), [])
    case 3: return .between(expression(), value(), value())
    case 4: return .isIn(expression(), (0..<number(0...4)).map { _ in value() }, options())
    case 5: return match(.value(value()))
    case 6: return match(operand())
    case 7: return spatial()
    case 8: return .compare(expression(), comparison(orders: false), .value(value()), options())
    default: return .compare(expression(), comparison(orders: true), .value(value()), [])
    }
  }

  private mutating func spatial() -> PredicateNode {
    let path = path().with(pick([.one, .any, .all]))
    if Bool.random(using: &random) {
      let relation = pick(SpatialRelation.allCases)
      let edges: GeoPolygon.Edges =
        relation.isPlanar || Bool.random(using: &random) ? .planar : .geodesic
      return .relation(
        path, relation,
        number(0...3) == 0 ? .property(self.path(), edges: edges) : .shape(shape()))
    }
    let radians = Double.random(in: 0...pick([1e-6, 3, 100]), using: &random)
    guard let distance = Distance.radians(radians) else { return .constant(true) }
    return .distance(
      path, comparison(orders: true),
      number(0...3) == 0 ? .property(self.path(), edges: .geodesic) : .shape(shape()), distance)
  }

  private mutating func comparison(orders: Bool) -> ComparisonOperator {
    pick(ComparisonOperator.allCases.filter { $0.isOrder == orders })
  }

  /// A match; a search takes no options.
  private mutating func match(_ operand: Operand) -> PredicateNode {
    let operation = pick(MatchOperator.allCases)
    return .match(expression(), operation, operand, operation == .search ? [] : options())
  }

  private mutating func options() -> StringOptions {
    StringOptions(rawValue: UInt8(number(0...3)))
  }

  // MARK: Names and texts

  /// An expression for the left side of a comparison, or for the right side, which has no
  /// quantifiers.
  private mutating func expression(isOperand: Bool = false) -> Expression {
    let path = isOperand ? path() : path().with(pick([.one, .one, .any, .all]))
    switch number(0...9) {
    case 0:
      let below = Bool.random(using: &random) ? self.path() : nil
      return .aggregate(pick(AggregateFunction.allCases), path, of: below)
    case 1: return .count(path, where: nil)
    case 2 where openSubqueries < 3:
      openSubqueries += 1
      defer { openSubqueries -= 1 }
      return .count(path, where: node(depth: number(0...2)))
    default: return .path(path)
    }
  }

  private mutating func operand() -> Operand {
    .expression(expression(isOperand: true))
  }

  private mutating func path() -> PropertyPath {
    var components: [PropertyPath.Component] = [.property(name())]
    while components.count < 5, number(0...3) == 0 { components.append(component()) }
    return PropertyPath(components)
  }

  private mutating func component() -> PropertyPath.Component {
    switch number(0...7) {
    case 0: .key(text(0...4))
    case 1: .index(number(0...1000))
    case 2: .anyElement
    case 3: .allKeys
    case 4: .allValues
    default: .property(name())
    }
  }

  private mutating func name() -> String {
    let names = [
      "a", "name", "population", "in", "AND", "any", "self", "subquery", "geoPolygon", "true",
      "nan", "date", "oid", "geoBox", "geometry", "geoDistance", "geoContains",
      "größe", "名",
      "a b", "a.b", "`", "1st", "%K", "$0", "@count", "x'y\"z", "🎉", "e\u{301}", "é", "tab\t",
    ]
    return number(0...3) == 0 ? text(1...6) : pick(names)
  }

  private mutating func text(_ lengths: ClosedRange<Int>) -> String {
    var text = ""
    for _ in 0..<number(lengths) {
      text.unicodeScalars.append(scalar())
    }
    return text
  }

  private mutating func scalar() -> Unicode.Scalar {
    let ranges: [ClosedRange<Int>] = [
      0...0x7F, 0x20...0x7E, 0x20...0x7E, 0x80...0x24F, 0x300...0x36F, 0x3040...0x30FF,
      0x1F300...0x1F5FF, 0xE000...0xFFFF, 0x10000...0x10FFFF,
    ]
    return Unicode.Scalar(UInt32(number(pick(ranges)))) ?? "?"
  }

  // MARK: Values

  mutating func value() -> Value {
    switch number(0...14) {
    case 14: return .geometry(geometry().bytes)
    case 13:
      return .link(
        pick([
          .nowhere, Link(table: UInt32(number(0...9)), key: number(0...1000)),
          Link(table: .max, key: Int(truncatingIfNeeded: random.next())),
        ]))
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .int(Int64(number(-10...10)))
    case 3: return .int(Int64(bitPattern: random.next()))
    case 4: return .double(double())
    case 5: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
    case 6: return .decimal(Decimal128(high: random.next(), low: random.next()))
    case 7: return .string(text(0...12))
    case 8: return .data((0..<number(0...8)).map { _ in UInt8(number(0...255)) })
    case 9: return .date(date())
    case 10: return .uuid(UUIDBytes(high: random.next(), low: random.next()))
    case 11: return .objectId(objectId())
    default:
      return .point(
        Position(latitude: degrees(90), longitude: degrees(180), altitude: Double(number(0...2))))
    }
  }

  private mutating func double() -> Double {
    switch number(0...3) {
    case 0: return Double(bitPattern: random.next())
    case 1:
      return pick([
        0, -0.0, 1, -1.5, 1e16, .nan, .infinity, -.infinity, Double.leastNonzeroMagnitude,
      ])
    default: return Double(number(-1_000_000...1_000_000)) / 1000
    }
  }

  private mutating func date() -> Double {
    switch number(0...4) {
    case 0: return double()
    case 1: return Double(number(-90_000...90_000)) * 86_400
    case 2: return Double(number(-100_000_000_000...100_000_000_000)) / 1000
    default: return Double(number(-1_000_000_000...1_000_000_000))
    }
  }

  private mutating func objectId() -> ObjectId {
    let words = [random.next(), random.next()]
    return words.withUnsafeBytes { ObjectId(storedBytes: $0) }
  }

  // MARK: Geo shapes

  mutating func shape() -> Shape {
    switch number(0...6) {
    case 4...:
      return .geometry(geometry(), edges: Bool.random(using: &random) ? .planar : .geodesic)
    case 0:
      if let radius = Distance.radians(Double(number(0...3_000_000)) / 1_000_000) {
        return .circle(GeoCircle(center: point(), radius: radius))
      }
      return .box(GeoBox(bottomLeft: point(), topRight: point()))
    case 1: return .box(GeoBox(bottomLeft: point(), topRight: point()))
    default:
      let polygons = (0..<number(1...2)).map { _ in (0..<number(1...3)).map { _ in ring() } }
      let edges: GeoPolygon.Edges = Bool.random(using: &random) ? .planar : .geodesic
      guard let polygon = try? GeoPolygon(polygons: polygons, edges: edges) else {
        return .box(GeoBox(bottomLeft: point(), topRight: point()))
      }
      return .polygon(polygon)
    }
  }

  mutating func geometry() -> Geometry {
    switch number(0...5) {
    case 0, 1: return Geometry(point())
    case 2: return Geometry(points: (0..<number(0...3)).map { _ in point() })
    case 3:
      return (try? Geometry(members: (0..<number(0...2)).map { _ in geometry() }))
        ?? Geometry(point())
    case 4:
      return (try? GeoPolygon(polygons: [[ring()]], edges: .planar)).map { Geometry($0) }
        ?? Geometry(point())
    default:
      return GeoLineString((0..<number(2...5)).map { _ in point() }).map { Geometry($0) }
        ?? Geometry(point())
    }
  }

  private mutating func ring() -> [GeoPoint] {
    let points = (0..<number(3...6)).map { _ in point() }
    return points + [points[0]]
  }

  private mutating func point() -> GeoPoint {
    while true {
      let point = GeoPoint(
        latitude: degrees(90), longitude: degrees(180), altitude: number(0...9) == 0 ? 12.5 : 0)
      if let point { return point }
    }
  }

  private mutating func degrees(_ limit: Double) -> Double {
    number(0...5) == 0
      ? pick([0, -0.0, limit, -limit]) : Double.random(in: -limit...limit, using: &random)
  }

  // MARK: Chance

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }
}
