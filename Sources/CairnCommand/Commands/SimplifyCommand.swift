import ArgumentParser
import CairnGeometry
import CairnIO
import CairnQuery
import CairnStorage
import CairnValues

/// `cairn simplify STORE CLASS [PREDICATE] --keep 10%|--tolerance 500m`
struct SimplifyCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "simplify",
      abstract: "Write the matching rows with fewer vertices in lines and polygons.",
      discussion: """
        Borders that rows share stay shared, without gaps, overlaps and crossings. The
        store remains as it is.

        EXAMPLES:
          cairn simplify world.cairn countries --keep 10% --into outlines
          cairn simplify world.cairn countries --tolerance 5km -o countries.geojson
          cairn simplify world.cairn rivers --keep 20% --method dp --format geojsonl
        """)
  }

  @OptionGroup var target: TargetArguments
  @OptionGroup var area: AreaOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The share of the vertices to keep, without ends and junctions: 10%.", valueName: "percent"),
    transform: SimplificationValues.share)
  var keep: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The distance up to which lines may move: 500m, 5km, 3mi.", valueName: "distance"),
    transform: Radius.parse)
  var tolerance: Distance?

  @Option(
    help: ArgumentHelp(
      """
      Leave out the corners of the smallest area (visvalingam), or those nearest to the new \
      line, by Douglas and Peucker (dp).
      """, valueName: "method"))
  var method = SimplificationMethod.visvalingam

  @Flag(help: "Keep a triangle of small islands and holes.")
  var keepSmall = false

  @OptionGroup var rows: RowOptions
  @OptionGroup var file: OutputFileOption
  @OptionGroup var destination: NewClassOption
  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    guard (keep == nil) != (tolerance == nil) else {
      throw ValidationError("give one of --keep and --tolerance")
    }
    try destination.reject([
      ("--output", file.path != nil), ("--format", rows.format != nil), ("--crs", rows.crs != nil),
      ("--explain", rows.explain), (FolderColumns.option, !rows.parquet.partitionBy.isEmpty),
    ])
  }

  func run() throws {
    let amount = tolerance.map { Simplification.Amount.tolerance($0) } ?? .share(keep ?? 1)
    let rule = Simplification(amount, method: method.method, keepsSmallRings: keepSmall)
    let newClass = try destination.target(besides: target.store)
    let output = try newClass == nil ? rows.output(to: file.path) : .file(.jsonl, nil)
    let query = try RowQuery(
      target.arguments(area), rows: rows, format: output.format,
      mode: newClass?.sourceMode(target.store) ?? .readOnly, simplifying: rule)
    let progress = progressOptions.reporter()
    if let newClass { return try query.write(into: newClass, progress: progress) }
    try query.write(to: output, progress: progress)
  }
}

/// The value of `--method`.
enum SimplificationMethod: String, WordArgument {
  case visvalingam
  case dp

  fileprivate var method: Simplification.Method {
    switch self {
    case .visvalingam: .visvalingam
    case .dp: .douglasPeucker
    }
  }
}

private enum SimplificationValues {
  /// Parses a percentage, as in `10%`.
  static func share(_ text: String) throws -> Double {
    guard text.hasSuffix("%"), let percent = NumberText.parse(text.dropLast()),
      (0...100).contains(percent)
    else { throw OptionError("expected a percentage of 0% to 100%, as in 10%") }
    return percent / 100
  }
}
