internal import CairnGeometry
internal import CairnIO
import CairnSystem
internal import CairnValues

/// Writes the rows of a pipe to a new file. It runs in the process that writes with GDAL.
final class LayerFileWriter {
  private let library: GDALLibrary
  private let writing: GDALWriting
  private let path: String
  private let layerName: String
  private let format: LayerFormat
  private let buffer = InputBlock(capacity: 1 << 16)
  private var rowCount = 0

  /// - Parameters:
  ///   - path: The path of the file, in a folder of its own.
  ///   - layer: The name of the layer.
  init(_ path: String, layer: String, format: LayerFormat) throws(LayerFailure) {
    library = try GDALFile.openLibrary()
    do throws(LibraryError) { writing = try GDALWriting() } catch {
      throw LayerFailure(error.message, kind: .library)
    }
    self.path = path
    layerName = layer
    self.format = format
    // The file is not in use before it is complete, so nothing has to be undone or flushed.
    for (name, value) in [
      "OGR_SQLITE_SYNCHRONOUS": "OFF", "OGR_SQLITE_JOURNAL": "OFF", "OGR_SQLITE_CACHE": "128",
    ] {
      library.setOption(name, value)
    }
  }

  /// Writes the file.
  ///
  /// - Parameter input: The pipe.
  /// - Returns: Notes for the reader of the file.
  func writeRows(of input: Int32) throws(LayerFailure) -> [String] {
    GDALErrors.start()
    guard try next(input) == .schema else { throw Self.wrongMessage }
    let target: LayerTarget
    do throws(LayerMessageReader.Damage) { target = try LayerTarget(content) } catch {
      throw Self.wrongMessage
    }
    let (file, layer) = try create(target)
    let features = try FeatureWriter(
      target, of: layer, format: format, library: library, writing: writing)
    while true {
      switch try next(input) {
      case .rows:
        let batch: LayerBatch
        do throws(LayerMessageReader.Damage) {
          batch = try LayerBatch(content, schema: target.schema)
        } catch { throw Self.wrongMessage }
        try features.write(batch)
        rowCount += batch.rowCount
      case .end:
        features.destroy()
        if format == .gpkg, features.hasAltitudes { allowAltitudes(file) }
        try close(file)
        return features.notes
      default: throw Self.wrongMessage
      }
    }
  }

  private static let wrongMessage = LayerFailure("the rows make no sense", kind: .output)

  /// The bytes of the message. Valid until the next one is read.
  private var content: UnsafeRawBufferPointer { buffer.content }
}

// The pipe.
extension LayerFileWriter {
  /// Reads the next message into the buffer.
  private func next(_ input: Int32) throws(LayerFailure) -> LayerMessageKind {
    try read(LayerMessageHeader.size, from: input)
    guard let header = LayerMessageHeader(content) else { throw Self.wrongMessage }
    try read(header.count, from: input)
    return header.kind
  }

  private func read(_ count: Int, from input: Int32) throws(LayerFailure) {
    let target = buffer.reserveContent(count)
    var done = 0
    while done < count, let start = target.baseAddress {
      let size = readSome(input, start + done, count - done)
      if size > 0 {
        done += size
      } else if size == 0 || errno != EINTR {
        throw LayerFailure("the rows end early", kind: .output)
      }
    }
  }
}

/// Calls the system's `read`, which the method of that name hides.
private func readSome(_ input: Int32, _ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(input, target, count)
}

// The file.
extension LayerFileWriter {
  private func create(
    _ target: LayerTarget
  ) throws(LayerFailure) -> (file: GDALLibrary.Handle, layer: GDALLibrary.Handle) {
    guard let driver = writing.driver(format.driver) else {
      throw LayerFailure(
        "the installed GDAL does not write \(format.title); choose another format", kind: .library)
    }
    let options = format == .gpx ? ["GPX_USE_EXTENSIONS=YES"] : []
    let created = GDALFile.withTexts(options) { writing.create(driver, path, 0, 0, 0, 0, $0) }
    guard let created else { throw failure("GDAL cannot create the file") }
    let system = try system(target)
    defer { if let system { library.releaseSystem(system) } }
    let layer = GDALFile.withTexts(layerOptions(target)) {
      writing.createLayer(created, layerName, system, target.schema.geometryType, $0)
    }
    guard let layer else { throw failure("GDAL cannot create the layer") }
    _ = writing.startTransaction(created, 0)
    return (created, layer)
  }

  private func system(_ target: LayerTarget) throws(LayerFailure) -> GDALLibrary.Handle? {
    guard let definition = target.schema.system else { return nil }
    guard let system = library.newSystem(nil) else { throw failure("GDAL has no memory") }
    guard writing.setSystem(system, definition) == 0 else {
      library.releaseSystem(system)
      throw failure("GDAL does not know the coordinate system \(definition)")
    }
    library.setAxisStrategy(system, GDALFile.eastFirst)
    return system
  }

  private func layerOptions(_ target: LayerTarget) -> [String] {
    switch format {
    case .gpkg:
      [
        "GEOMETRY_NAME=\(target.schema.columns.last?.name ?? "geom")",
        "FID=\(target.numberColumn)", "SPATIAL_INDEX=YES",
      ]
    case .fgb: ["SPATIAL_INDEX=YES"]
    case .shp: ["ENCODING=UTF-8", "2GB_LIMIT=YES"]
    default: []
    }
  }

  /// Says in a GeoPackage that geometries may have altitudes. GDAL says that all have some, or none.
  private func allowAltitudes(_ file: GDALLibrary.Handle) {
    let name = layerName.replacing("'", with: "''")
    _ = library.execute(
      file, "UPDATE gpkg_geometry_columns SET z = 2 WHERE table_name = '\(name)'", nil, "")
  }

  /// Completes the file, and reads it again to see that all rows are there.
  private func close(_ file: GDALLibrary.Handle) throws(LayerFailure) {
    guard writing.commit(file) == 0 || GDALErrors.first == nil else {
      throw failure("GDAL cannot write the rows")
    }
    writing.close(file)
    guard GDALErrors.first == nil else { throw failure("GDAL cannot complete the file") }
    guard try isComplete() else { throw failure("GDAL has not written all rows") }
  }

  private func isComplete() throws(LayerFailure) -> Bool {
    if let tag = format == .kml ? "</kml>" : format == .gpx ? "</gpx>" : nil {
      return Self.tail(of: path).contains(tag)
    }
    do throws(LayerFailure) {
      return try GDALFile(path, encoding: "").rowCount == rowCount
    } catch {
      throw LayerFailure("GDAL has not completed the file: \(error.message)", kind: .output)
    }
  }

  /// Returns the last bytes of a text file.
  private static func tail(of path: String) -> String {
    let file = openFile(path, flags: O_RDONLY)
    guard file >= 0 else { return "" }
    defer { closeDescriptor(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = pread(file, &bytes, bytes.count, max(0, lseek(file, 0, SEEK_END) - 64))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private func failure(_ what: String) -> LayerFailure {
    let reason = GDALErrors.first.map { ": \($0)" } ?? ""
    return LayerFailure(GDALFile.tidy(what + reason, path: path), kind: .output)
  }
}

/// Calls the system's `close`, which the method of that name hides.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

extension LayerTarget {
  /// The index of a column of whole numbers that becomes the number of each feature in a GeoPackage.
  var numbers: Int? {
    schema.columns.firstIndex { $0.type == .int && $0.name.lowercased() == "fid" }
  }

  /// The name of the column of the numbers of features in a GeoPackage.
  var numberColumn: String {
    if let numbers { return schema.columns[numbers].name }
    let names = Set(schema.columns.map { $0.name.lowercased() })
    return ["fid", "ogc_fid", "feature_id", "cairn_fid"].first { !names.contains($0) }
      ?? "fid_\(names.count)"
  }
}
