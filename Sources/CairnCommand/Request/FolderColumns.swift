import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The columns of `--partition-by`, whose values become the names of folders.
struct FolderColumns {
  /// A column of the folders.
  struct Column {
    /// The name in folders.
    let name: String
    let key: Grouping.Key
  }

  /// The rows of one folder.
  struct Part {
    /// The names of the folder and of those around it, from the outer one on.
    let folders: [String]
    /// The keys of the rows, in the order of the output.
    let keys: [Int]
  }

  let columns: [Column]

  /// The most folders. More of them take readers longer to list than to read.
  static let mostFolders = 10_000
  static let option = "--partition-by"
  /// The longest name of a file or a folder in bytes.
  private static let longestName = 255

  /// - Parameters:
  ///   - lists: The columns as they are written: names, formulas with a name, parts of dates and cells.
  ///   - source: The class with the formulas as columns.
  init(_ lists: [String], of source: OpenedClass, geometry: String?) throws {
    var failure: Failure?
    let found = try ColumnList.items(lists) { item -> Column? in
      do {
        return try Self.column(String(item.trimmingSpaces()), of: source, geometry: geometry)
      } catch {
        failure = error as? Failure
        return nil
      }
    } unknown: {
      failure ?? ColumnList.unknown($0, in: source.schema, option: Self.option, others: [])
    }
    for (index, column) in found.enumerated()
    where found[..<index].contains(where: { $0.name == column.name }) {
      throw Failure(.usage, message: "\(Self.option) names '\(column.name)' twice")
    }
    columns = found
  }

  private static func column(
    _ item: String, of source: OpenedClass, geometry: String?
  ) throws -> Column {
    func key(_ text: String) throws -> Grouping.Key {
      let keys = try Grouping([text], in: nil, of: source, geometry: geometry, option: option).keys
      guard keys.count == 1 else {
        throw ColumnList.unknown(text, in: source.schema, option: option, others: [])
      }
      return keys[0]
    }
    let named = ComputedColumn.split(item)
    let found: Grouping.Key
    do { found = try key(item) } catch {
      guard let named, let inner = try? key(String(named.formula.trimmingSpaces())) else {
        throw error
      }
      found = inner
    }
    try requireName(found, named: named?.name)
    return Column(name: named?.name ?? name(of: found), key: found)
  }

  /// The name of a key without one of its own: that of its column or of its function.
  private static func name(of key: Grouping.Key) -> String {
    key.key.derivation == nil
      ? key.column.title : GroupFunction.parse(key.name)?.function.rawValue ?? key.name
  }

  /// Throws for a formula without a name, and for values that have no name.
  private static func requireName(_ key: Grouping.Key, named name: String?) throws {
    guard key.key.derivation == nil else { return }
    if name == nil, key.isFormula {
      throw Failure(
        .usage, message: "\(option): a formula needs a name, as in \(key.name) AS name")
    }
    if key.type == .point {
      throw Failure(
        .usage,
        message: "\(option): '\(key.name)' has locations; cell(1) and hex(50km) make cells of them")
    }
    switch key.type {
    case .bool, .int, .double, .float, .decimal128, .string, .date, .uuid, .objectId:
      if key.column.collection == .none { return }
    default: break
    }
    throw Failure(
      .usage,
      message:
        "\(option): '\(key.name)' is of type \(key.column.typeText), whose values do not name folders"
    )
  }

  /// The columns of the output without those that the folders state.
  ///
  /// - Throws: A usage failure if another column has the name of a folder, or if none is left.
  func leavingOut(of columns: [OutputColumn]) throws -> [OutputColumn] {
    let stated = Set(
      self.columns.filter { $0.key.key.derivation == nil && !$0.key.isFormula }.map(\.name))
    let rest = columns.filter { !stated.contains($0.name) }
    if let clash = self.columns.first(where: { own in rest.contains { $0.name == own.name } }) {
      throw Failure(
        .usage,
        message:
          "\(Self.option): the rows have another column '\(clash.name)'; AS gives the folders "
          + "another name")
    }
    guard !rest.isEmpty else {
      throw Failure(.usage, message: "\(Self.option): no column is left for the files")
    }
    return rest
  }

  /// Divides the rows of a result.
  ///
  /// - Throws: A usage failure if there are too many folders, or if a value does not name one.
  func parts(of execution: Execution) throws -> [Part] {
    let names = columns.map(\.name).joined(separator: ", ")
    guard let parts = try execution.parts(by: columns.map(\.key.key), most: Self.mostFolders) else {
      throw Failure(
        .usage,
        message:
          "\(Self.option): there are more than \(Self.mostFolders) values of \(names); divide "
          + "the rows by something coarser")
    }
    if let empty = columns.indices.first(where: { index in
      parts.contains { $0.values[index] == .string("") }
    }) {
      Console.printMessage(
        "Note: empty values of '\(columns[empty].name)' are null in the folders, which have no name for "
          + "them.")
    }
    return try parts.map { part in
      Part(folders: try zip(columns, part.values).map(Self.folder), keys: part.keys)
    }
  }

  /// The name of the folder of a value.
  private static func folder(_ column: Column, _ value: Value) throws -> String {
    guard !value.isNull else { return HivePath.name(column.name, nil) }
    var text = value.plainText
    if let grid = column.key.grid, case .int(let code) = value { text = grid.name(of: code) }
    guard text != HivePath.nullName else {
      throw Failure(
        .usage,
        message:
          "\(option): a '\(column.name)' is \(text), which means null in the name of a folder")
    }
    let name = HivePath.name(column.name, text)
    guard name.utf8.count <= longestName else {
      throw Failure(
        .usage,
        message: "\(option): a '\(column.name)' is too long for the name of a folder: "
          + "\(text.prefix(40))…")
    }
    return name
  }
}

extension Grouping.Key {
  /// Whether the values are those of a formula that the option itself has.
  fileprivate var isFormula: Bool { FormulaName.text(of: column.name) != nil }
}
