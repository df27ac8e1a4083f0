import CairnGeometry
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The keys of `--by`: columns of the class, parts of dates, and cells that locations lie in.
struct Grouping {
  /// One key.
  struct Key {
    /// The key as written, which is the title of its column.
    let name: String
    let column: ColumnSchema
    let key: GroupKey

    /// The grid of a key by location.
    var grid: CellGrid? {
      if case .cell(let grid)? = key.derivation { grid } else { nil }
    }

    /// The type of the values in the output.
    var type: ValueType {
      switch key.derivation {
      case nil: column.type
      case .calendar(.date, _), .cell: .string
      case .calendar: .int
      }
    }
  }

  let keys: [Key]

  /// - Parameters:
  ///   - keys: The keys as they are written.
  ///   - timezone: The time zone of dates; nil for UTC.
  ///   - option: The option that takes the keys.
  /// - Throws: A usage failure if a key is unknown, is given twice, or does not fit its column.
  init(
    _ keys: [String], in timezone: TimeZoneRules?, of source: OpenedClass, geometry: String?,
    option: String = "--by"
  ) throws {
    let zone = timezone ?? .utc
    var failure: Failure?
    let found = try ColumnList.items(keys) { name -> Key? in
      if let column = source.column(name) {
        let title = column.isHidden ? column.title : name
        return Key(name: title, column: column, key: GroupKey(column.name))
      }
      guard let (function, argument) = GroupFunction.parse(name) else { return nil }
      do {
        return try function.key(
          name, argument: argument, of: source, geometry: geometry, in: zone, option: option)
      } catch {
        failure = failure ?? error as? Failure
        return nil
      }
    } unknown: { name in
      failure ?? GroupFunction.unknown(name, option: option)
        ?? ColumnList.unknown(name, in: source.schema, option: option, others: [])
    }
    for (index, key) in found.enumerated()
    where found[..<index].contains(where: { $0.name == key.name }) {
      throw Failure(.usage, message: "\(option) names '\(key.name)' twice")
    }
    if timezone != nil, !found.contains(where: \.isCalendar) {
      throw Failure(
        .usage, message: "--timezone applies only to dates in --by, as in --by year(time)")
    }
    self.keys = found
  }

  /// The columns, if no key is derived from one.
  var columns: [ColumnSchema]? {
    keys.allSatisfy { $0.key.derivation == nil } ? keys.map(\.column) : nil
  }

  /// The index and the grid of the first key by location.
  var cells: (index: Int, grid: CellGrid)? {
    for (index, key) in keys.enumerated() { if let grid = key.grid { return (index, grid) } }
    return nil
  }
}

extension TableSchema {
  /// The column of a name, which may begin with that of the class, as in `City.name`.
  func column(qualified name: String) -> ColumnSchema? {
    if let column = column(named: name) { return column }
    guard name.hasPrefix("\(self.name).") else { return nil }
    return column(named: String(name.dropFirst(self.name.count + 1)))
  }
}

extension Grouping.Key {
  /// Whether the key is a part of a date.
  fileprivate var isCalendar: Bool {
    if case .calendar? = key.derivation { true } else { false }
  }
}

/// A function in `--by`.
enum GroupFunction: String, CaseIterable {
  case year
  case month
  case day
  case hour
  case date
  case cell
  case geohash
  case hex

  /// The function and the argument of `function(argument)`; nil for any other text.
  static func parse(_ text: String) -> (function: GroupFunction, argument: String)? {
    guard text.hasSuffix(")"), let start = text.firstIndex(of: "("),
      let function = GroupFunction(rawValue: text[..<start].trimmingSpaces().lowercased())
    else { return nil }
    let argument = text[text.index(after: start)...].dropLast()
    // In `year(date),quarter(date)`, the function ends before.
    if argument.firstIndex(of: ")") ?? argument.endIndex
      < argument.firstIndex(of: "(") ?? argument.endIndex
    {
      return nil
    }
    return (function, String(argument.trimmingSpaces()))
  }

  /// The failure for a call of a function that does not exist; nil for any other text.
  fileprivate static func unknown(_ text: String, option: String) -> Failure? {
    guard text.hasSuffix(")"), let start = text.firstIndex(of: "("), parse(text) == nil else {
      return nil
    }
    let (name, names) = (String(text[..<start].trimmingSpaces()), allCases.map(\.rawValue))
    return Failure(
      .usage,
      message:
        "\(option): '\(name)' is not a function\(Hint.text(name.lowercased(), among: names)); "
        + "the functions are \(Hint.list(names))")
  }

  fileprivate func key(
    _ name: String, argument: String, of source: OpenedClass, geometry: String?,
    in zone: TimeZoneRules, option: String
  ) throws -> Grouping.Key {
    if let grid = try grid(argument, option: option) {
      let column = try source.location(named: geometry, option: "--geometry")
      guard !column.isGeometry else {
        throw Failure(
          .usage,
          message:
            "\(option) \(name): '\(column.name)' has lines and areas, which may lie in several cells"
        )
      }
      return Grouping.Key(
        name: name, column: column, key: GroupKey(column.name, derivation: .cell(of: grid)))
    }
    guard let column = source.schema.column(named: argument) else {
      throw ColumnList.unknown(argument, in: source.schema, option: "\(option) \(name)", others: [])
    }
    guard column.type == .date, column.collection == .none,
      let part = CalendarPart(rawValue: rawValue)
    else {
      throw Failure(.usage, message: "\(option) \(name): '\(column.name)' is not a date")
    }
    return Grouping.Key(
      name: name, column: column,
      key: GroupKey(column.name, derivation: .calendar(part, in: zone)))
  }

  /// The grid of a function by location; nil for the others.
  private func grid(_ argument: String, option: String) throws -> CellGrid? {
    switch self {
    case .year, .month, .day, .hour, .date: return nil
    case .cell where NumberText.parse(argument) == nil:
      guard let grid = CellGrid(squares: try width(argument, option: option)) else {
        throw Failure(
          .usage, message: "\(option): cell needs a width from 10 m to 5000 km, as in cell(50km)")
      }
      return grid
    case .cell:
      guard let grid = NumberText.parse(argument).flatMap(DegreeGrid.init(size:)) else {
        throw Failure(
          .usage, message: "\(option): cell needs a size in degrees, up to 90, as in cell(1)")
      }
      return .degrees(grid)
    case .geohash:
      guard let grid = Int(argument).flatMap(GeohashGrid.init(length:)) else {
        throw Failure(
          .usage, message: "\(option): geohash needs a length from 1 to 12, as in geohash(5)")
      }
      return .geohash(grid)
    case .hex:
      guard let grid = CellGrid(hexagons: try width(argument, option: option)) else {
        throw Failure(
          .usage, message: "\(option): hex needs a width from 10 m to 5000 km, as in hex(50km)")
      }
      return grid
    }
  }

  private func width(_ argument: String, option: String) throws -> Radius.Length {
    do { return try Radius.length(argument) } catch let error as OptionError {
      throw Failure(.usage, message: "\(option): \(rawValue): \(error.description)")
    }
  }
}
