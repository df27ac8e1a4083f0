public import CairnGeometry
public import CairnQuery
package import CairnStorage
internal import CairnValues

/// The formats of files that can be imported.
public enum InputFormat: String, Sendable, CaseIterable {
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
  /// Parquet, with the geometries of GeoParquet.
  case parquet
  /// Arrow's IPC format, as a file (Feather) or a stream, with the geometries of GeoArrow.
  case arrow
  /// Any other format that GDAL reads, such as GeoPackage and Shapefile.
  case gdal
}

/// The treatment of a record that cannot be stored, such as one without a coordinate or with an
/// invalid geometry.
public enum RejectPolicy: String, Sendable, CaseIterable {
  /// The import fails and leaves the store unchanged.
  case fail
  /// The record is left out and counted.
  case skip
}

/// Options for importing files into a class. Without any, an import detects the format, the
/// delimiter, the types and the columns of the coordinates.
///
///     var options = ImportOptions()
///     options.renamedColumns = ["pop_2024": "population"]
///     options.condition = try Predicate("population > 1000")
///     options.onError = .skip
///     let summary = try await realm.importFile(file, as: City.self, options: options)
public struct ImportOptions: Sendable {
  /// The treatment of a row whose primary key is taken.
  public enum ConflictPolicy: Sendable, CaseIterable {
    /// The import fails, and the store remains unchanged.
    case error
    /// The row replaces the older one.
    case replace
    /// The older row remains, and the new one is skipped.
    case skip

    /// The policy of the load.
    var load: CairnStorage.ConflictPolicy {
      switch self {
      case .error: .error
      case .replace: .replace
      case .skip: .skip
      }
    }
  }

  /// The class to fill; nil for the first file's name without its extension.
  package var className: String?
  /// The class to fill as a program declares it; the import keeps its properties and their types.
  /// Nil to let the files extend the class.
  package var declaredClass: TableSchema?
  /// The declared class, and all classes that its properties lead to. The import makes those that the
  /// store lacks.
  package var programClasses: [TableDraft] = []
  /// The name of the input in messages; nil for that of the file.
  package var inputName: String?
  /// The format of the files; nil to detect it by the extension, then by the first bytes.
  public var format: InputFormat?
  /// The layer to import; nil for the only layer that is not empty.
  public var layer: String?
  /// Settings of GDAL for reading a file, by their names: both its configuration and the options of the
  /// drivers, such as `SHAPE_RESTORE_SHX` or `AUTODETECT_TYPE`. Those that keep a file from leading to
  /// other files or to the network cannot be changed.
  public var gdalSettings: [String: String] = [:]
  /// The program that reads files with GDAL in a process of its own: the path of the command
  /// `cairn`, or of any program that calls `GDALWorker.run`. Nil to find `cairn` on the PATH.
  public var gdalReader: String?
  /// The readers of other modules. The program hands them in; without that of GDAL, its files are an
  /// error.
  package var readers: [any FormatReader] = []
  /// The CSV columns of the latitudes, in degrees; none to find them by name.
  public var latitudes: [String] = []
  /// The CSV columns of the longitudes, in degrees, as many as `latitudes`; none to find them by
  /// name.
  public var longitudes: [String] = []
  /// The CSV column that holds both coordinates; nil to find it by name, if there is one.
  public var pairColumn: PairColumn?
  /// The CSV columns of geometries in WKT or hexadecimal WKB; none to find one by name and content.
  public var geometryColumns: [String] = []
  /// The delimiter of CSV fields, an ASCII character; nil to detect it.
  public var delimiter: UInt8?
  /// Lines of CSV that begin with this byte are skipped; nil if comments occur only before the
  /// header.
  public var comment: UInt8?
  /// Whether no line of CSV is a comment, whatever it begins with.
  public var hasNoComments = false
  /// Whether numbers of CSV have a decimal comma.
  public var hasDecimalCommas = false
  /// The separator of thousands in numbers of CSV; nil if they have none. A point needs decimal commas.
  public var thousands: ThousandsSeparator?
  /// Whether a currency sign or code and a percent sign beside a number of CSV are ignored, so that
  /// `$12.50` and `12 %` are numbers.
  public var ignoresNumberSigns = false
  /// The number of lines above the header of CSV, such as a title, that are skipped.
  public var skippedLines = 0
  /// Whether the first line of CSV names the columns; otherwise they are `column_1` and so on.
  public var hasHeader = true
  /// Whether rows of CSV that are too short are filled with nulls; otherwise they are rejected.
  public var fillsRows = false
  /// The encoding of the text; nil for UTF-8, unless a byte order mark says otherwise.
  public var encoding: TextEncoding?
  /// How geometries that are not points are imported.
  public var geometries = GeometryOptions()
  /// The formats of dates in the notation of `strptime`, such as `%d.%m.%Y %H:%M`. A date is read in
  /// the first one that fits, or else in ISO 8601.
  public var dateFormats: [String] = []
  /// The first of the formats of dates; setting it replaces them.
  public var dateFormat: String? {
    get { dateFormats.first }
    set { dateFormats = newValue.map { [$0] } ?? [] }
  }
  /// The zone of times that do not name one: a name such as `Europe/Zurich`, or an offset from UTC
  /// such as `+02:00`; nil for UTC.
  public var timeZone: String?
  /// The texts that mean null, and the format of dates.
  package var reading = FieldReading()
  /// The types of properties whose type is not inferred.
  public var types: [String: FieldType] = [:]
  /// The coordinate system of the files, as PROJ identifies it (`EPSG:27700`, a PROJ string, WKT);
  /// nil for degrees of WGS 84, or the system that the file itself names.
  public var coordinateSystem: String?
  /// The CSV column of the eastward coordinate in `coordinateSystem`; nil to find it by name.
  public var x: String?
  /// The CSV column of the northward coordinate in `coordinateSystem`; nil to find it by name.
  public var y: String?
  /// Whether longitudes beyond ±180, up to ±360, are brought back, and lines and polygons are cut at
  /// the antimeridian; otherwise such longitudes are rejected.
  public var wrapsLongitudes = false
  /// Whether the files are tables without coordinates: none are looked for, and all columns become
  /// properties. Otherwise a file is such a table if no column could hold coordinates.
  public var hasNoLocation = false
  /// The property that holds the coordinates; nil for the only one of the class, or `location`, or
  /// `geometry` if some geometry is not a point. A file with several such properties names them
  /// itself.
  public var locationName: String?
  /// The property that identifies a row of a new class; its values must be distinct.
  public var primaryKey: String?
  /// The properties of a new class that get a value index.
  public var indexed: [String] = []
  /// The properties of a new class that get a full-text index; they are imported as text.
  public var fullText: [String] = []
  /// The columns of the files that become properties, and their names.
  package var selection = ColumnSelection()
  /// The property that gets the name of the file of each row; nil for none.
  public var fileNameProperty: String?
  /// The properties that formulas compute of the columns of the files.
  package var formulas: [ImportFormula] = []
  /// The condition that rows must meet; others are skipped and counted.
  public var condition: Predicate?
  /// The boxes that rows must be in: the location lies in one of them, or the geometry reaches into one.
  /// Other rows are skipped and counted, as with a condition. Empty to take rows from everywhere.
  public var boxes: [GeoBox] = []
  /// The rows that matter, for a program that looks at them again; nil if all do.
  package var pruning: RowPruning?
  /// The least distance between rows: a row that is closer to an earlier one, or to one of the
  /// class, is skipped.
  public var spacing: Distance?
  /// The property by whose values the rows of the files change rows of the class, in the properties that
  /// the files have; nil to add the rows. A value that two rows of the files have is an error. Rows of
  /// the files whose value no row of the class has are counted.
  public var updateKey: String?
  /// The treatment of a row whose key already exists.
  public var onConflict = ConflictPolicy.error
  /// The treatment of a record that cannot be stored.
  public var onError = RejectPolicy.fail
  /// The number of threads that parse; each uses about 100 MB of memory.
  public var threads = 2
  /// The most bytes of input that one thread parses at a time.
  package var blockSize = 32 << 20
  /// The most bytes of a record; a longer one most likely has no end.
  package var longestRecord = 64 << 20
  /// The folder that keeps standard input while it is read twice; nil for the store's folder.
  package var spoolDirectory: String?

  /// Whether rows of CSV and of JSON that have no coordinates are read without a location; otherwise
  /// such a file is an error.
  package var mayLackLocations = false

  /// Creates options that detect everything.
  public init() {}

  /// The texts that mean null, in addition to empty fields, such as `NA`.
  public var nulls: [String] {
    get { reading.nulls.texts }
    set { reading.nulls = NullWords(newValue) }
  }

  /// The columns that become properties; nil for all. Those of the coordinates are always read.
  public var columns: [String]? {
    get { selection.kept }
    set { selection.kept = newValue }
  }

  /// The columns that do not become properties.
  public var droppedColumns: [String] {
    get { selection.dropped }
    set { selection.dropped = newValue }
  }

  /// The properties that columns with other names become, by the names of the columns. The other
  /// options use the names of the properties.
  public var renamedColumns: [String: String] {
    get { selection.renamed }
    set { selection.renamed = newValue }
  }

  /// Whether coordinates are looked for; not for a declared class that has none.
  package var readsLocation: Bool {
    !hasNoLocation && declaredClass.map { !$0.spatialColumns.isEmpty } ?? true
  }

  /// Whether an option only makes sense for files with coordinates. The name of the location is also
  /// that of a declared class.
  var asksForLocation: Bool {
    coordinateSystem != nil || x != nil || y != nil || !latitudes.isEmpty || !longitudes.isEmpty
      || pairColumn != nil || !geometryColumns.isEmpty || spacing != nil || wrapsLongitudes
      || geometries.takesEachPoint || geometries.pointOf != nil || geometries.repairs
      || locationName != nil && declaredClass == nil || !boxes.isEmpty
  }
}

/// A column that holds both coordinates of a location.
public struct PairColumn: Sendable {
  /// The name of the column.
  public let name: String
  /// Whether longitude, or x, precedes latitude, or y.
  public let isLongitudeFirst: Bool

  /// Names a column of pairs.
  public init(_ name: String, isLongitudeFirst: Bool) {
    self.name = name
    self.isLongitudeFirst = isLongitudeFirst
  }
}
