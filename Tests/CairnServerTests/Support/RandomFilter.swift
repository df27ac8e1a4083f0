import CairnTestSupport
import CairnValues
import Foundation

/// A random filter with both of its forms and an evaluation of its own, in which nil is unknown.
indirect enum RandomFilter {
  case and([RandomFilter])
  case or([RandomFilter])
  case not(RandomFilter)
  case constant(Bool)
  case flag
  case isNull(String)
  case number(String, String, Double, isSwapped: Bool)
  case numbers(String, String, String)
  case between(String, Double, Double)
  case numberIn(String, [Double])
  case text(String, String, Folding)
  case textIn([String], Folding)
  case like(String, Folding)
  case date(String, Int, isTimestamp: Bool)
  case box(String, [Double], Form)
  case near([Double], Double, isBeyond: Bool)
  case temporal(String, Int?, Int?)

  /// The functions around both sides of a comparison of texts.
  enum Folding: CaseIterable {
    case none, casei, accenti, both
  }

  /// The notation of a rectangle.
  enum Form: CaseIterable {
    case bbox, polygon, swapped
  }

  private static let operators = ["=", "<>", "<", "<=", ">", ">="]
  private static let patterns = [
    "B%", "%ern", "_ern", "%r%", "100\\%", "a\\_b", "a_b", "%", "A*c", "%?", "", "__", "%è%e",
    "B_rn", "\\B%", "%*%",
  ]

  static func random(depth: Int, _ random: inout SplitMix64) -> RandomFilter {
    if depth > 0, random.chance(0.7) {
      let parts = (0..<(2 + random.below(2))).map { _ in
        RandomFilter.random(depth: depth - 1, &random)
      }
      switch random.below(3) {
      case 0: return .and(parts)
      case 1: return .or(parts)
      default: return .not(parts[0])
      }
    }
    return leaf(&random)
  }

  private static func leaf(_ random: inout SplitMix64) -> RandomFilter {
    let operation = random.pick(operators)
    let numeric = random.pick(["population", "area", "id"])
    let number = Double(random.below(80)) / 8
    let folding = random.pick(Folding.allCases)
    switch random.below(16) {
    case 0: return .constant(random.chance(0.5))
    case 1: return .flag
    case 2: return .isNull(random.pick(["name", "population", "location", "founded", "id"]))
    case 3, 4: return .number(numeric, operation, number, isSwapped: random.chance(0.3))
    case 5: return .numbers(numeric, operation, random.pick(["population", "area", "id"]))
    case 6: return .between(numeric, number, number + Double(random.below(5)))
    case 7: return .numberIn(numeric, (0...random.below(4)).map { _ in Double(random.below(9)) })
    case 8:
      return .text(random.pick(["=", "<>"]), random.pick(World.names), folding)
    case 9:
      return .textIn((0...random.below(3)).map { _ in random.pick(World.names) }, folding)
    case 10, 11: return .like(random.pick(patterns), folding)
    case 12: return .date(operation, random.below(20), isTimestamp: random.chance(0.5))
    case 13:
      let (x, y) = (Double(random.below(300)) - 179.95, Double(random.below(150)) - 89.95)
      let box = [x, y, x + Double(random.below(59)) + 0.5, y + Double(random.below(29)) + 0.5]
      return .box(
        random.pick(["s_intersects", "s_disjoint", "s_within"]), box, random.pick(Form.allCases))
    case 14:
      return .near(
        [Double(random.below(340)) - 170, Double(random.below(160)) - 80],
        Double(random.below(5000)) + 0.25, isBeyond: random.chance(0.3))
    default:
      let first = random.below(20)
      let second = random.chance(0.5) ? first + 1 + random.below(5) : nil
      return .temporal(
        random.pick([
          "t_after", "t_before", "t_disjoint", "t_intersects", "t_during", "t_equals",
        ]), random.chance(0.2) ? nil : first, second)
    }
  }
}

// MARK: Forms

extension RandomFilter.Folding {
  func text(_ inner: String) -> String {
    switch self {
    case .none: inner
    case .casei: "CASEI(\(inner))"
    case .accenti: "accenti(\(inner))"
    case .both: "CASEI(ACCENTI(\(inner)))"
    }
  }

  func json(_ inner: Any) -> Any {
    func call(_ name: String, _ inner: Any) -> Any { ["op": name, "args": [inner]] }
    return switch self {
    case .none: inner
    case .casei: call("casei", inner)
    case .accenti: call("accenti", inner)
    case .both: call("casei", call("accenti", inner))
    }
  }

  func folded(_ text: String) -> String {
    var options: String.CompareOptions = []
    if self == .casei || self == .both { options.insert(.caseInsensitive) }
    if self == .accenti || self == .both { options.insert(.diacriticInsensitive) }
    return options.isEmpty ? text : text.folding(options: options, locale: nil)
  }
}

extension RandomFilter {
  private static func day(_ number: Int) -> String {
    "2001-01-\(number < 9 ? "0" : "")\(number + 1)"
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacingOccurrences(of: "'", with: "''"))'"
  }

  /// The filter in the text form.
  var text: String {
    switch self {
    case .and(let parts): parts.map { "(\($0.text))" }.joined(separator: " AND ")
    case .or(let parts): parts.map { "(\($0.text))" }.joined(separator: " or ")
    case .not(let part): "NOT (\(part.text))"
    case .constant(let flag): flag ? "TRUE" : "false"
    case .flag: "isCapital = TRUE"
    case .isNull(let name): "\"\(name)\" IS NULL"
    case .number(let name, let operation, let number, let isSwapped):
      isSwapped ? "\(number) \(operation) \(name)" : "\(name)\(operation)\(number)"
    case .numbers(let name, let operation, let other): "\(name) \(operation) \(other)"
    case .between(let name, let low, let high): "\(name) BETWEEN \(low) AND \(high)"
    case .numberIn(let name, let numbers):
      "\(name) IN (\(numbers.map { "\($0)" }.joined(separator: ", ")))"
    case .text(let operation, let text, let folding):
      "\(folding.text("name")) \(operation) \(folding.text(Self.quoted(text)))"
    case .textIn(let texts, let folding):
      "\(folding.text("name")) in ("
        + texts.map { folding.text(Self.quoted($0)) }.joined(separator: ",") + ")"
    case .like(let pattern, let folding):
      "\(folding.text("name")) LIKE \(folding.text(Self.quoted(pattern)))"
    case .date(let operation, let day, let isTimestamp):
      "founded \(operation) "
        + (isTimestamp ? "TIMESTAMP('\(Self.day(day))T00:00:00Z')" : "DATE('\(Self.day(day))')")
    case .box(let name, let box, let form): boxText(name, box, form)
    case .near(let point, let distance, let isBeyond):
      "\(isBeyond ? "S_BEYOND" : "S_DWITHIN")(location, POINT(\(point[0]) \(point[1])), "
        + "\(distance), 'kilometers')"
    case .temporal(let name, let first, let second):
      "\(name.uppercased())(founded, "
        + (second == nil && first != nil
          ? "DATE('\(Self.day(first ?? 0))')"
          : "INTERVAL('\(first.map(Self.day) ?? "..")', '\(second.map(Self.day) ?? "..")')") + ")"
    }
  }

  private func boxText(_ name: String, _ box: [Double], _ form: Form) -> String {
    let ring = Self.ring(box).map { "\($0[0]) \($0[1])" }.joined(separator: ", ")
    return switch form {
    case .bbox: "\(name)(location, BBOX(\(box.map { "\($0)" }.joined(separator: ","))))"
    case .polygon: "\(name.uppercased())(location, POLYGON((\(ring))))"
    case .swapped:
      "\(name == "s_within" ? "S_CONTAINS" : name)(MULTIPOLYGON(((\(ring)))), location)"
    }
  }

  private static func ring(_ box: [Double]) -> [[Double]] {
    [[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]], [box[0], box[1]]]
  }

  /// The filter in the JSON form, as Foundation takes it.
  var json: Any {
    func property(_ name: String) -> Any { ["property": name] }
    func operation(_ name: String, _ arguments: Any...) -> Any {
      ["op": name, "args": arguments]
    }
    func date(_ day: Int) -> Any { ["date": Self.day(day)] }
    switch self {
    case .and(let parts): return ["op": "and", "args": parts.map(\.json)]
    case .or(let parts): return ["op": "or", "args": parts.map(\.json)]
    case .not(let part): return operation("not", part.json)
    case .constant(let flag): return flag
    case .flag: return operation("=", property("isCapital"), true)
    case .isNull(let name): return operation("isNull", property(name))
    case .number(let name, let sign, let number, let isSwapped):
      return isSwapped
        ? operation(sign, number, property(name)) : operation(sign, property(name), number)
    case .numbers(let name, let sign, let other):
      return operation(sign, property(name), property(other))
    case .between(let name, let low, let high):
      return operation("between", property(name), low, high)
    case .numberIn(let name, let numbers): return operation("in", property(name), numbers)
    case .text(let sign, let text, let folding):
      return operation(sign, folding.json(property("name")), folding.json(text))
    case .textIn(let texts, let folding):
      return operation(
        "in", folding.json(property("name")), texts.map { folding.json($0) })
    case .like(let pattern, let folding):
      return operation("like", folding.json(property("name")), folding.json(pattern))
    case .date(let sign, let day, let isTimestamp):
      return operation(
        sign, property("founded"),
        isTimestamp ? ["timestamp": Self.day(day) + "T00:00:00Z"] : date(day))
    case .box(let name, let box, let form):
      let polygon: [String: Any] = ["type": "Polygon", "coordinates": [Self.ring(box)]]
      switch form {
      case .bbox: return operation(name, property("location"), ["bbox": box])
      case .polygon: return operation(name, property("location"), polygon)
      case .swapped:
        return operation(
          name == "s_within" ? "s_contains" : name, polygon, property("location"))
      }
    case .near(let point, let distance, let isBeyond):
      return operation(
        isBeyond ? "s_beyond" : "s_dwithin", property("location"),
        ["type": "Point", "coordinates": point], distance, "km")
    case .temporal(let name, let first, let second):
      if let first, second == nil { return operation(name, property("founded"), date(first)) }
      let ends = [first.map(Self.day) ?? "..", second.map(Self.day) ?? ".."]
      return operation(name, property("founded"), ["interval": ends])
    }
  }
}

// MARK: Evaluation

extension RandomFilter {
  /// Whether a row meets the filter; nil if that is unknown.
  func holds(_ place: World.Place) -> Bool? {
    switch self {
    case .and(let parts):
      let results = parts.map { $0.holds(place) }
      return results.contains(false) ? false : results.contains(nil) ? nil : true
    case .or(let parts):
      let results = parts.map { $0.holds(place) }
      return results.contains(true) ? true : results.contains(nil) ? nil : false
    case .not(let part): return part.holds(place).map { !$0 }
    case .constant(let flag): return flag
    case .flag: return place.isCapital
    case .isNull(let name): return isNull(name, place)
    case .number(let name, let operation, let number, let isSwapped):
      return Self.number(name, place).map {
        isSwapped
          ? Self.compare(number, operation, $0) : Self.compare($0, operation, number)
      }
    case .numbers(let name, let operation, let other):
      guard let x = Self.number(name, place), let y = Self.number(other, place) else { return nil }
      return Self.compare(x, operation, y)
    case .between(let name, let low, let high):
      return Self.number(name, place).map { low <= $0 && $0 <= high }
    case .numberIn(let name, let numbers): return Self.number(name, place).map(numbers.contains)
    case .text(let operation, let text, let folding):
      return place.name.map { (folding.folded($0) == folding.folded(text)) == (operation == "=") }
    case .textIn(let texts, let folding):
      return place.name.map { texts.map(folding.folded).contains(folding.folded($0)) }
    case .like(let pattern, let folding):
      return place.name.map {
        Self.isLike(
          Array(folding.folded($0).unicodeScalars)[...],
          Array(folding.folded(pattern).unicodeScalars)[...])
      }
    case .date(let operation, let day, _):
      return place.founded.map { Self.compare($0, operation, Double(day) * 86_400) }
    case .box(let name, let box, _):
      return place.location.map {
        let isInside =
          box[0] <= $0.longitude && $0.longitude <= box[2] && box[1] <= $0.latitude
          && $0.latitude <= box[3]
        return isInside == (name != "s_disjoint")
      }
    case .near(let point, let distance, let isBeyond):
      return place.location.map {
        (Self.kilometres($0, to: point) <= distance) != isBeyond
      }
    case .temporal(let name, let first, let second):
      return place.founded.map { Self.temporal(name, $0 / 86_400, first, second) }
    }
  }

  private func isNull(_ name: String, _ place: World.Place) -> Bool {
    switch name {
    case "name": place.name == nil
    case "population": place.population == nil
    case "location": place.location == nil
    case "founded": place.founded == nil
    default: false
    }
  }

  private static func number(_ name: String, _ place: World.Place) -> Double? {
    switch name {
    case "population": place.population.map(Double.init)
    case "area": place.area
    default: Double(place.id)
    }
  }

  private static func compare(_ x: Double, _ operation: String, _ y: Double) -> Bool {
    switch operation {
    case "=": x == y
    case "<>": x != y
    case "<": x < y
    case "<=": x <= y
    case ">": x > y
    default: x >= y
    }
  }

  private static func isLike(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "%": return (text.startIndex...text.endIndex).contains { isLike(text[$0...], rest) }
    case "_": return !text.isEmpty && isLike(text.dropFirst(), rest)
    case "\\":
      return text.first == rest.first && isLike(text.dropFirst(), rest.dropFirst())
    default: return text.first == first && isLike(text.dropFirst(), rest)
    }
  }

  private static func kilometres(
    _ a: (longitude: Double, latitude: Double), to b: [Double]
  ) -> Double {
    let radian = Double.pi / 180
    let (u, v) = (a.latitude * radian, b[1] * radian)
    let (y, x) = ((u - v) / 2, (a.longitude - b[0]) * radian / 2)
    let chord = sin(y) * sin(y) + cos(u) * cos(v) * sin(x) * sin(x)
    return 2 * asin(min(1, chord.squareRoot())) * 6378.1
  }

  private static func temporal(
    _ name: String, _ day: Double, _ first: Int?, _ second: Int?
  ) -> Bool {
    let isInstant = first != nil && second == nil
    let start = first.map(Double.init) ?? -.infinity
    let end = isInstant ? start : second.map(Double.init) ?? .infinity
    switch name {
    case "t_after": return day > end
    case "t_before": return day < start
    case "t_disjoint": return day < start || day > end
    case "t_intersects": return start <= day && day <= end
    case "t_during": return start < day && day < end
    default: return day == start && day == end
    }
  }
}
