import ArgumentParser
import CairnIO
import CairnRequest

/// The options for the order, number, columns and format of the rows.
struct RowOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sort by these columns, also computed ones (:desc for descending), by distance, or by rank.",
      valueName: "key[:desc],..."), completion: StoreCompletion.keys)
  var sort: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Take n of the matching rows at random, each with the same probability.", valueName: "n"),
    transform: NumberText.count)
  var sample: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number that determines which rows --sample takes (default: another one each time).",
      valueName: "n"), transform: NumberText.count)
  var seed: Int?

  @Option(
    name: [.long, .customShort("n")], parsing: .unconditional,
    help: ArgumentHelp(
      "Print at most n rows. A table on a terminal stops after three screens; 0 shows all.",
      valueName: "n"), transform: NumberText.count)
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Skip the first n rows.", valueName: "n"), transform: NumberText.count)
  var offset: Int = 0

  @Option(
    help: ArgumentHelp(
      """
      The columns to print; also distance, area, length, location.latitude, location.wkt, ..., * \
      for all, and formulas with a name, as in "population / area AS density".
      """,
      valueName: "col,..."), completion: StoreCompletion.selection)
  var select: [String] = []

  @Option(
    help: ArgumentHelp(
      "Print a row for each point, line and polygon of a geometry among the columns.",
      valueName: "col"), completion: StoreCompletion.columns(of: "--explode"))
  var explode: String?

  @Option(
    help: ArgumentHelp(
      "Print only the first row for each combination of values in these columns.",
      valueName: "col,..."),
    completion: StoreCompletion.columns(of: "--distinct"))
  var distinct: [String] = []

  @Option(
    help: ArgumentHelp(
      "The coordinate system of the output: EPSG:27700 or 27700 (default: WGS 84 degrees).",
      valueName: "system"))
  var crs: String?

  @Option(
    help: ArgumentHelp(
      "The output format (default: by the extension of --output).", valueName: "format"))
  var format: OutputFormat?

  @OptionGroup var picture: PictureOptions

  @Flag(help: "Print the query plan and its timing instead of the rows.")
  var explain = false

  @OptionGroup var csv: CSVOutputOptions
  @OptionGroup var parquet: ParquetOutputOptions

  /// The output of the rows.
  ///
  /// - Parameters:
  ///   - path: The value of `--output`.
  ///   - byDefault: Returns the format for a path without `--format`; nil stands for standard output.
  func output(
    to path: String?, byDefault: (String?) throws -> OutputFormat = OutputFormat.byDefault(for:)
  ) throws -> RowOutput {
    if let folder = try parquet.folder(path, format: format) { return .folder(folder) }
    return .file(try format ?? byDefault(explain ? nil : path), path)
  }

  func validate() throws {
    if seed != nil, sample == nil { throw ValidationError("--seed needs --sample") }
    if sample != nil, explain { throw ValidationError("--sample has no query plan of its own") }
  }

  /// The limit in words, for the heading of a map, or nil if all rows are printed.
  ///
  /// - Parameter areNearest: Whether the rows are those nearest to the origin of distances.
  func limitWords(areNearest: Bool) -> String? {
    let order = sort.isEmpty ? "" : " by " + sort.joined(separator: ",")
    guard let limit else {
      return offset > 0 ? "without the first \(offset)\(order)" : nil
    }
    guard offset == 0 else { return "rows \(offset + 1) to \(offset + limit)\(order)" }
    return areNearest ? "the \(limit) nearest" : "the first \(limit)\(order)"
  }
}

/// The options for the dialect of CSV and TSV output.
struct CSVOutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The delimiter of CSV output: a character, or tab, comma, semicolon, pipe or space.",
      valueName: "char"),
    completion: .list(["tab", "comma", "semicolon", "pipe", "space"]),
    transform: ByteOption.init(text:))
  var delimiter: ByteOption?

  @Flag(
    help: "Write the numbers of CSV output with a decimal comma, and semicolons between fields.")
  var decimalComma = false

  @Flag(help: "Begin CSV output with a byte order mark, by which Excel recognizes UTF-8.")
  var bom = false

  func validate() throws {
    if decimalComma, delimiter?.byte == UInt8(ascii: ",") {
      throw ValidationError("--decimal-comma needs another --delimiter than the comma")
    }
  }

  /// The dialect for a format.
  ///
  /// - Throws: A usage failure if an option is given for another format than CSV and TSV.
  func style(for format: OutputFormat) throws -> CSVStyle {
    let option =
      delimiter != nil ? "--delimiter" : decimalComma ? "--decimal-comma" : bom ? "--bom" : nil
    if let option, format != .csv, format != .tsv {
      throw Failure(.usage, message: "\(option) applies only to the formats csv and tsv")
    }
    var style = CSVStyle()
    style.delimiter = delimiter?.byte
    style.hasDecimalCommas = decimalComma
    style.hasByteOrderMark = bom
    return style
  }
}

/// The options for the layout of Parquet.
struct ParquetOutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The rows of a row group of Parquet (default: 122880); readers skip whole groups.",
      valueName: "n"))
  var rowGroupSize: Int?

  @Option(
    help: ArgumentHelp(
      """
      Write a folder with a folder of Parquet for each value, such as country=CH: of columns, formulas \
      with a name, year(col) and other parts of dates, cell(degrees), geohash(length), hex(distance).
      """,
      valueName: "col,..."), completion: StoreCompletion.groups(of: "--partition-by"))
  var partitionBy: [String] = []

  func validate() throws {
    if let rowGroupSize, rowGroupSize < 1 {
      throw ValidationError("--row-group-size is at least 1")
    }
  }

  /// The rows of a row group of a format; nil for the usual number.
  ///
  /// - Throws: A usage failure if the option is given for another format than Parquet.
  func groupSize(for format: OutputFormat) throws -> Int? {
    guard rowGroupSize == nil || format == .parquet else {
      throw Failure(.usage, message: "--row-group-size applies only to the format parquet")
    }
    return rowGroupSize
  }

  /// The path of the folder that is written; nil without `--partition-by`.
  ///
  /// - Parameters:
  ///   - output: The value of `--output`.
  ///   - format: The value of `--format`.
  /// - Throws: A usage failure without a folder, and for another format than Parquet.
  func folder(_ output: String?, format: OutputFormat?) throws -> String? {
    guard !partitionBy.isEmpty else { return nil }
    guard let output, output != "-" else {
      throw Failure(
        .usage, message: "\(FolderColumns.option) writes a folder, which --output names")
    }
    let format = format ?? OutputFormat(extensionOf: output) ?? .parquet
    guard format == .parquet else {
      throw Failure(
        .usage,
        message: "\(FolderColumns.option) writes folders of Parquet, not of \(format.rawValue)")
    }
    return output
  }
}

/// The class that a command reads, in a store or a file of data, and the condition for its rows.
struct TargetArguments: ParsableArguments {
  @Argument(
    help: "The store, or a file of data such as cities.csv or FILE:LAYER.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp(
      "The class; 'cairn schema' lists them. A file of one class needs none.", valueName: "class"),
    completion: StoreCompletion.classes)
  var className: String?

  @Argument(
    help:
      "A condition, as in \"population > 1000 AND country == 'FR'\", or @FILE to read it from FILE."
  )
  var predicate: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only rows whose texts have these words, as in \"harbour -ferry light*\".",
      valueName: "words"))
  var search: String?

  @OptionGroup var dates: DateOptions

  @OptionGroup var checking: CheckingOptions

  /// The arguments as they are written.
  ///
  /// - Parameter area: The options for the place of the rows.
  func arguments(_ area: AreaOptions) throws -> RowArguments {
    let (reference, predicate) = try ClassReference.withCondition([store, className, predicate])
    return RowArguments(
      reference: reference, predicate: predicate, search: search,
      isUntrusted: checking.untrusted, area: area.arguments, dates: dates.interval)
  }
}

/// The option for the dates of the rows.
struct DateOptions: ParsableArguments {
  @Option(
    name: .customLong("datetime"), parsing: .unconditional,
    help: ArgumentHelp(
      """
      Rows whose date, the first of the class, is on a day, at a time or in an interval: 2024-01-31, \
      2024-01-01/2024-06-30, or 2024-01-01/.. without an end.
      """, valueName: "time"),
    transform: DateInterval.init(argument:))
  var interval: DateInterval?
}

extension DateInterval {
  /// Parses the value of `--datetime`.
  fileprivate init(argument text: String) throws {
    do throws(DateIntervalError) { try self.init(text) } catch {
      throw OptionError(error.message)
    }
    // Two empty variables of a script must not select every row, as for `delete`.
    guard start != nil || end != nil else {
      throw OptionError("the interval has neither a start nor an end")
    }
  }
}

/// The option to check a store before it is read.
struct CheckingOptions: ParsableArguments {
  @Flag(help: "Check the whole store first, as 'cairn verify' does, because it may be damaged.")
  var untrusted = false
}

/// The value of `--format`, or the format that the extension of a file selects instead.
extension OutputFormat: WordArgument {
  /// The format of an output whose format is not given: that of the extension of the file, or a
  /// table for standard output and devices.
  ///
  /// - Throws: A usage failure with a suggestion if the extension is unknown.
  static func byDefault(for output: String?) throws -> OutputFormat {
    guard let output, output != "-" else { return .table }
    if let format = OutputFormat(extensionOf: output) { return format }
    return System.isDevice(output) ? .table : try selected(byExtensionOf: output)
  }

  /// The format for the extension of a path.
  ///
  /// - Throws: A usage failure with a suggestion if the extension is unknown.
  static func selected(byExtensionOf path: String) throws -> OutputFormat {
    if let format = OutputFormat(extensionOf: path) { return format }
    let name = path.split(separator: "/").last ?? ""
    let fileExtension = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    var advice = "use --format: \(Hint.list(allCases.map(\.rawValue)))"
    if let format = OutputFormat(extensionOf: String(path.dropLast(fileExtension.count + 1))),
      !format.isWrittenByGDAL,
      let program = ["zip": "zip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"][
        fileExtension.lowercased()]
    {
      advice =
        "only gzip (.gz) is written directly; for others, use a pipe: "
        + "--output - --format \(format.rawValue) | \(program) > \(path)"
    } else if let nearest = Hint.nearest(
      fileExtension.lowercased(), among: knownExtensions)
    {
      advice = "did you mean '\(path.dropLast(fileExtension.count))\(nearest)'? Or \(advice)"
    }
    throw Failure(.usage, message: "the extension of '\(path)' does not select a format; \(advice)")
  }
}
