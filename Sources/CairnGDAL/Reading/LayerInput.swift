internal import CairnGeometry
internal import CairnIO
import CairnSystem

/// A layer of a file that GDAL reads.
final class LayerInput: LayerSource {
  /// The name of the file and the layer in messages.
  let name: String
  let schema: LayerSchema
  /// The columns that hold the coordinates of a layer without geometries.
  let coordinates: (latitude: Int, longitude: Int)?
  /// The names of the columns, each of them once.
  let names: ColumnNames
  private let size: Int64
  private let executable: String
  private let arguments: [String]
  private let state: Mutex<State>

  private struct State {
    /// A process whose next message is the first one with rows.
    var process: GDALProcess?
    /// The number of geometries that GDAL has converted.
    var converted = 0
  }

  /// Opens a file, chooses the layer, and reads its columns.
  ///
  /// - Parameter size: The size of the file in bytes.
  init(_ path: String, size: Int64, options: ImportOptions) throws(ImportError) {
    let file = try LayerFile(path, options: options)
    let layer = try file.layer(options.layer)
    name = file.name(of: layer)
    self.size = size
    executable = file.executable
    arguments = file.arguments(.read, layer: layer.name)
    let process = try GDALProcess(executable: executable, arguments: arguments, name: name)
    schema = try Self.schema(process)
    names = ColumnNames(schema.columns.map(\.name))
    state = Mutex(State(process: process))
    guard schema.geometry == nil else {
      coordinates = nil
      return
    }
    let finder = CoordinateColumnFinder(names: names, options: options, file: name)
    let found = try finder.find { [names, name] (wanted) throws(ImportError) in
      if let index = names.names.firstIndex(of: wanted) { return index }
      throw ImportError(
        .usage,
        message: "\(name): no column is named `\(wanted)`; the columns are \(names.list)")
    }
    guard case .columns(let latitude, let longitude)? = found else { throw finder.missing }
    coordinates = (latitude, longitude)
  }

  private static func schema(_ process: GDALProcess) throws(ImportError) -> LayerSchema {
    guard try process.next().kind == .schema else { throw process.damage }
    let bytes = try process.content()
    do throws(LayerMessageReader.Damage) {
      return try LayerMessageReader.read(bytes) { (bytes) throws(LayerMessageReader.Damage) in
        try LayerSchema(bytes)
      }
    } catch { throw process.damage }
  }

  /// Starts to read the rows. The first call takes over the process that has read the columns.
  func start() throws(ImportError) -> GDALProcess {
    if let process = state.withLock({ $0.process.take() }) { return process }
    let process = try GDALProcess(executable: executable, arguments: arguments, name: name)
    guard try Self.schema(process) == schema else {
      throw ImportError(.data, message: "\(name) changed while it was read")
    }
    state.withLock { $0.converted = 0 }
    return process
  }

  /// Notes the number of geometries that GDAL has converted.
  func note(converted: Int) { state.withLock { $0.converted = converted } }

  /// Estimates how many bytes of the file some rows take up, for the progress.
  func size(ofRows count: Int, before rows: Int) -> Int64 {
    guard let total = schema.count, total > 0 else { return 0 }
    let end = min(total, rows + count)
    return Int64(Double(size) * Double(max(0, end - rows)) / Double(total))
  }

  /// The columns that become properties, with their indexes.
  var properties: [(index: Int, name: String)] {
    schema.columns.indices.filter {
      $0 != schema.geometry && $0 != coordinates?.latitude && $0 != coordinates?.longitude
    }.map { ($0, names.names[$0]) }
  }

  var system: String? { schema.system }

  var coordinateColumns: [String] {
    coordinates.map { [$0.latitude, $0.longitude].map { names.names[$0] } } ?? []
  }

  var propertyNames: [String] { properties.map(\.name) }

  func makeSplitter() -> any BlockSplitter { LayerSplitter(self) }

  func inspect(
    _ block: InputBlock, form: SpatialForm, options: ImportOptions
  ) throws(ParseAbort) -> InferredSchema {
    try LayerInference(self, form: form, options: options).inspect(block)
  }

  func makeParser(
    _ plan: ImportPlan, mapping: CoordinateMapping, file: String
  ) -> any LayerParser {
    LayerBlockParser(self, mapping: mapping, plan: plan, file: file)
  }

  /// Notes on the rows for the user, once they are read.
  func notes(_ options: ImportOptions) -> [ImportMessage] {
    var notes = names.notes.map { ImportMessage("\(name): \($0)") }
    if schema.geometry != nil, schema.system == nil, options.coordinateSystem == nil {
      notes.append(
        "\(name): the file names no coordinate system, so the coordinates are read as degrees of "
          + "WGS 84; \(option: .coordinateSystem, "EPSG:n") names another")
    }
    if !schema.otherGeometries.isEmpty {
      let list = schema.otherGeometries.map { "`\($0)`" }.joined(separator: ", ")
      notes.append("\(name): only the first geometry of a row is read, and not \(list)")
    }
    if schema.isPart {
      notes.append(
        "\(name): the server had more rows than it sent (exceededTransferLimit); ask for the others "
          + "with resultOffset")
    }
    if schema.hasMeasures { notes.append("\(name): measures (M) of positions are ignored") }
    let converted = state.withLock { $0.converted }
    if converted > 0 {
      notes.append(
        "\(name): \(converted) \(converted == 1 ? "geometry" : "geometries") with curves or "
          + "surfaces became lines and polygons")
    }
    return notes
  }
}

/// Reads the batches of a layer as blocks.
final class LayerSplitter: BlockSplitter {
  private let input: LayerInput
  private var process: GDALProcess?

  init(_ input: LayerInput) { self.input = input }

  func next(into block: InputBlock) throws(ImportError) -> Bool {
    let process: GDALProcess
    if let running = self.process { process = running } else { process = try input.start() }
    self.process = process
    let header = try process.next()
    switch header.kind {
    case .rows:
      try process.read(into: block.reserveContent(header.count))
      guard let batch = try? LayerBatch(block, schema: input.schema) else { throw process.damage }
      block.setRows(
        from: batch.firstRow,
        share: input.size(ofRows: batch.rowCount, before: batch.firstRow))
      return true
    case .end:
      let bytes = try process.content()
      guard bytes.count == 8 else { throw process.damage }
      input.note(converted: bytes.withUnsafeBytes { Int($0.loadUnaligned(as: Int64.self)) })
      return false
    case .layers, .schema, .failure: throw process.damage
    }
  }
}
