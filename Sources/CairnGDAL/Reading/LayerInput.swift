internal import CairnIO
import CairnSystem

/// A layer of a file that GDAL reads.
final class LayerInput: LayerSource {
  /// The name of the file and the layer in messages.
  let name: String
  let columns: LayerColumns
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
    columns = try LayerColumns(try Self.schema(process), name: name, options: options)
    state = Mutex(State(process: process))
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
    guard try Self.schema(process) == columns.schema else {
      throw ImportError(.data, message: "\(name) changed while it was read")
    }
    state.withLock { $0.converted = 0 }
    return process
  }

  /// Notes the number of geometries that GDAL has converted.
  func note(converted: Int) { state.withLock { $0.converted = converted } }

  /// Estimates how many bytes of the file some rows take up, for the progress.
  func size(ofRows count: Int, before rows: Int) -> Int64 {
    guard let total = columns.schema.count, total > 0 else { return 0 }
    let end = min(total, rows + count)
    return Int64(Double(size) * Double(max(0, end - rows)) / Double(total))
  }

  func makeSplitter(_ rows: RowRanges?) -> any BlockSplitter { LayerSplitter(self) }

  func makeDecoder(_ needed: Set<Int>) -> any LayerDecoder { LayerMessageDecoder(self) }

  /// Notes on the rows for the user, once they are read.
  func notes(_ options: ImportOptions) -> [ImportMessage] {
    var notes = columns.notes(name: name, options: options)
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
      guard let batch = try? LayerBatch(block, schema: input.columns.schema) else {
        throw process.damage
      }
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

/// Reads the rows that the process has sent, in place.
final class LayerMessageDecoder: LayerDecoder {
  private let input: LayerInput

  init(_ input: LayerInput) { self.input = input }

  func rows(of block: InputBlock) throws(ParseAbort) -> LayerBatch {
    do throws(LayerMessageReader.Damage) {
      return try LayerBatch(block, schema: input.columns.schema)
    } catch {
      throw .failed(ImportError(.data, message: "\(input.name): the rows are damaged"))
    }
  }
}
