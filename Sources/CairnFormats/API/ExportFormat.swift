internal import CairnGeometry
import CairnSystem

/// The formats in which objects can be exported.
public enum ExportFormat: Sendable, CaseIterable {
  /// Comma-separated values with a header. Locations are columns of latitude and longitude.
  case csv
  /// Tab-separated values with a header.
  case tsv
  /// An array of objects.
  case json
  /// One object on each line.
  case jsonLines
  /// A FeatureCollection.
  case geoJSON
  /// One Feature on each line.
  case geoJSONLines
  /// Only the locations, as well-known text, one on each line.
  case wkt
  /// A Markdown table.
  case markdown
  /// A map as an SVG image.
  case svg
  /// A map as a self-contained HTML page.
  case html

  /// The format of files with an extension, before `.gz`; nil for any other extension.
  public init?(fileExtension text: String) {
    switch text.lowercased() {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonLines
    case "geojson": self = .geoJSON
    case "geojsonl", "geojsons", "geojsonseq": self = .geoJSONLines
    case "wkt": self = .wkt
    case "md": self = .markdown
    case "svg": self = .svg
    case "html", "htm": self = .html
    default: return nil
    }
  }

  /// The format of the writer.
  var output: OutputFormat {
    switch self {
    case .csv: .csv
    case .tsv: .tsv
    case .json: .json
    case .jsonLines: .jsonl
    case .geoJSON: .geojson
    case .geoJSONLines: .geojsonl
    case .wkt: .wkt
    case .markdown: .markdown
    case .svg: .svg
    case .html: .html
    }
  }
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

  /// Creates options for all properties, in WGS 84.
  public init() {}

  /// The style of the writer.
  var style: OutputStyle {
    var style = OutputStyle()
    style.csv.delimiter = delimiter
    style.csv.hasDecimalCommas = hasDecimalCommas
    style.csv.hasByteOrderMark = hasByteOrderMark
    return style
  }
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

  init(_ error: OutputError) {
    switch error {
    case .closed: self.init(.io, message: "the reader closed the output")
    case .diskFull: self.init(.io, message: "the disk is full")
    case .io(let code): self.init(.io, message: "writing failed: \(errorText(code))")
    case .layer(let problem, let reason): self.init(Kind(problem), message: reason)
    case .noLocation:
      self.init(
        .usage, message: "the format needs a location, and none of the properties is one")
    case .outsideSystem(let reason): self.init(.data, message: reason)
    case .tooDeep:
      self.init(.data, message: "an object nests more than 512 objects and collections")
    case .tooManyRows(let limit):
      self.init(.usage, message: "the format shows at most \(limit) objects one by one")
    case .unnamedSystem(let reason): self.init(.usage, message: reason)
    }
  }

  init(_ error: GeometryError) {
    self.init(error.kind == .missingLibrary ? .library : .usage, message: error.message)
  }
}

extension ExportError.Kind {
  /// The kind of a problem with a file that GDAL writes.
  fileprivate init(_ problem: LayerProblem) {
    self =
      switch problem {
      case .usage: .usage
      case .data: .data
      case .library: .library
      default: .io
      }
  }
}
