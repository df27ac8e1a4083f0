/// What stands in which column of one CSV file, and how it is written.
struct CSVLayout: Sendable {
  /// The columns in the order of the file.
  let names: [String]
  /// Those that have no name in the header: they become properties only where they hold a value.
  let unnamed: Set<Int>
  let location: CSVLocation
  /// Where the records begin.
  let start: Int64
  let dialect: CSVDialect
  /// Numbers have a comma where others have a point.
  let hasDecimalCommas: Bool
  /// Rows that are too short are filled up with nulls.
  let fillsRows: Bool
  /// What becomes of geometries that are no points.
  let shapes: ShapeOptions
  /// The texts that mean null, and the form of dates.
  let reading: FieldReading
  /// What was made of the header, for the user to know.
  let notes: [String]

  /// The columns that become properties, with their places in the file.
  var properties: [(place: Int, name: String, isUnnamed: Bool)] {
    let taken = Set(location.places)
    return names.enumerated()
      .filter { !taken.contains($0.offset) }
      .map { ($0.offset, $0.element, unnamed.contains($0.offset)) }
  }

  /// Reads as much of a file as tells its layout.
  ///
  /// - Parameter ending: what follows the last point of the file's name.
  init(_ input: InputFile, _ options: ImportOptions, ending: String) throws(ImportError) {
    let sample = try CSVSample(input)
    let sniffer = CSVSniffer(sample: sample, options: options, file: input.name, ending: ending)
    var dialect = try sniffer.dialect()
    var (options, notes) = (options, [String]())
    var header = try CSVHeader(sample, dialect, options, file: input.name)
    var finder = CSVLocationFinder(names: header.names, options: options, file: input.name)
    if options.hasHeader, !finder.isNamed, let value = header.place {
      notes.append(
        "the first line holds the place `\(value.prefix(40))`, so it is data, not a header: "
          + "the columns are \(CSVColumnNames(numbered: header.names.names.count).list)")
      options.hasHeader = false
      header = try CSVHeader(sample, dialect, options, file: input.name)
      finder = CSVLocationFinder(names: header.names, options: options, file: input.name)
    }
    location = try finder.find(CSVSampleRows(sample, dialect, from: Int(header.start)))
    if header.followsComments { dialect.doubtfulComment = UInt8(ascii: "#") }
    self.dialect = dialect
    names = header.names.names
    unnamed = header.names.unnamed
    start = header.start
    self.notes = (notes + header.names.notes).map { "\(input.name):1: \($0)" }
    hasDecimalCommas = options.hasDecimalCommas
    fillsRows = options.fillsRows
    shapes = options.shapes
    reading = options.reading
  }
}

/// The texts of the first rows of a file, from which a column's content is told.
struct CSVSampleRows {
  private static let limit = 100
  private static let size = 1 << 16

  private let rows: [[String]]
  /// Some row is no UTF-8.
  let isUndecoded: Bool

  init(_ sample: CSVSample, _ dialect: CSVDialect, from start: Int) {
    let records = sample.records(from: start, dialect, limit: Self.limit, within: Self.size)
    rows = records.map(sample.texts)
    isUndecoded = records.contains {
      UTF8Check.firstError(sample.bytes, $0.start..<$0.end) != nil
    }
  }

  /// - Parameter rows: texts, as many in each.
  init(_ rows: [[String]]) {
    self.rows = rows
    isUndecoded = false
  }

  /// The values of a column that are not blank.
  func values(_ column: Int) -> [String] {
    rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
  }

  /// Whether the column has values, and each of them passes.
  func all(_ column: Int, _ passes: (String) -> Bool) -> Bool {
    let values = values(column)
    return !values.isEmpty && values.allSatisfy(passes)
  }
}
