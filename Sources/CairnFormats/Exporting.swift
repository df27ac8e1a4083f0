internal import CairnArrow
internal import CairnGDAL
internal import CairnGeometry
internal import CairnIO
internal import CairnMaps
public import CairnObjects
internal import CairnParquet
internal import CairnStorage
import CairnSystem
internal import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Exports of results, lists and other collections of objects. The objects are written one after
/// the other, in the order of the collection, from the columns of the store; no object is created.
///
/// A link is written as the primary key of its object, an embedded object and a collection as JSON.
extension RealmCollection where Element: ObjectBase {
  /// Writes the objects to a file, which appears when it is complete and replaces one of its name.
  ///
  ///     try realm.objects(City.self).where { $0.population > 100_000 }
  ///       .export(to: URL(fileURLWithPath: "large.geojson"))
  ///
  /// - Parameters:
  ///   - file: The file; it is compressed if its name ends in `.gz`. Formats that GDAL writes are not.
  ///   - format: The format; nil for that of the file's extension.
  ///   - options: The properties, the coordinate system and the dialect of CSV.
  /// - Returns: The number of objects and the size of the file, with remarks.
  /// - Throws: ``ExportError``; nothing is written then.
  @discardableResult
  public func export(
    to file: URL, format: ExportFormat? = nil, options: ExportOptions = ExportOptions()
  ) throws -> ExportSummary {
    try Export(storedRows(), options: options).write(to: file, format: format)
  }

  /// Saves the objects as a new class of the same realm, in a write transaction of its own.
  ///
  ///     try realm.objects(City.self).where { $0.population > 100_000 }.save(as: "LargeCity")
  ///
  /// The properties keep their types, indexes and the primary key. Programs read the class through
  /// `dynamicObjects`, or declare it.
  ///
  /// - Parameters:
  ///   - className: The name of the class, which must not exist.
  ///   - properties: The properties, or paths along links to one object; nil for all of the class.
  /// - Returns: The number of objects.
  /// - Throws: ``ExportError`` if the class exists, or a property holds lists or objects; ``Realm/Error``
  ///   if the realm is frozen, read-only or in a write transaction. Nothing is written then.
  @discardableResult
  public func save(as className: String, properties: [String]? = nil) throws -> Int {
    guard let realm else {
      throw ExportError(.usage, message: "the objects are in no realm, which could have the class")
    }
    var options = ExportOptions()
    options.properties = properties
    let store = try realm.loadTarget(named: className).store
    let count = try Export(storedRows(), options: options).save(as: className, in: store)
    realm.refresh()
    return count
  }

  /// The objects as a GeoJSON FeatureCollection.
  ///
  /// - Parameter options: The properties and the coordinate system.
  /// - Throws: ``ExportError``, for example if the class has no location.
  public func geoJSON(options: ExportOptions = ExportOptions()) throws -> String {
    try Export(storedRows(), options: options).text(.geoJSON)
  }

  /// The objects in a format, as bytes.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - options: The properties, the coordinate system and the dialect of CSV.
  /// - Throws: ``ExportError``.
  public func exportedData(
    format: ExportFormat, options: ExportOptions = ExportOptions()
  ) throws -> Data {
    try Export(storedRows(), options: options).data(format)
  }
}

/// Exports of projections: the properties of the projection under their names.
extension RealmCollection where Element: ProjectionObservable {
  /// Writes the projections to a file, which appears when it is complete and replaces one of its
  /// name.
  ///
  /// - Parameters:
  ///   - file: The file; it is compressed if its name ends in `.gz`. Formats that GDAL writes are not.
  ///   - format: The format; nil for that of the file's extension.
  ///   - options: The coordinate system and the dialect of CSV, and which properties.
  /// - Returns: The number of objects and the size of the file, with remarks.
  /// - Throws: ``ExportError``; nothing is written then. A property that shows the properties of the
  ///   elements of a collection cannot be written.
  @discardableResult
  public func export(
    to file: URL, format: ExportFormat? = nil, options: ExportOptions = ExportOptions()
  ) throws -> ExportSummary {
    try Export(storedRows(), projecting: projectedPaths, options: options)
      .write(to: file, format: format)
  }

  /// The projections as a GeoJSON FeatureCollection.
  ///
  /// - Throws: ``ExportError``, for example if no property is a location.
  public func geoJSON(options: ExportOptions = ExportOptions()) throws -> String {
    try Export(storedRows(), projecting: projectedPaths, options: options).text(.geoJSON)
  }
}

/// Exports of a section: its objects, as those of its results.
extension ResultsSection where Element: ObjectBase {
  /// Writes the objects of the section to a file, which appears when it is complete and replaces one
  /// of its name.
  ///
  /// - Parameters:
  ///   - file: The file; it is compressed if its name ends in `.gz`. Formats that GDAL writes are not.
  ///   - format: The format; nil for that of the file's extension.
  ///   - options: The properties, the coordinate system and the dialect of CSV.
  /// - Returns: The number of objects and the size of the file, with remarks.
  /// - Throws: ``ExportError``; nothing is written then.
  @discardableResult
  public func export(
    to file: URL, format: ExportFormat? = nil, options: ExportOptions = ExportOptions()
  ) throws -> ExportSummary {
    try Export(storedRows(), options: options).write(to: file, format: format)
  }

  /// The objects of the section as a GeoJSON FeatureCollection.
  ///
  /// - Throws: ``ExportError``, for example if the class has no location.
  public func geoJSON(options: ExportOptions = ExportOptions()) throws -> String {
    try Export(storedRows(), options: options).text(.geoJSON)
  }
}

/// Exports of joins: the properties of both objects as `City.name` and `Country.name`, and the
/// `distance` in metres, if the join measures it.
extension Join {
  /// Writes the pairs to a file, which appears when it is complete and replaces one of its name.
  ///
  /// All pairs are found before the first one is written.
  ///
  /// - Parameters:
  ///   - file: The file; it is compressed if its name ends in `.gz`. Formats that GDAL writes are not.
  ///   - format: The format; nil for that of the file's extension.
  ///   - options: The properties, as `City.name`, the coordinate system and the dialect of CSV.
  /// - Returns: The number of objects and the size of the file, with remarks.
  /// - Throws: ``ExportError``; nothing is written then.
  @discardableResult
  public func export(
    to file: URL, format: ExportFormat? = nil, options: ExportOptions = ExportOptions()
  ) throws -> ExportSummary {
    try Export(self, options: options).write(to: file, format: format)
  }

  /// The pairs as a GeoJSON FeatureCollection, with the location of the left object.
  ///
  /// - Throws: ``ExportError``, for example if no property is a location.
  public func geoJSON(options: ExportOptions = ExportOptions()) throws -> String {
    try Export(self, options: options).text(.geoJSON)
  }
}

/// Rows to be written, and their columns.
private struct Export {
  private let columns: [OutputColumn]
  private let options: ExportOptions
  /// The class of the rows; nil for pairs of two.
  private let schema: TableSchema?
  /// Writes all rows.
  private let writeRows: (RowWriter) throws(OutputError) -> Void

  init(_ rows: StoredRows, options: ExportOptions) throws(ExportError) {
    let schema = rows.table.schema
    let names = options.properties ?? schema.properties.map(\.name)
    columns = try names.map { (name) throws(ExportError) in
      try Self.column(name, of: schema, in: rows.classes)
    }
    self.options = options
    self.schema = schema
    writeRows = Self.writing(rows)
  }

  init(
    _ rows: StoredRows, projecting properties: [ProjectedPath], options: ExportOptions
  ) throws(ExportError) {
    let names = options.properties ?? properties.map(\.name)
    columns = try names.map { (name) throws(ExportError) in
      guard let property = properties.first(where: { $0.name == name }) else {
        throw Self.unknown(name, className: "projection", names: properties.map(\.name))
      }
      let path = property.path.joined(separator: ".")
      guard !property.continuesInElements, !path.isEmpty else {
        throw ExportError(
          .usage, message: "`\(name)` shows more than a stored property, and cannot be written")
      }
      return try Self.column(path, of: rows.table.schema, in: rows.classes).named(name)
    }
    self.options = options
    schema = rows.table.schema
    writeRows = Self.writing(rows)
  }

  init<Left, Right>(_ join: Join<Left, Right>, options: ExportOptions) throws(ExportError) {
    let (left, right, classes) = join.tables
    let pairs = join.storedPairs()
    let sides = left.schema.name == right.schema.name ? ["left", "right"] : nil
    var all: [OutputColumn] = []
    for (index, table) in [left, right].enumerated() {
      let prefix = sides?[index] ?? table.schema.name
      for property in table.schema.properties {
        all.append(
          try Self.column(property.name, of: table.schema, in: classes)
            .named("\(prefix).\(property.name)", table: index))
      }
    }
    if pairs.contains(where: { $0.distance != nil }) {
      all.append(OutputColumn(name: "distance", type: .double, source: .given(0)))
    }
    let offered = all
    columns =
      try options.properties.map { (names) throws(ExportError) in
        try names.map { (name) throws(ExportError) in
          if let column = offered.first(where: { $0.name == name }) { return column }
          throw Self.unknown(name, className: "join", names: offered.map(\.name))
        }
      } ?? offered
    self.options = options
    schema = nil
    writeRows = { (writer) throws(OutputError) in
      for pair in pairs {
        try writer.write(
          TableRow(pair.left, of: left), and: pair.right.map { TableRow($0, of: right) }
        ) { _ in
          pair.distance.map { .double($0.radians * Sphere.radius) } ?? .null
        }
      }
    }
  }

  private static func column(
    _ name: String, of schema: TableSchema, in classes: StoreSchema
  ) throws(ExportError) -> OutputColumn {
    guard let path = ColumnPath(name, of: schema, in: classes) else {
      throw unknown(name, className: schema.name, names: schema.properties.map(\.name))
    }
    return path.output(name, in: classes)
  }

  private static func unknown(
    _ name: String, className: String, names: [String]
  ) -> ExportError {
    let nearest = NearestName.of(name, among: names).map { "; did you mean `\($0)`?" } ?? "."
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    return ExportError(
      .usage,
      message: "\(className) has no property `\(name)`\(nearest) The properties are \(list)")
  }

  private static func writing(
    _ rows: StoredRows
  ) -> (RowWriter) throws(OutputError) -> Void {
    { (writer) throws(OutputError) in
      var failure: OutputError?
      var keys: [Int] = []
      func writeKeys() -> Bool {
        do throws(OutputError) { try writer.write(keys, of: rows.table) } catch { failure = error }
        keys.removeAll(keepingCapacity: true)
        return failure == nil
      }
      rows.forEachKey { key in
        keys.append(key)
        return keys.count < RowWriter.batchSize || writeKeys()
      }
      if failure == nil { _ = writeKeys() }
      if let failure { throw failure }
    }
  }

  /// Writes the rows to a file.
  func write(to file: URL, format: ExportFormat?) throws(ExportError) -> ExportSummary {
    guard let format = format ?? ExportFormat(of: file.path) else {
      throw ExportError(
        .usage,
        message: "\(file.path): the extension does not tell the format; pass the format")
    }
    do throws(OutputError) {
      let output = try OutputFile(file.path, format: format.output, with: writers)
      // A process of GDAL that ends early closes its pipe.
      let count = try withoutPipeSignal { () throws(OutputError) in
        let count = try write(format, to: output.sink)
        try output.publish()
        return count
      }
      return ExportSummary(count: count, bytes: output.bytesWritten, remarks: output.notes)
    } catch { throw ExportError(error, file: file.path) }
  }

  /// Makes a class of the rows, and returns their number.
  func save(as className: String, in store: Store) throws(ExportError) -> Int {
    do throws(OutputError) {
      let encoder = try ClassEncoder(
        className, of: store, columns: columns, from: origin, hasKey: true)
      let writer = try RowWriter(columns, to: encoder)
      try writeRows(writer)
      try writer.finish()
      return writer.rowCount
    } catch { throw ExportError(error) }
  }

  /// The property that a column shows unchanged.
  private func origin(_ column: OutputColumn) -> ColumnSchema? {
    guard case .stored(let position) = column.source else { return nil }
    return schema?.columns[position]
  }

  /// The rows as text.
  func text(_ format: ExportFormat) throws(ExportError) -> String {
    try inMemory(format) { String(decoding: $0, as: UTF8.self) }
  }

  /// The rows as bytes.
  func data(_ format: ExportFormat) throws(ExportError) -> Data {
    try inMemory(format) { Data($0) }
  }

  private func inMemory<R>(
    _ format: ExportFormat, body: (UnsafeRawBufferPointer) -> R
  ) throws(ExportError) -> R {
    guard !format.output.isWrittenByGDAL else {
      throw ExportError(.usage, message: "the format \(format) is written to a file only")
    }
    let sink = OutputSink.memory()
    do throws(OutputError) { _ = try write(format, to: sink) } catch { throw ExportError(error) }
    return body(sink.collected)
  }

  /// Writes the rows, and returns their number.
  private func write(_ format: ExportFormat, to sink: OutputSink) throws(OutputError) -> Int {
    let writer = try RowWriter(
      format.output, columns: columns, in: try system(), style: options.style, with: writers,
      to: sink)
    try writeRows(writer)
    try writer.finish()
    return writer.rowCount
  }

  /// The writers of formats of other modules.
  private var writers: [any FormatWriter] {
    [
      GDALWriter(executable: options.gdalWriter ?? GDALProgram.path), MapWriter(), ParquetWriter(),
      ArrowWriter(),
    ]
  }

  private func system() throws(OutputError) -> OutputSystem? {
    try options.coordinateSystem.map { (definition) throws(OutputError) in
      do throws(GeometryError) { return try OutputSystem(definition) } catch {
        throw .unnamedSystem(error.message)
      }
    }
  }
}
