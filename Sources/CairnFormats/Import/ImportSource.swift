/// One file of an import: what it is, and how it is cut.
struct ImportSource: Sendable {
  enum Shape: Sendable {
    case csv(CSVLayout)
    case geojson(GeoJSONShape, start: Int64)
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
    try Self.checkColumns(options, input)
    let start = CSVHeader.byteOrderMark(section, count)
    let scan = JSONScan(bytes: section.bytes + start, count: count - start)
    let shape = GeoJSONShape.detect(scan, format: format)
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
    case "geojsonl", "geojsons", "ndjson", "jsonl", "geojsonseq": return .geojsonl
    default: break
    }
    let scan = JSONScan(bytes: section.bytes, count: count)
    let first = scan.skipSpace(CSVHeader.byteOrderMark(section, count))
    guard first < count else { return .csv }
    switch scan.bytes[first] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), LineCutter.recordSeparator: return .geojson
    default: return .csv
    }
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
    case .geojson(.lines(let separator), let start):
      LineCutter(input, offset: start, separator: separator, longest: longestRecord)
    case .geojson(let shape, let start):
      FeatureCutter(
        input, reading, offset: start, isSequence: shape == .sequence, longest: longestRecord)
    }
  }
}
