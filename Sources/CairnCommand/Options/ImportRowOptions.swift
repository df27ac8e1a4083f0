import ArgumentParser
import CairnFormats
import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// The options for the columns and the rows that an import takes.
struct ImportRowOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Import only these columns of the files, and the coordinates.", valueName: "col,..."))
  var columns: [String] = []

  @Option(help: ArgumentHelp("Leave these columns of the files out.", valueName: "col,..."))
  var drop: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Rename a column of the files. Other options take the new name.", valueName: "col=name"),
    transform: RenameOption.init(text:))
  var rename: [RenameOption] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Skip the rows that do not meet a condition, or @FILE to read it from FILE.",
      valueName: "predicate"))
  var condition: String?

  @Option(
    help: ArgumentHelp("Add a property with the name of the file of each row.", valueName: "name"))
  var fileNameAs: String?

  @Flag(help: "Store rows without a location with a null; without it they cannot be stored.")
  var locationOptional = false

  @Option(
    help: ArgumentHelp(
      "Skip a row that is closer than this to an earlier one, or to a row of the class.",
      valueName: "distance"), transform: Radius.parse)
  var deduplicate: Distance?

  func validate() throws {
    if !columns.isEmpty, !drop.isEmpty {
      throw ValidationError("--columns and --drop cannot be used together")
    }
    for (index, renamed) in rename.enumerated() {
      let others = rename[..<index]
      if others.contains(where: { $0.column == renamed.column }) {
        throw ValidationError("--rename names '\(renamed.column)' twice")
      }
      if others.contains(where: { $0.name == renamed.name }) {
        throw ValidationError("--rename makes two columns '\(renamed.name)'")
      }
    }
    if let deduplicate, deduplicate.radians <= 0 {
      throw ValidationError("--deduplicate needs a distance above 0, as in --deduplicate 50m")
    }
    if fileNameAs == "" { throw ValidationError("--file-name-as must not be empty") }
  }

  func apply(to options: inout ImportOptions) throws {
    var selection = ColumnSelection()
    if !columns.isEmpty { selection.kept = Self.names(columns) }
    selection.dropped = Self.names(drop)
    for renamed in rename { selection.renamed[renamed.column] = renamed.name }
    options.selection = selection
    options.condition = try QueryRequest.text(condition).map {
      ImportCondition(predicate: try Predicate(parsing: $0))
    }
    options.fileNameProperty = fileNameAs
    options.geometries.allowsMissing = locationOptional
    options.spacing = deduplicate
  }

  private static func names(_ lists: [String]) -> [String] {
    lists.flatMap { $0.split(separator: ",") }.map { String($0.trimmingSpaces()) }
  }
}

/// The value of `--rename COLUMN=NAME`.
struct RenameOption {
  let column: String
  let name: String

  /// Parses `COLUMN=NAME`, split at the first `=`.
  init(text: String) throws {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex,
      text.index(after: equals) < text.endIndex
    else { throw OptionError("expected COLUMN=NAME, as in Ort=city") }
    column = String(text[..<equals])
    name = String(text[text.index(after: equals)...])
  }
}

/// The condition of `--where` for the rows of an import.
private struct ImportCondition: RowCondition {
  let predicate: Predicate

  func test(
    for properties: [(name: String, type: ValueType)]
  ) throws(ImportError) -> @Sendable (ColumnBatch) -> [Bool] {
    let columns = properties.enumerated().map { position, property in
      ColumnSchema(
        id: UInt16(clamping: position), name: property.name, type: property.type, isOptional: true,
        isIndexed: false, isPrimaryKey: false, position: position)
    }
    let schema = TableSchema(id: 0, name: "the import", columns: columns)
    do throws(PredicateError) {
      let bound = try predicate.bound(to: schema)
      guard let test = bound.rowsTest(of: schema) else {
        throw PredicateError(.unsupported, message: "a condition on columns is needed.")
      }
      return { batch in test.matches(BatchColumns(batch: batch)) }
    } catch { throw ImportError(.usage, message: ImportMessage("--where: \(error.message)")) }
  }
}

/// The values of a batch, which a condition reads.
private struct BatchColumns: ValueColumns {
  let batch: ColumnBatch

  var rowCount: Int { batch.rowCount }

  func value(_ column: Int, row: Int) -> Value { batch.columns[column].value(at: row) }

  func text(_ column: Int, row: Int) -> UnsafeRawBufferPointer? {
    let values = batch.columns[column]
    return values.isNull(row) ? nil : values.bytes(at: row)
  }
}
