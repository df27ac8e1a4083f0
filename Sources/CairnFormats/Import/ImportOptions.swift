package import CairnStorage

/// The shapes of file that can be imported.
package enum InputFormat: String, Sendable, CaseIterable {
  case csv
  /// A FeatureCollection, or one bare Feature.
  case geojson
  /// One Feature a line, or an RFC 8142 text sequence.
  case geojsonl
  /// One array of objects, or objects one after the other.
  case json
  /// One object a line.
  case jsonl
}

/// What becomes of a row that cannot be stored: a missing coordinate, a line that is no point.
package enum RefusalPolicy: String, Sendable, CaseIterable {
  /// The import ends and leaves the store as it was.
  case fail
  /// The row is left out and counted.
  case skip
}

/// How files become a class.
package struct ImportOptions: Sendable {
  /// The class to fill; nil: the first file's name without its ending.
  package var className: String?
  /// nil: by the file's ending, then by its first bytes.
  package var format: InputFormat?
  /// The CSV column of the latitudes, in degrees; nil: found by its name.
  package var latitude: String?
  /// The CSV column of the longitudes, in degrees; nil: found by its name.
  package var longitude: String?
  /// The CSV column that holds both coordinates; nil: found by its name, or there is none.
  package var pairColumn: PairColumn?
  /// The CSV column of geometries in WKT, or WKB in hexadecimal digits; nil: found by name and content.
  package var geometryColumn: String?
  /// What stands between the fields of CSV; nil: found out.
  package var delimiter: UInt8?
  /// Lines of CSV that begin with it are passed over; nil: there are none but before the header.
  package var comment: UInt8?
  /// No line of CSV is a comment, whatever it begins with.
  package var hasNoComments = false
  /// Numbers of CSV have a comma where others have a point.
  package var hasDecimalCommas = false
  /// The first line of CSV names the columns; else they are `column_1` and so on.
  package var hasHeader = true
  /// Rows of CSV that are too short are filled up with nulls; else they are refused.
  package var fillsRows = false
  /// Of the files' text; nil: UTF-8, unless a byte order mark says otherwise.
  package var encoding: TextEncoding?
  /// What becomes of geometries that are no points.
  package var shapes = ShapeOptions()
  /// The texts that mean null, and the form of dates.
  package var reading = FieldReading()
  /// The user has named the zone of times that say none; else they are in UTC, which is said.
  package var hasTimeZone = false
  /// The types of properties that are not to be found out.
  package var types: [String: FieldType] = [:]
  /// The coordinate system of the files, as PROJ knows it (`EPSG:27700`, a PROJ string, WKT); nil:
  /// degrees of WGS 84, or what a GeoJSON file says.
  package var coordinateSystem: String?
  /// The CSV column of what points east in `coordinateSystem`; nil: found by its name.
  package var x: String?
  /// The CSV column of what points north in `coordinateSystem`; nil: found by its name.
  package var y: String?
  /// Longitudes between 180 and 360 are brought back to -180 to 0; else they are refused.
  package var wrapsLongitudes = false
  /// The property that the coordinates become.
  package var locationName = "location"
  /// The property that identifies a row; its values must differ.
  package var primaryKey: String?
  /// The properties that get a value index.
  package var indexed: [String] = []
  package var onConflict = ConflictPolicy.error
  package var onError = RefusalPolicy.fail
  /// Threads that parse; memory grows by about 100 MB with each.
  package var threads = 2
  /// Bytes of input that one thread parses at a time, at most.
  package var sectionSize = 32 << 20
  /// Bytes that a record may have at most: longer ones have most likely no end.
  package var longestRecord = 64 << 20
  /// The folder where standard input is kept while it is read twice; nil: the store's.
  package var spoolDirectory: String?

  package init() {}
}

/// A column that holds both coordinates of a place.
package struct PairColumn: Sendable {
  package let name: String
  /// Longitude, or x, stands before latitude, or y.
  package let isLongitudeFirst: Bool

  package init(_ name: String, isLongitudeFirst: Bool) {
    self.name = name
    self.isLongitudeFirst = isLongitudeFirst
  }
}
