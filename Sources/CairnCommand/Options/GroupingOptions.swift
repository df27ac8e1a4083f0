import ArgumentParser
import CairnIO

/// The options that group rows, and those for the order, number and format of the groups.
struct GroupingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Group by these columns of the class or of the features of a file, by year(col), month(col), \
      day(col), hour(col) or date(col), or by location: cell(degrees), geohash(length), \
      hex(distance).
      """,
      valueName: "col,..."),
    completion: StoreCompletion.groups)
  var by: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time zone of year(col) and so on: Europe/Zurich or +02:00 (default: UTC).",
      valueName: "zone"),
    transform: TimeZoneOption.init(text:))
  var timezone: TimeZoneOption?

  @Option(
    help: ArgumentHelp(
      "Sort by these columns of the output (:desc for descending).",
      valueName: "key[:desc],..."))
  var sort: [String] = []

  @Option(
    name: [.long, .customShort("n")], parsing: .unconditional,
    help: ArgumentHelp("Print at most n rows.", valueName: "n"), transform: NumberText.count)
  var limit: Int?

  @OptionGroup var target: OutputOptions

  func validate() throws {
    if timezone != nil, by.isEmpty {
      throw ValidationError("--timezone applies only to dates in --by, as in --by year(time)")
    }
  }

  /// The format of `--format`, or of the extension of `--output`.
  func outputFormat() throws -> OutputFormat {
    try target.format ?? .byDefault(for: target.file.path)
  }
}
