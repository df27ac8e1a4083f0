/// The result of a query, which prints as JSON.
enum Answer {
  case count(Int)
  case number(Double?)
  case text(String)
  case keys([Int])
  case numbers([Double?])
  case groups([(name: String, count: Int, average: Double)])
  case counts([(name: String, count: Int)])
  case list([Answer])

  var json: String {
    switch self {
    case .count(let count): "\(count)"
    case .number(let number): number.map { "\($0)" } ?? "null"
    case .text(let text): "\"\(text)\""
    case .keys(let keys): Self.list(keys.map { "\($0)" })
    case .numbers(let numbers): Self.list(numbers.map { Answer.number($0).json })
    case .groups(let groups):
      Self.object(groups.map { ($0.name, "[\($0.count), \($0.average)]") })
    case .counts(let counts): Self.object(counts.map { ($0.name, "\($0.count)") })
    case .list(let answers): Self.list(answers.map(\.json))
    }
  }

  static func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }

  private static func object(_ items: [(name: String, json: String)]) -> String {
    "{" + items.map { "\"\($0.name)\": \($0.json)" }.joined(separator: ", ") + "}"
  }
}
