import CairnGeometry
import CairnIO
import CairnRequest
import CairnStorage
import CairnValues

/// The columns that a command reads of rows that are elsewhere, in a database or in a file of data, so that
/// only these are fetched.
struct RowNeeds {
  /// Whether all columns are printed.
  var isAll = false
  /// Whether a location is needed that no option names.
  var needsLocation = false
  /// Whether the date is needed that an interval applies to.
  private var needsDate = false
  /// Whether rows are only counted, so that their order, which is that of their locations, does not matter.
  var isCount = false
  /// Whether the rows need their primary key, which breaks ties.
  var needsKey = false
  /// The texts of the options that may name columns.
  var texts: [String] = []
  /// The number of rows that are printed, from the first one of the order; nil for all rows.
  var limit: Int?

  /// Adds the columns of a condition, which is decided again here, and the location of areas.
  ///
  /// - Parameter arguments: The resolved arguments.
  mutating func add(_ arguments: RowArguments) {
    if let text = arguments.condition { texts.append(text) }
    if let name = arguments.area.geometry { texts.append(name) }
    if !arguments.area.isEmpty { needsLocation = true }
    if arguments.dates != nil { needsDate = true }
  }

  /// The names of the columns; nil for all. A column whose name is a part of an option's text is
  /// fetched too, although the option may mean something else.
  func columns(of schema: TableSchema) -> Set<String>? {
    if isAll { return nil }
    let columns = schema.properties
    var names = Set(
      columns.map(\.name).filter { name in texts.contains { $0.contains(name) } })
    if needsLocation { names.formUnion(schema.spatialColumns.map(\.name)) }
    if needsDate, let date = schema.dateColumn { names.insert(date.name) }
    if needsKey { names.formUnion(columns.filter(\.isPrimaryKey).map(\.name)) }
    if Self.nameMeasure(texts), let geometry = columns.first(where: \.isGeometry) {
      names.insert(geometry.name)
    }
    return names
  }

  /// The texts that name the columns, apart from locations and geometries; nil for all columns.
  var mentions: [String]? {
    isAll || texts.contains { $0.contains("*") } ? nil : texts
  }

  /// Whether a text may name a measure, such as `area`, of the first geometry, without the name of the
  /// geometry.
  static func nameMeasure(_ texts: [String]) -> Bool {
    GeometryMeasure.allCases.contains { measure in
      texts.contains { $0.contains(measure.rawValue) }
    }
  }
}
