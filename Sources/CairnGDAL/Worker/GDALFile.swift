internal import CArrow
internal import CairnArrow
internal import CairnGeometry
internal import CairnIO
import CairnSystem

/// A file that GDAL has opened. It is used by one thread of a process of its own.
final class GDALFile {
  let library: GDALLibrary
  private let handle: GDALLibrary.Handle
  private let path: String
  /// The name by which GDAL opens the file.
  private let source: String
  private let encoding: String
  /// Settings of the caller, as `NAME=VALUE`.
  private let settings: [String]
  private let driver: String
  private var isOpenStreetMap: Bool { driver == "OSM" }
  /// Properties that GDAL does not report, if the file is Esri JSON.
  private var esri: EsriJSON?

  /// The drivers that open files. None of them follows a reference in the file to another place,
  /// once the options below are set.
  private static let drivers = [
    "GPKG", "ESRI Shapefile", "OpenFileGDB", "FlatGeobuf", "LIBKML", "KML", "GPX", "GML",
    "TopoJSON", "ESRIJSON", "MapInfo File", "DXF", "XLSX", "XLS", "ODS", "SQLite", "OSM", "MVT",
    "Parquet", "Arrow",
  ]

  /// Options that keep GDAL from the network, from writing next to the file, and from other files.
  private static let ownSettings = [
    "GDAL_VALIDATE_OPEN_OPTIONS": "NO", "CPL_VSIL_CURL_ALLOWED_FILENAME": "none",
    "GDAL_HTTP_MAX_RETRY": "0", "GML_SKIP_RESOLVE_ELEMS": "ALL", "GML_DOWNLOAD_WFS_SCHEMA": "NO",
    "LIBKML_RESOLVE_STYLE": "NO",
    "OGR_SQLITE_LIST_VIRTUAL_OGR": "NO", "OGR_SQLITE_STATIC_VIRTUAL_OGR": "NO",
    "OGR_SQLITE_ALLOW_EXTERNAL_ACCESS": "NO", "SPATIALITE_SECURITY": "strict",
    "SHAPE_RESTORE_SHX": "NO",
  ]

  /// The same for the options of drivers.
  private static let fixedOptions = [
    "WRITE_GFS=NO", "DOWNLOAD_SCHEMA=NO", "LIST_ALL_TABLES=NO", "METADATA_FILE=",
  ]

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - encoding: The encoding of texts; empty for the one that the file names.
  ///   - settings: Settings of GDAL, as `NAME=VALUE`.
  init(_ path: String, encoding: String, settings: [String] = []) throws(LayerFailure) {
    let library = try Self.openLibrary()
    self.library = library
    self.settings = settings
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      library.setOption(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    self.path = path
    let text = XMLSource(path)
    // The quick index of nodes needs ascending identifiers, which other programs than OpenStreetMap's
    // own do not promise.
    library.setOption("OSM_USE_CUSTOM_INDEXING", text?.root == .openStreetMap ? "NO" : "YES")
    let source: String
    if let revised = try text?.revised() {
      source = try library.keep(revised, as: path)
    } else {
      source = try Self.source(path)
    }
    self.source = source
    self.encoding = encoding
    var options = Self.fixedOptions
    // Without this, SQLite would create files next to a database with a write-ahead log.
    if access(path + "-wal", F_OK) != 0 { options.append("IMMUTABLE=YES") }
    if !encoding.isEmpty { options.append("ENCODING=\(encoding)") }
    // A setting may be one of the driver as well, which ignores those that it does not know.
    options += settings
    GDALErrors.start()
    // Flags of gdal.h: vector data, for reading, with errors.
    let flags: UInt32 = 0x04 | 0x40
    let opened = Self.withTexts(Self.drivers) { drivers in
      Self.withTexts(options) { library.open(source, flags, drivers, $0, nil) }
    }
    guard let opened else {
      let reason = GDALErrors.first.map { ": \($0)" } ?? ""
      throw LayerFailure("GDAL cannot read the file\(Self.tidy(reason, path: path, source))")
    }
    handle = opened
    driver = library.driver(opened).flatMap(library.driverName).map { String(cString: $0) } ?? ""
    if driver == "ESRIJSON" { esri = try EsriJSON(path) }
  }

  /// Whether the caller may not change a setting, because it keeps a file from leading to others.
  static func isFixed(_ name: String) -> Bool {
    let name = name.uppercased()
    return name != "SHAPE_RESTORE_SHX" && ownSettings[name] != nil
      || fixedOptions.contains { $0.hasPrefix(name + "=") }
      || ["CPL_VSIL_", "GDAL_HTTP_", "GDAL_DRIVER_PATH", "OGR_DRIVER_PATH"]
        .contains(where: name.hasPrefix)
  }

  /// Opens libgdal, and sets its options.
  static func openLibrary() throws(LayerFailure) -> GDALLibrary {
    let library: GDALLibrary
    do throws(LibraryError) { library = try GDALLibrary() } catch {
      throw LayerFailure(error.message, kind: .library)
    }
    library.pushErrorHandler(GDALErrors.handler)
    for (name, value) in ownSettings { library.setOption(name, value) }
    library.setOption("CPL_TMPDIR", TemporaryFiles.folder)
    library.registerAll()
    return library
  }

  /// Returns the name by which GDAL opens a file: archives are opened as folders, except those that
  /// a driver opens itself.
  private static func source(_ path: String) throws(LayerFailure) -> String {
    let name = path.lowercased()
    guard name.hasSuffix(".zip"), !name.hasSuffix(".shp.zip") else { return path }
    let geodatabases = ZipArchive.geodatabases(in: path)
    guard geodatabases.count <= 1 else {
      let list = geodatabases.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
      throw LayerFailure(
        "the archive has \(geodatabases.count) geodatabases (\(list)); unpack it, and import each")
    }
    if name.hasSuffix(".gdb.zip") { return path }
    return "/vsizip/{\(path)}" + (geodatabases.first.map { "/" + $0 } ?? "")
  }

  /// Calls `body` with a list of texts as C has them.
  static func withTexts<R>(_ texts: [String], _ body: (GDALLibrary.Texts) -> R) -> R {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let list = copies.map { $0.map { UnsafePointer($0) } } + [nil]
    return list.withUnsafeBufferPointer { list in
      // The list is never empty, so it has an address.
      withExtendedLifetime(copies) { body(list.baseAddress.unsafelyUnwrapped) }
    }
  }

  /// Returns a message of GDAL in one line, without the path of the file, which precedes it anyway.
  static func tidy(_ message: String, path: String, _ source: String? = nil) -> String {
    var text = message.replacing(source ?? path, with: path)
      .replacing("\(path): ", with: "").replacing("`\(path)' ", with: "")
      .replacing("\n", with: " ")
    while text.last == "." || text.last == " " { text.removeLast() }
    return text
  }

  private func checkErrors() throws(LayerFailure) {
    guard let error = GDALErrors.first else { return }
    throw LayerFailure("GDAL reports an error: \(Self.tidy(error, path: path, source))")
  }

  private func send(
    _ message: LayerMessage, as kind: LayerMessageKind, to output: Int32
  ) throws(LayerFailure) {
    guard message.send(as: kind, to: output) else { throw LayerFailure("nobody reads the rows") }
    message.removeAll()
  }
}

// Layers.
extension GDALFile {
  private static let noGeometry: Int32 = 100

  private var layers: [GDALLibrary.Handle] {
    (0..<max(0, library.layerCount(handle))).compactMap { library.layer(handle, $0) }
  }

  /// The number of rows of the first layer.
  var rowCount: Int? { layers.first.flatMap(count) }

  private func name(of layer: GDALLibrary.Handle) -> String {
    library.layerName(layer).map { String(cString: $0) } ?? ""
  }

  /// Returns the number of rows, if it is known without reading them all.
  private func count(of layer: GDALLibrary.Handle) -> Int? {
    let count = library.featureCount(layer, isOpenStreetMap ? 0 : 1)
    return count < 0 ? nil : Int(count)
  }

  /// Writes a list of the layers.
  func list(_ message: LayerMessage, _ output: Int32) throws(LayerFailure) {
    message.removeAll()
    for layer in layers {
      LayerSummary(
        name: name(of: layer), count: count(of: layer),
        hasGeometry: library.geometryType(layer) != Self.noGeometry
      ).append(to: message)
    }
    try send(message, as: .layers, to: output)
  }

  /// Writes the schema and the rows of a layer.
  func read(
    layer wanted: String, _ message: LayerMessage, _ output: Int32
  ) throws(LayerFailure) {
    let layer = try layer(wanted)
    let count = count(of: layer)
    let (system, swapsAxes) = system(of: layer)
    guard driver != "MVT" || system != nil else {
      throw LayerFailure(
        "a tile's place is in its path, which must end with zoom/column/row.pbf or .mvt")
    }
    GDALErrors.start()
    var stream = cairn_arrow_stream()
    let options = ["INCLUDE_FID=YES", "MAX_FEATURES_IN_BATCH=\(batchSize(count))"]
    let source = try streamed(layer, name: wanted)
    let isOpen = Self.withTexts(options) { library.stream(source, &stream, $0) != 0 }
    guard isOpen else {
      try checkErrors()
      throw LayerFailure("GDAL cannot read the layer `\(wanted)`")
    }
    defer { stream.release?(&stream) }
    var schema = LayerSchema(name: wanted)
    schema.count = count
    schema.geometryType = library.geometryType(layer)
    schema.system = system
    schema.isPart = esri?.isPart == true
    let fields = try fields(of: &stream)
    let writer = LayerRowWriter(
      fields, identifier: identifier(of: layer), schema: schema, library: library,
      swapsAxes: swapsAxes, hasEmptyGeometries: driver != "FlatGeobuf",
      times: try times(of: fields, layer: wanted))
    writer.schema.append(to: message)
    try send(message, as: .schema, to: output)
    try readRows(&stream, writer, message, output)
    try checkErrors()
    message.append(Int64(writer.convertedGeometries))
    try send(message, as: .end, to: output)
  }

  private func layer(_ wanted: String) throws(LayerFailure) -> GDALLibrary.Handle {
    guard let layer = layers.first(where: { name(of: $0) == wanted }) else {
      throw LayerFailure("the file has no layer `\(wanted)`")
    }
    if isOpenStreetMap {
      // Otherwise the rows of the other layers would be kept in memory.
      _ = library.execute(handle, "SET interest_layers = \(wanted)", nil, nil)
    }
    return layer
  }

  /// Returns the layer to stream instead of a layer.
  ///
  /// The streams of GeoPackage and FlatGeobuf in GDAL 3.6 have wrong booleans, and write them outside
  /// of their memory. A selection of all rows has a stream that reads row by row.
  private func streamed(
    _ layer: GDALLibrary.Handle, name: String
  ) throws(LayerFailure) -> GDALLibrary.Handle {
    guard ["GPKG", "FlatGeobuf"].contains(driver), hasBooleans(layer) else { return layer }
    let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    guard let rows = library.execute(handle, "SELECT * FROM \"\(quoted)\"", nil, "OGRSQL") else {
      try checkErrors()
      throw LayerFailure("GDAL cannot read the layer `\(name)`")
    }
    return rows
  }

  private func hasBooleans(_ layer: GDALLibrary.Handle) -> Bool {
    guard let definition = library.layerDefinition(layer) else { return false }
    // OFSTBoolean
    return (0..<library.fieldCount(definition)).contains { index in
      library.field(definition, index).map { library.fieldSubtype($0) == 1 } ?? false
    }
  }

  /// Returns the name of the column of row numbers in the file; nil if GDAL numbers the rows itself.
  private func identifier(of layer: GDALLibrary.Handle) -> String? {
    let name = library.identifierColumn(layer).map { String(cString: $0) } ?? ""
    return name.isEmpty ? nil : name
  }

  /// Returns a reader of the columns of dates and times, or nil if the layer has no such columns.
  private func times(
    of fields: [ArrowField], layer: String
  ) throws(LayerFailure) -> DateTimeReader? {
    let dated = fields.filter(\.isDated)
    guard !dated.isEmpty else { return nil }
    let again = try GDALFile(path, encoding: encoding, settings: settings)
    return try DateTimeReader(again, layer: try again.layer(layer), columns: dated)
  }

  /// The most batches without rows that follow one another. GDAL 3.6 returns them for ever at the
  /// end of an empty layer of FlatGeobuf.
  private static let mostEmptyBatches = 1000

  private func readRows(
    _ stream: inout cairn_arrow_stream, _ writer: LayerRowWriter, _ message: LayerMessage,
    _ output: Int32
  ) throws(LayerFailure) {
    var empty = 0
    while empty < Self.mostEmptyBatches {
      var array = cairn_arrow_array()
      guard stream.get_next?(&stream, &array) == 0 else {
        try checkErrors()
        let reason = stream.get_last_error?(&stream).map { ": \(String(cString: $0))" } ?? ""
        throw LayerFailure("GDAL cannot read further rows\(Self.tidy(reason, path: path, source))")
      }
      guard let release = array.release else { return }
      defer { release(&array) }
      empty = array.length > 0 ? 0 : empty + 1
      guard empty == 0 else { continue }
      try writer.append(array, to: message)
      try send(message, as: .rows, to: output)
    }
  }

  /// Returns the most rows of a batch, so that one has about eight megabytes.
  private func batchSize(_ count: Int?) -> Int {
    let size =
      isFolder(path)
      ? names(inFolder: path).map { Self.size("\(path)/\($0)") }.reduce(0, +)
      : Self.size(path)
    guard let count, count > 0, size > 0 else { return 16384 }
    let rowSize = max(1, size / count)
    return min(65536, max(256, (8 << 20) / rowSize))
  }

  /// The size of a file in bytes; 0 if it cannot be read.
  private static func size(_ path: String) -> Int {
    var info = stat()
    return stat(path, &info) == 0 ? Int(info.st_size) : 0
  }

  private func fields(of stream: inout cairn_arrow_stream) throws(LayerFailure) -> [ArrowField] {
    var schema = cairn_arrow_schema()
    guard stream.get_schema?(&stream, &schema) == 0, let release = schema.release else {
      try checkErrors()
      throw LayerFailure("GDAL cannot describe the columns")
    }
    defer { release(&schema) }
    do throws(ArrowError) { return try ArrowField(schema).children } catch {
      throw LayerFailure(error)
    }
  }
}

// Coordinate systems.
extension GDALFile {
  /// `OAMS_TRADITIONAL_GIS_ORDER`: x is east, y is north.
  static let eastFirst: Int32 = 0

  /// Returns the coordinate system of a layer, as a code or as WKT, and whether y precedes x in its
  /// geometries.
  private func system(of layer: GDALLibrary.Handle) -> (name: String?, swapsAxes: Bool) {
    guard let system = library.system(layer) else { return (nil, false) }
    let name = library.systemName(system).map { String(cString: $0) } ?? ""
    guard library.isLocal(system) == 0, !name.hasPrefix("Undefined") else { return (nil, false) }
    return (code(of: system) ?? wkt(of: system), swapsAxes(system))
  }

  private func code(of system: GDALLibrary.Handle) -> String? {
    guard let name = library.authorityName(system, nil),
      let code = library.authorityCode(system, nil)
    else { return nil }
    let text = "\(String(cString: name)):\(String(cString: code))"
    // WGS 84 with heights above its ellipsoid.
    return text == "EPSG:4979" ? "EPSG:4326" : text
  }

  /// Whether a system is WGS 84 by another name, as in the files of ESRI and MapInfo.
  private func isWGS84(_ system: GDALLibrary.Handle) -> Bool {
    guard let known = library.newSystem(nil) else { return false }
    defer { library.releaseSystem(known) }
    let options = ["CRITERION=EQUIVALENT", "IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES"]
    return library.importEPSG(known, 4326) == 0
      && Self.withTexts(options) { library.isSame(system, known, $0) != 0 }
  }

  private func wkt(of system: GDALLibrary.Handle) -> String? {
    if isWGS84(system) { return "EPSG:4326" }
    var text: UnsafeMutablePointer<CChar>?
    let isDone = Self.withTexts(["FORMAT=WKT2_2019", "MULTILINE=NO"]) {
      library.exportWKT(system, &text, $0) == 0
    }
    defer { library.free(text) }
    return isDone ? text.map { String(cString: $0) } : nil
  }

  private func swapsAxes(_ system: GDALLibrary.Handle) -> Bool {
    guard let plain = library.cloneSystem(system) else { return false }
    defer { library.releaseSystem(plain) }
    library.setAxisStrategy(plain, Self.eastFirst)
    return mapping(system).prefix(2) != mapping(plain).prefix(2)
  }

  private func mapping(_ system: GDALLibrary.Handle) -> [Int32] {
    var count: Int32 = 0
    guard let axes = library.axisMapping(system, &count) else { return [] }
    return Array(UnsafeBufferPointer(start: axes, count: Int(max(0, count))))
  }
}
