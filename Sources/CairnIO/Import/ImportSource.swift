/// One file of an import: its format, and how it is split.
struct ImportSource: Sendable {
  enum Content: Sendable {
    case csv(CSVLayout)
    case geojson(JSONRecordLayout, start: Int64)
    case json(JSONRecordLayout, JSONLayout, start: Int64)
    case layer(any LayerSource)
  }

  let input: InputFile
  let content: Content
  let reading: CoordinateReading
  /// The folder that the file is a part of; nil for a file that is named itself.
  let folder: String?
  private let longestRecord: Int

  /// Opens a file and reads as much of it as is needed to detect its format.
  ///
  /// - Parameters:
  ///   - file: The file; one of a folder is Parquet.
  ///   - progress: Called with the bytes read and the size of the file, if the file must be
  ///     copied first. Its error ends the copying.
  init(
    _ file: ImportFile, options: ImportOptions,
    progress: (Int64, Int64) throws(ImportError) -> Void
  ) throws(ImportError) {
    let path = file.path
    let options = file.options(options)
    longestRecord = options.longestRecord
    folder = file.folder
    let asksForLayers = options.format == .gdal || options.layer != nil
    let packed = try asksForLayers ? nil : ZipArchive.onlyTable(in: path)
    if options.format == .gdal
      || options.format == nil && packed == nil
        && LayerFormats.recognizes(path, includesJSON: options.gdalReader != nil)
    {
      // GDAL decodes and unpacks the file itself.
      input = try InputFile(path: path, encoding: .utf8, spoolDirectory: options.spoolDirectory)
      guard let layers = options.layerReader else {
        throw ImportError(
          .library, message: "\(path): this program has no process that reads files with GDAL")
      }
      let layer = try layers.open(path, size: input.size, options: options)
      if options.hasNoLocation, layer.columns.hasLocations { throw Self.hasGeometries(layer.name) }
      content = .layer(layer)
      let member = layer.columns.schema.system.map { CRSMember(name: $0) }
      reading = try CoordinateReading(options, member: member, file: input.name)
      return
    }
    guard options.layer == nil else {
      throw ImportError(.usage, message: "\(path): \(option: .layer) is for files that have layers")
    }
    input = try InputFile(
      path: path, encoding: options.encoding, spoolDirectory: options.spoolDirectory,
      member: packed, name: options.inputName, staysOpen: file.staysOpen, progress: progress)
    let inner = packed?.name ?? path
    let block = InputBlock(capacity: JSONRecordLayout.sampleSize)
    let count = try block.fill(from: input, at: 0)
    if let layer = try Self.layer(
      of: input, block: block, count: count, values: file.values, options: options)
    {
      if options.hasNoLocation, layer.columns.hasLocations {
        throw Self.hasGeometries(layer.name)
      }
      content = .layer(layer)
      let member = layer.columns.schema.system.map { CRSMember(name: $0) }
      reading = try CoordinateReading(options, member: member, file: input.name)
      return
    }
    let format = options.format ?? Self.format(inner, block: block, count: count)
    if let objection = KnownContent.objection(block, count: count, format: format) {
      throw ImportError(.data, message: "\(input.name):1: \(objection)")
    }
    if format == .csv {
      content = .csv(try CSVLayout(input, options: options, ending: Self.ending(of: inner)))
      reading = try CoordinateReading(options, member: nil, file: input.name)
      return
    }
    let start = CSVHeader.byteOrderMark(block, count: count)
    let scan = JSONScan(bytes: block.bytes + start, count: count - start)
    let layout = JSONRecordLayout.detect(scan, format: format)
    if format == .json || format == .jsonl {
      content = .json(
        layout, try JSONLayout(input, options: options, start: start), start: Int64(start))
      reading = try CoordinateReading(options, member: nil, file: input.name)
      return
    }
    try Self.checkColumns(options, input: input)
    content = .geojson(layout, start: Int64(start))
    let member = layout == .collection ? Self.crs(scan) : nil
    reading = try CoordinateReading(options, member: member, file: input.name)
  }

  /// Opens a file of a format that stores columns; returns nil for another file.
  ///
  /// - Parameter values: The columns that the path of the file states.
  private static func layer(
    of input: InputFile, block: InputBlock, count: Int, values: [PathValue],
    options: ImportOptions
  ) throws(ImportError) -> (any LayerSource)? {
    let readers = options.columnFileReaders.filter {
      options.format == nil || options.format == $0.format
    }
    let head = UnsafeRawBufferPointer(start: block.bytes, count: count)
    for reader in readers {
      if let file = try reader.open(input, head: head, options: options) {
        return try ColumnFileSource(
          values.isEmpty ? file : PathColumnFile(file, values), options: options)
      }
    }
    guard let wanted = readers.first?.format, options.format != nil else { return nil }
    throw ImportError(
      .data, message: "\(input.name): the file is not in the format \(wanted.rawValue)")
  }

  /// Rejects column names, because GeoJSON has no columns.
  private static func checkColumns(
    _ options: ImportOptions, input: InputFile
  ) throws(ImportError) {
    if options.hasNoLocation { throw hasGeometries(input.name) }
    for (name, option) in [
      (options.latitudes.first, ImportOption.latitude), (options.longitudes.first, .longitude),
      (options.x, .x),
      (options.y, .y), (options.geometryColumns.first, .geometryColumn),
      (
        options.pairColumn?.name,
        options.pairColumn?.isLongitudeFirst == true
          ? .longitudeFirstColumn : .latitudeFirstColumn
      ),
    ] where name != nil {
      throw ImportError(
        .usage,
        message: "\(input.name): \(option: option) names a CSV column, but this file is GeoJSON")
    }
  }

  private static func hasGeometries(_ file: String) -> ImportError {
    ImportError(
      .usage,
      message: "\(file): \(option: .hasNoLocation) is for tables, but the rows of this file have "
        + "geometries")
  }

  /// Returns the member `crs`, if it is in the part of a collection that was read.
  private static func crs(_ scan: JSONScan) -> CRSMember? {
    guard let range = scan.member("crs", ofObjectAt: scan.skipSpace(0)),
      JSONCheck.firstError(scan.bytes + range.lowerBound, count: range.count) == nil
    else { return nil }
    return CRSMember(
      UnsafeBufferPointer(start: scan.bytes + range.lowerBound, count: range.count))
  }

  private static func format(_ path: String, block: InputBlock, count: Int) -> InputFormat {
    switch ending(of: path) {
    case "csv", "tsv", "tab", "psv": return .csv
    case "geojson": return .geojson
    case "geojsonl", "geojsons", "geojsonseq": return .geojsonl
    default: break
    }
    let hasLines = ["ndjson", "jsonl"].contains(ending(of: path))
    let scan = JSONScan(bytes: block.bytes, count: count)
    var first = scan.skipSpace(CSVHeader.byteOrderMark(block, count: count))
    guard first < count else { return hasLines ? .jsonl : .csv }
    if scan.bytes[first] == UInt8(ascii: "[") {
      return isGeoJSON(scan, start: scan.skipSpace(first + 1)) ? .geojson : .json
    }
    let isMarked = scan.bytes[first] == JSONRecordLayout.recordSeparator
    if isMarked { first = scan.skipSpace(first + 1) }
    guard first < count, scan.bytes[first] == UInt8(ascii: "{") || isMarked || hasLines else {
      return .csv
    }
    let hasRecordLines = hasLines || isMarked
    return isGeoJSON(scan, start: first)
      ? (hasRecordLines ? .geojsonl : .geojson) : hasRecordLines ? .jsonl : .json
  }

  /// Whether an object that begins at the index is GeoJSON.
  private static func isGeoJSON(_ scan: JSONScan, start: Int) -> Bool {
    guard start < scan.count, scan.bytes[start] == UInt8(ascii: "{") else { return false }
    return JSONRecordLayout.isGeoJSON(scan, start: start)
  }

  /// Returns the last component of a path, without the extension `.gz`.
  private static func name(of path: String) -> Substring {
    let name = path.split(separator: "/").last ?? path[...]
    return name.lowercased().hasSuffix(".gz") && name.count > 3 ? name.dropLast(3) : name
  }

  /// Returns the extension of a file's name in lower case.
  private static func ending(of path: String) -> String {
    let name = name(of: path)
    guard let point = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: point)...].lowercased()
  }

  /// The extensions that consist of two.
  private static let doubleEndings = [".shp.zip", ".osm.pbf", ".gdb.zip"]

  /// Returns the file's name without folder and extension.
  static func className(of path: String) -> String {
    if HiveFolder.isReadable(path) { return HiveFolder.className(of: path) }
    var name = ZipArchive.plainName(name(of: path))
    if doubleEndings.contains(where: name.lowercased().hasSuffix) {
      name = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    }
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return String(name) }
    return String(name[..<point])
  }

  /// The columns or members that hold coordinates.
  var coordinateColumns: [String] {
    switch content {
    case .csv(let layout):
      layout.sources.flatMap { $0.location.columnIndexes.map { layout.names[$0] } }
    case .json(_, let layout, _): layout.location.names.map(\.text)
    case .layer(let input): input.columns.coordinateColumns
    case .geojson: []
    }
  }

  /// The error of an import that needs locations; nil if the file has some, or if none were looked
  /// for.
  var missingLocation: ImportError? {
    switch content {
    case .csv(let layout): layout.missingLocation
    case .json(_, let layout, _): layout.missingLocation
    case .layer(let input): input.columns.missingLocation
    case .geojson: nil
    }
  }

  /// The byte that ends a line, for counting lines.
  var lineEnd: UInt8 {
    if case .csv(let layout) = content { layout.dialect.newline } else { CSVQuotes.newline }
  }

  /// Returns a splitter of the records into blocks.
  ///
  /// - Parameter rows: The rows of a layer; nil for all.
  func makeSplitter(_ rows: RowRanges? = nil) -> any BlockSplitter {
    switch content {
    case .csv(let layout):
      CSVSplitter(input, dialect: layout.dialect, offset: layout.start, longest: longestRecord)
    case .geojson(let layout, let start): makeSplitter(layout, start: start, noun: .feature)
    case .json(let layout, _, let start): makeSplitter(layout, start: start, noun: .object)
    case .layer(let input): input.makeSplitter(rows)
    }
  }

  private func makeSplitter(
    _ layout: JSONRecordLayout, start: Int64, noun: RecordNoun
  ) -> any BlockSplitter {
    guard case .lines(let separator) = layout else {
      return FeatureSplitter(
        input, reading: reading, offset: start, layout: layout, noun: noun, longest: longestRecord)
    }
    return LineSplitter(
      input, offset: start, separator: separator, noun: noun, longest: longestRecord)
  }
}

extension CoordinateMappings {
  /// Creates the mappings of the files of an import.
  convenience init(_ sources: [ImportSource]) {
    self.init(
      files: sources.map(\.input.name), readings: sources.map(\.reading),
      layouts: sources.map {
        if case .json(_, let layout, _) = $0.content { layout } else { nil }
      })
  }
}

/// Recognizes files that people take for CSV or GeoJSON by their first bytes.
enum KnownContent {
  /// The advice for input that GDAL reads if it is a file.
  private static let asFile: ImportMessage =
    "GDAL reads it from a file that is not compressed, with \(option: .format, "gdal")"
  private static let magics: [(bytes: [UInt8], what: ImportMessage)] = [
    (
      [0x50, 0x4B, 3, 4],
      "a ZIP archive (as .xlsx and .kmz are); \(asFile)"
    ),
    (
      [0x28, 0xB5, 0x2F, 0xFD],
      "compressed with zstd; use \(pipe: "zstd -dc FILE", namesClass: true)"
    ),
    ([0x42, 0x5A, 0x68], "compressed with bzip2; use \(pipe: "bzip2 -dc FILE", namesClass: true)"),
    (
      [0xFD, 0x37, 0x7A, 0x58, 0x5A],
      "compressed with xz; use \(pipe: "xz -dc FILE", namesClass: true)"
    ),
    (
      Array("SQLite format 3\0".utf8),
      "an SQLite database (as a GeoPackage is); \(asFile)"
    ),
    (Array("fgb\u{3}".utf8), "FlatGeobuf; \(asFile)"),
    ([0, 0, 0x27, 0x0A], "a shapefile; \(asFile)"),
    (Array("%PDF".utf8), "a PDF, which is neither CSV nor GeoJSON"),
    (Array("<?xml".utf8), "XML (as KML and GPX are); \(asFile)"),
  ]
  private static let looked = 1024

  /// Returns why the file cannot be read, or nil when nothing indicates that.
  static func objection(_ block: InputBlock, count: Int, format: InputFormat) -> ImportMessage? {
    let head = UnsafeBufferPointer(start: block.bytes, count: min(count, looked))
    if let known = magics.first(where: { head.starts(with: $0.bytes) }) {
      return "the file is \(known.what)"
    }
    let zeros = head.indices.filter { head[$0] == 0 }
    guard !zeros.isEmpty else { return nil }
    if zeros.count * 3 > head.count, let encoding = encoding(zeros) {
      return
        "the file has a zero byte next to each letter; "
        + "if it is UTF-16, use \(option: .encoding, encoding)"
    }
    return format == .csv && zeros.count * 10 < head.count
      ? nil : "the file contains zero bytes and is neither CSV nor GeoJSON"
  }

  /// Returns the byte order of UTF-16: plain letters have their zeros all at odd offsets or all at
  /// even ones.
  private static func encoding(_ zeros: [Int]) -> String? {
    let odd = zeros.count { !$0.isMultiple(of: 2) }
    if odd * 10 > zeros.count * 9 { return "utf-16le" }
    return odd * 10 < zeros.count ? "utf-16be" : nil
  }
}
