package import CairnGeometry
package import CairnStorage

/// The formats of files that can be imported.
package enum InputFormat: String, Sendable, CaseIterable {
  /// Text with one row on each line and a delimiter between the fields.
  case csv
  /// A FeatureCollection, or one bare Feature.
  case geojson
  /// One Feature on each line, or an RFC 8142 text sequence.
  case geojsonl
  /// One array of objects, or consecutive objects.
  case json
  /// One object on each line.
  case jsonl
  /// Any format that GDAL reads, such as GeoPackage and Shapefile.
  case gdal
}

/// The treatment of a record that cannot be stored, such as one without a coordinate or with an
/// invalid geometry.
package enum RejectPolicy: String, Sendable, CaseIterable {
  /// The import fails and leaves the store unchanged.
  case fail
  /// The record is left out and counted.
  case skip
}

/// Options for importing files into a class.
package struct ImportOptions: Sendable {
  /// The class to fill; nil for the first file's name without its extension.
  package var className: String?
  /// The format of the files; nil to detect it by the extension, then by the first bytes.
  package var format: InputFormat?
  /// The layer to import; nil for the only layer that is not empty.
  package var layer: String?
  /// The program that reads files with GDAL in a process of its own: it calls
  /// ``GDALWorker/run(_:)`` with its arguments. Without it, such files are errors.
  package var gdalReader: String?
  /// The CSV columns of the latitudes, in degrees; none to find them by name.
  package var latitudes: [String] = []
  /// The CSV columns of the longitudes, in degrees, as many as `latitudes`; none to find them by
  /// name.
  package var longitudes: [String] = []
  /// The CSV column that holds both coordinates; nil to find it by name, if there is one.
  package var pairColumn: PairColumn?
  /// The CSV columns of geometries in WKT or hexadecimal WKB; none to find one by name and content.
  package var geometryColumns: [String] = []
  /// The delimiter of CSV fields; nil to detect it.
  package var delimiter: UInt8?
  /// Lines of CSV that begin with this byte are skipped; nil if comments occur only before the
  /// header.
  package var comment: UInt8?
  /// Whether no line of CSV is a comment, whatever it begins with.
  package var hasNoComments = false
  /// Whether numbers of CSV have a decimal comma.
  package var hasDecimalCommas = false
  /// Whether the first line of CSV names the columns; otherwise they are `column_1` and so on.
  package var hasHeader = true
  /// Whether rows of CSV that are too short are filled with nulls; otherwise they are rejected.
  package var fillsRows = false
  /// The encoding of the text; nil for UTF-8, unless a byte order mark says otherwise.
  package var encoding: TextEncoding?
  /// How geometries that are not points are imported.
  package var geometries = GeometryOptions()
  /// The texts that mean null, and the format of dates.
  package var reading = FieldReading()
  /// Whether the user named the zone of times without one; otherwise they are in UTC, and a note
  /// says so.
  package var hasTimeZone = false
  /// The types of properties whose type is not inferred.
  package var types: [String: FieldType] = [:]
  /// The coordinate system of the files, as PROJ identifies it (`EPSG:27700`, a PROJ string, WKT);
  /// nil for degrees of WGS 84, or the system that a GeoJSON file names.
  package var coordinateSystem: String?
  /// The CSV column of the eastward coordinate in `coordinateSystem`; nil to find it by name.
  package var x: String?
  /// The CSV column of the northward coordinate in `coordinateSystem`; nil to find it by name.
  package var y: String?
  /// Whether longitudes between 180 and 360 are wrapped to -180 to 0; otherwise they are rejected.
  package var wrapsLongitudes = false
  /// The property that holds the coordinates; nil for `location`, or for `geometry` if some
  /// geometry is not a point. A file with several such properties names them itself.
  package var locationName: String?
  /// The property that identifies a row; its values must be distinct.
  package var primaryKey: String?
  /// The properties that get a value index.
  package var indexed: [String] = []
  /// The columns of the files that become properties, and their names.
  package var selection = ColumnSelection()
  /// The property that gets the name of the file of each row; nil for none.
  package var fileNameProperty: String?
  /// The condition that rows must meet; others are skipped.
  package var condition: (any RowCondition)?
  /// The least distance between rows: a row that is closer to an earlier one, or to one of the
  /// class, is skipped.
  package var spacing: Distance?
  /// The treatment of a row whose key already exists.
  package var onConflict = ConflictPolicy.error
  /// The treatment of a record that cannot be stored.
  package var onError = RejectPolicy.fail
  /// The number of threads that parse; each uses about 100 MB of memory.
  package var threads = 2
  /// The most bytes of input that one thread parses at a time.
  package var blockSize = 32 << 20
  /// The most bytes of a record; a longer one most likely has no end.
  package var longestRecord = 64 << 20
  /// The folder that keeps standard input while it is read twice; nil for the store's folder.
  package var spoolDirectory: String?

  package init() {}
}

/// A column that holds both coordinates of a location.
package struct PairColumn: Sendable {
  package let name: String
  /// Whether longitude, or x, precedes latitude, or y.
  package let isLongitudeFirst: Bool

  package init(_ name: String, isLongitudeFirst: Bool) {
    self.name = name
    self.isLongitudeFirst = isLongitudeFirst
  }
}
