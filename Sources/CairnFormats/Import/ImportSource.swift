/// One file of an import: what it is, and how it is cut.
struct ImportSource: Sendable {
  enum Shape: Sendable {
    case csv(CSVLayout)
    case geojson(GeoJSONShape, start: Int64)
    case json(GeoJSONShape, JSONLayout, start: Int64)
  }

  let input: InputFile
  let shape: Shape
  let reading: CoordinateReading
  private let longestRecord: Int

  /// Opens a file and reads as much of it as tells its shape.
  ///
  /// - Parameter progress: called with the bytes read and those of the file, where all of it has to be copied first.
  init(
    path: String, options: ImportOptions, progress: (Int64, Int64) -> Void
  ) throws(ImportError) {
    input = try InputFile(
      path: path, encoding: options.encoding, spoolDirectory: options.spoolDirectory,
      progress: progress)
    longestRecord = options.longestRecord
    let section = InputSection(capacity: GeoJSONShape.sampleSize)
    let count = try section.fill(from: input, at: 0)
    let format = options.format ?? Self.format(path, section, count)
    if let objection = KnownContent.objection(section, count, format) {
      throw ImportError(.data, "\(input.name):1: \(objection)")
    }
    if format == .csv {
      shape = .csv(try CSVLayout(input, options, ending: Self.ending(of: path)))
      reading = try CoordinateReading(options, member: nil, file: input.name)
      return
    }
    let start = CSVHeader.byteOrderMark(section, count)
    let scan = JSONScan(bytes: section.bytes + start, count: count - start)
    let shape = GeoJSONShape.detect(scan, format: format)
    if format == .json || format == .jsonl {
      self.shape = .json(
        shape, try JSONLayout(input, options, start: start), start: Int64(start))
      reading = try CoordinateReading(options, member: nil, file: input.name)
      return
    }
    try Self.checkColumns(options, input)
    self.shape = .geojson(shape, start: Int64(start))
    let member = shape == .collection ? Self.crs(scan) : nil
    reading = try CoordinateReading(options, member: member, file: input.name)
  }

  /// Refuses the names of columns, which GeoJSON has not.
  private static func checkColumns(
    _ options: ImportOptions, _ input: InputFile
  ) throws(ImportError) {
    for (name, option) in [
      (options.latitude, "--lat"), (options.longitude, "--lon"), (options.x, "--x"),
      (options.y, "--y"), (options.geometryColumn, "--wkt"),
      (
        options.pairColumn?.name,
        options.pairColumn?.isLongitudeFirst == true ? "--lon-lat" : "--lat-lon"
      ),
    ] where name != nil {
      throw ImportError(
        .usage, "\(input.name): `\(option)` names a CSV column, and this file is GeoJSON")
    }
  }

  /// The member `crs`, where it stands in what was read of a collection.
  private static func crs(_ scan: JSONScan) -> CRSMember? {
    guard let place = scan.member("crs", ofObjectAt: scan.skipSpace(0)),
      JSONCheck.firstError(scan.bytes + place.lowerBound, place.count) == nil
    else { return nil }
    return CRSMember(
      UnsafeBufferPointer(start: scan.bytes + place.lowerBound, count: place.count))
  }

  private static func format(_ path: String, _ section: InputSection, _ count: Int) -> InputFormat {
    switch ending(of: path) {
    case "csv", "tsv", "tab", "psv": return .csv
    case "geojson": return .geojson
    case "geojsonl", "geojsons", "geojsonseq": return .geojsonl
    default: break
    }
    let hasLines = ["ndjson", "jsonl"].contains(ending(of: path))
    let scan = JSONScan(bytes: section.bytes, count: count)
    var first = scan.skipSpace(CSVHeader.byteOrderMark(section, count))
    guard first < count else { return hasLines ? .jsonl : .csv }
    if scan.bytes[first] == UInt8(ascii: "[") {
      return isGeoJSON(scan, scan.skipSpace(first + 1)) ? .geojson : .json
    }
    let isMarked = scan.bytes[first] == LineCutter.recordSeparator
    if isMarked { first = scan.skipSpace(first + 1) }
    guard first < count, scan.bytes[first] == UInt8(ascii: "{") || isMarked || hasLines else {
      return .csv
    }
    let hasRecordLines = hasLines || isMarked
    return isGeoJSON(scan, first)
      ? (hasRecordLines ? .geojsonl : .geojson) : hasRecordLines ? .jsonl : .json
  }

  /// Whether an object that begins at the index is GeoJSON.
  private static func isGeoJSON(_ scan: JSONScan, _ start: Int) -> Bool {
    guard start < scan.count, scan.bytes[start] == UInt8(ascii: "{") else { return false }
    return GeoJSONShape.isGeoJSON(scan, start)
  }

  /// The last part of a path, without the ending of a packed file.
  private static func name(of path: String) -> Substring {
    let name = path.split(separator: "/").last ?? path[...]
    return name.lowercased().hasSuffix(".gz") && name.count > 3 ? name.dropLast(3) : name
  }

  /// What follows the last point of a file's name, in lower case.
  private static func ending(of path: String) -> String {
    let name = name(of: path)
    guard let point = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: point)...].lowercased()
  }

  /// The file's name without folder and ending.
  static func className(of path: String) -> String {
    let name = name(of: path)
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return String(name) }
    return String(name[..<point])
  }

  /// What ends a line, for those who count them.
  var lineEnd: UInt8 {
    if case .csv(let layout) = shape { layout.dialect.newline } else { CSVQuotes.newline }
  }

  func makeCutter() -> any SectionCutter {
    switch shape {
    case .csv(let layout):
      CSVCutter(input, layout.dialect, offset: layout.start, longest: longestRecord)
    case .geojson(let shape, let start): makeCutter(shape, start, .feature)
    case .json(let shape, _, let start): makeCutter(shape, start, .object)
    }
  }

  private func makeCutter(
    _ shape: GeoJSONShape, _ start: Int64, _ noun: RecordNoun
  ) -> any SectionCutter {
    guard case .lines(let separator) = shape else {
      return FeatureCutter(
        input, reading, offset: start, shape: shape, noun: noun, longest: longestRecord)
    }
    return LineCutter(
      input, offset: start, separator: separator, noun: noun, longest: longestRecord)
  }
}
