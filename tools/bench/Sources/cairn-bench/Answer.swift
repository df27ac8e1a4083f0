/// The result of a query, which prints as JSON.
enum Answer {
  case count(Int)
  case keys([Int])
  case numbers([Double?])
  case groups([(name: String, count: Int, average: Double)])

  var json: String {
    switch self {
    case .count(let count): "\(count)"
    case .keys(let keys): Self.list(keys.map { "\($0)" })
    case .numbers(let numbers): Self.list(numbers.map { $0.map { "\($0)" } ?? "null" })
    case .groups(let groups):
      "{" + groups.map { "\"\($0.name)\": [\($0.count), \($0.average)]" }.joined(separator: ", ")
        + "}"
    }
  }

  static func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }
}
