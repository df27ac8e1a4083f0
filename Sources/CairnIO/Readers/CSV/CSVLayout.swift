/// The content of each column of one CSV file, and its notation.
struct CSVLayout: Sendable {
  /// The columns in the order of the file.
  let names: [String]
  /// The columns without a name in the header, which become properties only if they hold a value.
  let unnamed: Set<Int>
  /// The sources of locations and geometries.
  let sources: [LocationSource]
  /// The error of an import that needs locations; nil if the file has some or needs none.
  let missingLocation: ImportError?
  /// The offset of the first record.
  let start: Int64
  let dialect: CSVDialect
  /// The notation of numbers.
  let numbers: NumberNotation
  /// Whether rows that are too short are filled with nulls.
  let fillsRows: Bool
  /// How geometries that are not points are imported.
  let geometries: GeometryOptions
  /// The texts that mean null, and the format of dates.
  let reading: FieldReading
  /// Changes to the names of the header, reported to the user.
  let notes: [String]

  /// The columns that become properties, with their indexes in the file.
  var properties: [(index: Int, name: String, isUnnamed: Bool)] {
    let taken = Set(sources.flatMap(\.location.columnIndexes))
    return names.enumerated()
      .filter { !taken.contains($0.offset) }
      .map { ($0.offset, $0.element, unnamed.contains($0.offset)) }
  }

  /// The sources with the index of each among the properties of a class made from the file.
  var spatialIndexes: [(source: SpatialSource, index: Int?)] {
    let own = properties
    let sorted = sources.sorted { $0.firstColumn < $1.firstColumn }
    return sorted.enumerated().map { before, source in
      (source.source, before + own.count { $0.index < source.firstColumn })
    }
  }

  /// Reads as much of a file as is needed to detect its layout.
  ///
  /// - Parameter ending: The extension of the file's name.
  init(_ input: InputFile, options: ImportOptions, ending: String) throws(ImportError) {
    let sample = try CSVSample(input, skippingLines: options.skippedLines)
    let sniffer = CSVSniffer(sample: sample, options: options, file: input.name, ending: ending)
    var dialect = try sniffer.dialect()
    var (options, notes) = (options, [String]())
    var header = try CSVHeader(sample, dialect: dialect, options: options, file: input.name)
    var finder = LocationColumnFinder(names: header.names, options: options, file: input.name)
    if options.hasHeader, !finder.isNamed, let value = header.locationName {
      notes.append(
        "the first line holds the location `\(value.prefix(40))`, so it is data, not a header; "
          + "the columns are \(ColumnNames(numbered: header.names.names.count).list)")
      options.hasHeader = false
      header = try CSVHeader(sample, dialect: dialect, options: options, file: input.name)
      finder = LocationColumnFinder(names: header.names, options: options, file: input.name)
    }
    let rows = SampleRows(sample, dialect: dialect, from: Int(header.start))
    sources = try options.readsLocation ? finder.find(rows) : []
    missingLocation = options.readsLocation && sources.isEmpty ? finder.missing(rows) : nil
    if header.followsComments { dialect.doubtfulComment = UInt8(ascii: "#") }
    self.dialect = dialect
    names = header.names.names
    unnamed = header.names.unnamed
    start = header.start
    self.notes = (notes + header.names.notes).map { "\(input.name):1: \($0)" }
    numbers = options.numbers
    fillsRows = options.fillsRows
    geometries = options.geometries
    reading = options.reading
  }
}

extension SampleRows {
  private static let limit = 100
  private static let size = 1 << 16

  /// Reads the first rows of a CSV file.
  ///
  /// - Parameter start: The offset of the first row.
  init(_ sample: CSVSample, dialect: CSVDialect, from start: Int) {
    let records = sample.records(from: start, dialect, limit: Self.limit, within: Self.size)
    self.init(
      records.map(sample.texts),
      isUndecoded: records.contains {
        UTF8Check.firstError(sample.bytes, range: $0.start..<$0.end) != nil
      })
  }
}
