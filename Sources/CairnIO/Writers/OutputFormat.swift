package import CairnGeometry
package import CairnValues

/// The formats in which rows can be written.
package enum OutputFormat: String, Sendable, CaseIterable {
  /// Aligned columns for people.
  case table
  /// Comma-separated values with a header line.
  case csv
  /// CSV with tabs instead of commas.
  case tsv
  /// One array of objects.
  case json
  /// One object on each line.
  case jsonl
  /// One FeatureCollection.
  case geojson
  /// One Feature on each line.
  case geojsonl
  /// Only the locations, one `POINT` on each line.
  case wkt
  /// A Markdown table, as GitHub and others render it.
  case markdown
  /// A map in the terminal.
  case map
  /// A map as an SVG image.
  case svg
  /// A map as a self-contained HTML page.
  case html
  /// A GeoPackage: an SQLite database of layers.
  case gpkg
  /// FlatGeobuf, a binary format with a spatial index.
  case fgb
  /// A Shapefile of several files, or of one archive.
  case shp
  /// The Keyhole Markup Language, as Google Earth reads it.
  case kml
  /// The GPS Exchange Format: waypoints or tracks.
  case gpx
  /// GeoParquet, a binary format by column.
  case parquet
  /// Arrow's IPC format as a stream of batches.
  case arrow
  /// Arrow's IPC format as a file with an index of its batches, also called Feather V2.
  case feather

  /// Whether the format cannot represent a row without a location.
  package var needsLocation: Bool {
    switch self {
    case .geojson, .geojsonl, .wkt, .map, .svg, .html, .gpkg, .fgb, .shp, .kml, .gpx: true
    case .table, .csv, .tsv, .json, .jsonl, .markdown, .parquet, .arrow, .feather: false
    }
  }

  /// Whether the format is meant for people rather than programs.
  package var isForPeople: Bool {
    switch self {
    case .table, .markdown, .map, .svg, .html: true
    case .csv, .tsv, .json, .jsonl, .geojson, .geojsonl, .wkt, .gpkg, .fgb, .shp, .kml, .gpx,
      .parquet, .arrow, .feather:
      false
    }
  }

  /// Whether GDAL writes the format, in a process of its own and only to files.
  package var isWrittenByGDAL: Bool {
    switch self {
    case .gpkg, .fgb, .shp, .kml, .gpx: true
    case .table, .csv, .tsv, .json, .jsonl, .geojson, .geojsonl, .wkt, .markdown, .map, .svg, .html,
      .parquet, .arrow, .feather:
      false
    }
  }

  /// Whether the rows are drawn on a map, in degrees of WGS 84.
  package var isMap: Bool { self == .map || self == .svg || self == .html }
}

extension OutputFormat {
  private static let fileExtensions: [String: OutputFormat] = [
    "txt": .table, "csv": .csv, "tsv": .tsv, "tab": .tsv, "json": .json, "jsonl": .jsonl,
    "ndjson": .jsonl, "geojson": .geojson, "geojsonl": .geojsonl, "geojsons": .geojsonl,
    "geojsonseq": .geojsonl, "wkt": .wkt, "md": .markdown, "markdown": .markdown, "svg": .svg,
    "html": .html, "htm": .html, "gpkg": .gpkg, "fgb": .fgb, "shp": .shp, "shz": .shp,
    "kml": .kml, "gpx": .gpx, "parquet": .parquet, "geoparquet": .parquet,
    "arrow": .feather, "feather": .feather, "arrows": .arrow,
  ]

  /// The extensions of files that select a format, sorted.
  package static var knownExtensions: [String] { fileExtensions.keys.sorted() }

  /// The format of files with an extension; nil if the extension is unknown.
  package init?(fileExtension: String) {
    guard let format = Self.fileExtensions[fileExtension.lowercased()] else { return nil }
    self = format
  }

  /// The format for the extension of a path, before `.gz`; nil if the extension is unknown.
  package init?(extensionOf path: String) {
    let path = Self.isCompressed(path) ? path.dropLast(3) : path[...]
    let name = path.split(separator: "/").last ?? ""
    if name.lowercased().hasSuffix(".shp.zip") {
      self = .shp
      return
    }
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(fileExtension: String(name[name.index(after: dot)...]))
  }

  /// Whether the extension of a path says that the file is compressed.
  package static func isCompressed(_ path: String) -> Bool { path.lowercased().hasSuffix(".gz") }
}

/// A part of a location that can be a column.
package enum LocationPart: String, Sendable, CaseIterable {
  /// The latitude in degrees.
  case latitude
  /// The longitude in degrees.
  case longitude
  /// The location as well-known text, in the coordinate system of the output.
  case wkt

  /// The type of the values.
  package var type: ValueType { self == .wkt ? .string : .double }
}

/// A column of the output.
package struct OutputColumn: Sendable {
  /// The source of a column's values.
  package enum Source: Sendable, Equatable {
    /// The column of the table at that index.
    case stored(Int)
    /// A part of the location in the column at that index.
    case part(LocationPart, of: Int)
    /// The value at the end of a path, or a part of the location there. Every column but the last
    /// is a link to one object.
    case path([Int], LocationPart?)
    /// A measure of the geometry in the column at that index.
    case measure(GeometryMeasure, of: Int)
    /// The value at that index among those given with each row.
    case given(Int)
  }

  package let name: String
  package let type: ValueType
  package let source: Source
  /// The index of the column's table among those that a row is taken from: 1 for the right table of
  /// a join, otherwise 0.
  package let table: Int

  package init(name: String, type: ValueType, source: Source, table: Int = 0) {
    self.name = name
    self.type = type
    self.source = source
    self.table = table
  }

  /// Whether the values are locations or geometries.
  package var isSpatial: Bool { type == .point || type.isGeometry }

  /// The part of a location that the column shows; nil for whole values.
  package var part: LocationPart? {
    switch source {
    case .part(let part, _): part
    case .path(_, let part): part
    case .stored, .measure, .given: nil
    }
  }
}

/// The dialect of CSV and TSV output.
package struct CSVStyle: Sendable {
  /// The byte between two fields; nil for that of the format, or a semicolon if numbers have decimal
  /// commas.
  package var delimiter: UInt8?
  /// Whether numbers are written with a decimal comma.
  package var hasDecimalCommas = false
  /// Whether the output begins with the byte order mark of UTF-8, by which Excel recognizes it.
  package var hasByteOrderMark = false

  package init() {}
}

/// The layout of output: the dialect of CSV, and what formats for people need.
package struct OutputStyle: Sendable {
  /// The dialect of CSV and TSV.
  package var csv = CSVStyle()
  /// The number of terminal columns that a table must fit; nil for no limit.
  package var width: Int?
  /// The terminal that a map is drawn for.
  package var screen = Screen()
  /// The subject of a map other than the rows.
  package var picture = MapSubject()
  /// The features of GeoJSON, if they are not those of a file.
  package var features: FeatureStyle?
  /// The facts about all rows of FlatGeobuf that is written as a stream; nil for a file that GDAL
  /// writes.
  package var flatGeobuf: FlatGeobufStyle?
  /// The most rows of a row group of Parquet; nil for the usual number.
  package var rowGroupSize: Int?
  /// The form of all dates; nil for the one that writes each column alike.
  package var dates: ISODate.Form?

  package init() {}

  /// The size and abilities of a terminal.
  package struct Screen: Sendable {
    package var columns = 80
    package var rows = 24
    /// Whether the terminal shows colours.
    package var hasColour = false

    package init() {}
  }
}

/// The layout of GeoJSON features for a service, whose ids and geometries the caller chooses.
package struct FeatureStyle: Sendable {
  /// The index of the column with the ids. It is not a property of the features.
  package var id: Int
  /// The index of the column with the geometries; nil for features without one.
  package var geometry: Int?
  /// More members of the collection, or of each feature outside of one, as JSON. A comma follows
  /// each.
  package var members = ""

  package init(id: Int, geometry: Int?) {
    self.id = id
    self.geometry = geometry
  }
}

/// The content of a map other than the rows.
package struct MapSubject: Sendable {
  /// The query in words.
  package var title = ""
  /// The regions that the rows lie in.
  package var regions: [Shape] = []
  /// The origin of distances.
  package var origin: GeoPoint?
  /// The name of the column that determines the colours of the rows.
  package var colour: String?
  /// The name of the column that determines the sizes of the marks.
  package var size: String?

  package init() {}
}
