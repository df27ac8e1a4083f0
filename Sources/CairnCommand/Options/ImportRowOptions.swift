import ArgumentParser
import CairnGeometry
import CairnIO
import CairnQuery

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
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Skip the rows whose location is not in a bounding box, or whose geometry does not reach into \
      it; west > east crosses the antimeridian. May be repeated: rows in any of the boxes.
      """,
      valueName: "w,s,e,n"),
    transform: Coordinates.box)
  var bbox: [GeoBox] = []

  @Option(
    help: ArgumentHelp("Add a property with the name of the file of each row.", valueName: "name"))
  var fileNameAs: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      """
      Set a property, a new one or one of the file, to the value of a formula of the columns: \
      "price = cast(replace(price, '$', '') AS double)". May be repeated.
      """, valueName: "name = formula"))
  var assignments: [String] = []

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
    if !columns.isEmpty { options.columns = Self.names(columns) }
    options.droppedColumns = Self.names(drop)
    for renamed in rename { options.renamedColumns[renamed.column] = renamed.name }
    options.condition = try RowArguments.text(condition).map { try Predicate(parsing: $0) }
    options.boxes = bbox
    options.formulas = try AssignmentText.list(assignments).map {
      ImportFormula($0.column, $0.formula)
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
