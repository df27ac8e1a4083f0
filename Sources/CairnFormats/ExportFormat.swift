internal import CairnGeometry
package import CairnIO
import CairnSystem

/// A format in which objects can be exported.
public struct ExportFormat: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The format of the writer.
  let output: OutputFormat

  private init(_ output: OutputFormat) { self.output = output }

  /// The format of files with an extension, before `.gz`; nil for any other extension.
  public init?(fileExtension text: String) {
    self.init(OutputFormat(fileExtension: text))
  }

  /// The format of a file by its extension; nil if the extension is unknown.
  init?(of path: String) { self.init(OutputFormat(extensionOf: path)) }

  private init?(_ output: OutputFormat?) {
    guard let output, output != .table, output != .map else { return nil }
    self.output = output
  }

  /// Comma-separated values with a header. Locations are columns of latitude and longitude.
  public static let csv = ExportFormat(.csv)
  /// Tab-separated values with a header.
  public static let tsv = ExportFormat(.tsv)
  /// An array of objects.
  public static let json = ExportFormat(.json)
  /// One object on each line.
  public static let jsonLines = ExportFormat(.jsonl)
  /// A FeatureCollection.
  public static let geoJSON = ExportFormat(.geojson)
  /// One Feature on each line.
  public static let geoJSONLines = ExportFormat(.geojsonl)
  /// Only the locations, as well-known text, one on each line.
  public static let wkt = ExportFormat(.wkt)
  /// A Markdown table.
  public static let markdown = ExportFormat(.markdown)
  /// A map as an SVG image.
  public static let svg = ExportFormat(.svg)
  /// A map as a self-contained HTML page.
  public static let html = ExportFormat(.html)
  /// A GeoPackage with one layer and its spatial index. GDAL writes it.
  public static let geoPackage = ExportFormat(.gpkg)
  /// FlatGeobuf with its spatial index. GDAL writes it.
  public static let flatGeobuf = ExportFormat(.fgb)
  /// A Shapefile: files of one name, or one archive if the name ends in `.shz` or `.shp.zip`. GDAL
  /// writes it; names of columns have at most 10 bytes.
  public static let shapefile = ExportFormat(.shp)
  /// KML. GDAL writes it.
  public static let kml = ExportFormat(.kml)
  /// GPX. GDAL writes it, with points and lines only.
  public static let gpx = ExportFormat(.gpx)
  /// GeoParquet, where the installed GDAL has the driver.
  public static let parquet = ExportFormat(.parquet)
  /// Arrow's IPC format as a stream of batches, with geometries as GeoArrow's WKB.
  public static let arrow = ExportFormat(.arrow)
  /// Arrow's IPC format as a file with an index of its batches, also called Feather V2.
  public static let feather = ExportFormat(.feather)

  /// All formats.
  public static var allCases: [ExportFormat] { OutputFormat.allCases.compactMap { Self($0) } }

  /// The word for the format, which is also its usual extension, such as `geojson`.
  public var description: String { output.rawValue }
}

/// Options for exports.
public struct ExportOptions: Sendable {
  /// The properties to write, in this order: names, and paths along links such as `toy.name`. Nil
  /// for all. Properties have their names in the store.
  public var properties: [String]?
  /// The coordinate system of locations and geometries, as PROJ identifies it (`EPSG:2056`); nil for
  /// degrees of WGS 84.
  public var coordinateSystem: String?
  /// The ASCII character between two fields of CSV; nil for a comma, or for a semicolon if numbers
  /// have decimal commas.
  public var delimiter: UInt8?
  /// Whether numbers of CSV are written with a decimal comma.
  public var hasDecimalCommas = false
  /// Whether CSV begins with the byte order mark of UTF-8, by which Excel recognizes it.
  public var hasByteOrderMark = false
  /// The rows of a row group of Parquet, at least 1; nil for 122 880.
  public var rowGroupSize: Int?

  /// The program that writes files with GDAL in a process of its own: the path of the command
  /// `cairn`, or of any program that calls `GDALWorker.run`. Nil to find `cairn` on the PATH.
  public var gdalWriter: String?

  /// Creates options for all properties, in WGS 84.
  public init() {}

  /// The style of the writer.
  var style: OutputStyle {
    var style = OutputStyle()
    style.csv.delimiter = delimiter
    style.csv.hasDecimalCommas = hasDecimalCommas
    style.csv.hasByteOrderMark = hasByteOrderMark
    style.rowGroupSize = rowGroupSize.map { max(1, $0) }
    return style
  }
}

/// The result of an export to a file.
public struct ExportSummary: Sendable {
  /// The number of objects, or of pairs, that were written.
  public package(set) var count = 0
  /// The size of the file in bytes.
  public package(set) var bytes = 0
  /// Remarks on the file, such as on columns that the format names differently.
  public package(set) var remarks: [String] = []
}

/// The reason why nothing was exported.
public struct ExportError: Error, CustomStringConvertible, Sendable {
  /// The kind of an error.
  public enum Kind: Sendable {
    /// An option does not fit the objects, or the format cannot represent them.
    case usage
    /// A value cannot be written in the format or the coordinate system.
    case data
    /// The file cannot be written.
    case io
    /// A required library is not installed.
    case library
  }

  /// The kind of the error.
  public let kind: Kind
  /// A message with the cause, the place and a remedy.
  public let message: String

  /// The message.
  public var description: String { message }

  init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// The error with the path of the file that was written; nil for an export to memory.
  package init(_ error: OutputError, file: String? = nil) {
    let kind = Kind(error)
    if case .file = error {
      self.init(kind, message: error.message)
    } else if let file {
      self.init(kind, message: "cannot write \(file): \(error.message)")
    } else {
      self.init(kind, message: error.message)
    }
  }

  init(_ error: GeometryError) {
    self.init(error.kind == .missingLibrary ? .library : .usage, message: error.message)
  }
}

extension ExportError.Kind {
  /// The kind of an error.
  fileprivate init(_ error: OutputError) {
    self =
      switch error {
      case .closed, .diskFull, .io: .io
      case .file(let problem, _): Self(problem)
      case .noLocation, .tooManyRows, .unnamedSystem: .usage
      case .outsideSystem, .tooDeep: .data
      }
  }

  /// The kind of a problem with a file.
  fileprivate init(_ problem: OutputProblem) {
    self =
      switch problem {
      case .usage: .usage
      case .data: .data
      case .library: .library
      default: .io
      }
  }
}
