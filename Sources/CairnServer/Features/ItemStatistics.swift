import CairnIO
import CairnQuery
import CairnStorage
import CairnValues

/// The number of items that match, and the figures of their properties.
struct ItemStatistics {
  private let collection: Collection
  private let columns: [ColumnSchema]
  private let count: Int
  private let summaries: [Summary]

  /// The names of the parameters other than `f` that are not names of properties.
  static let parameters = [
    "bbox", "bbox-crs", "datetime", "properties", "filter", "filter-lang", "filter-crs",
  ]

  init(_ collection: Collection) throws {
    self.collection = collection
    let context = collection.context
    let properties = collection.schema.sortables.map(\.name)
      .filter { !ItemsQuery.parameters.contains($0) }
    try context.rejectOtherParameters(than: Self.parameters + properties)
    let query = try ItemsQuery(collection)
    let isNamed = context.query["properties"] != nil
    if isNamed, let other = query.properties.first(where: { !$0.hasFigures }) {
      throw Problem.badRequest(
        "properties: '\(other.name)' has the type \(other.typeName); figures are of numbers and dates"
      )
    }
    columns = query.properties.filter { $0.hasFigures && (isNamed || !$0.isPrimaryKey) }
    count = try collection.count(query.predicate)
    summaries = try Self.summaries(of: columns, query: query)
  }

  private static func summaries(
    of columns: [ColumnSchema], query: ItemsQuery
  ) throws -> [Summary] {
    if columns.isEmpty { return [] }
    let collection = query.collection
    let execution = try collection.execution(
      TableQuery(table: collection.name, predicate: query.predicate))
    let summaries = try execution.summaries(of: columns.map(\.name))
    try collection.context.deadline.check()
    return summaries
  }

  /// The figures.
  var document: Document {
    let names = ["count", "sum", "average", "minimum", "maximum"]
    let figures = summaries.map { summary -> [JSON] in
      let values = [summary.sum, summary.average, summary.minimum, summary.maximum]
      return [.int(summary.count)] + values.map(Self.json)
    }
    let members = zip(columns, figures).map { column, values in
      (column.name, JSON.object(Array(zip(names, values))))
    }
    let json: JSON = [
      "numberMatched": .int(count), "properties": .object(members),
      "links": .array(collection.context.ownLinks().map(\.json)),
    ]
    return Document(
      title: "Figures of \(collection.name)", json: json,
      trail: [.collections, .collection(collection.name)]
    ) { page in
      page.text("\(count) items")
      page.table(
        ["property"] + names,
        rows: zip(columns, figures).map { column, values in
          [column.name] + values.map { $0.cellText }
        })
    }
  }

  private static func json(_ value: Value) -> JSON {
    switch value {
    case .int(let int): .int(Int(int))
    case .double(let double): .double(double)
    case .decimal(let decimal):
      decimal.doubleValue.isFinite ? .number(decimal.description) : .null
    case .date(let date): .string(Timestamp.text(date))
    default: .null
    }
  }
}

extension JSON {
  /// The value in a table for people.
  fileprivate var cellText: String {
    switch self {
    case .null: ""
    case .string(let text): text
    default: text
    }
  }
}

extension ColumnSchema {
  /// Whether the column has single numbers or dates.
  fileprivate var hasFigures: Bool {
    guard collection == .none else { return false }
    switch type {
    case .int, .float, .double, .decimal128, .date: return true
    default: return false
    }
  }
}
