package import CairnIO
import CairnSystem

/// A file of a format that GDAL reads, and its layers.
package struct LayerFile {
  /// The name in messages.
  private let name: String
  private let path: String
  private let encoding: String
  /// Settings of GDAL, as `NAME=VALUE`.
  private let settings: [String]
  /// The program that reads the file.
  let executable: String
  /// The layers of the file.
  package let layers: [LayerSummary]

  /// Opens a file and lists its layers.
  package init(_ path: String, options: ImportOptions) throws(ImportError) {
    guard path != "-" else {
      throw ImportError(
        .usage, message: "GDAL does not read standard input; save it as a file, and import that")
    }
    guard let executable = options.gdalReader else {
      throw ImportError(
        .library, message: "\(path): this program has no process that reads files with GDAL")
    }
    name = path
    guard let full = realpath(path, nil) else {
      throw ImportError(.noInput, message: "\(path): \(errorText(errno))")
    }
    defer { free(full) }
    self.path = String(cString: full)
    guard !self.path.hasPrefix("/vsi") else {
      throw ImportError(.usage, message: "\(path): GDAL takes this path for something else")
    }
    self.executable = executable
    encoding = options.encoding?.name ?? ""
    for name in options.gdalSettings.keys.sorted() where GDALFile.isFixed(name) {
      throw ImportError(
        .usage,
        message: "GDAL's setting \(name) keeps files from leading to others or to the network, "
          + "and cannot be changed")
    }
    settings = options.gdalSettings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let process = try GDALProcess(
      executable: executable,
      arguments: GDALWorker.arguments(
        .list, path: self.path, layer: "", encoding: encoding, settings: settings),
      name: path)
    guard try process.next().kind == .layers else { throw process.damage }
    let bytes = try process.content()
    do throws(LayerMessageReader.Damage) {
      layers = try LayerMessageReader.read(bytes, LayerSummary.list)
    } catch { throw process.damage }
  }

  func arguments(_ task: GDALWorker.Task, layer: String) -> [String] {
    GDALWorker.arguments(
      task, path: path, layer: layer, encoding: encoding, settings: settings)
  }

  /// Returns the name of a layer in messages: that of the file, if it has no other layer.
  func name(of layer: LayerSummary) -> String {
    layers.count > 1 ? "\(name), layer `\(layer.name)`" : name
  }

  /// The layers that are not empty. GPX, for example, always has five.
  package var filled: [LayerSummary] { layers.filter { $0.count != 0 } }

  /// Returns the layer of a name or, without one, the only layer that is not empty.
  func layer(_ wanted: String?) throws(ImportError) -> LayerSummary {
    if let wanted {
      if let layer = layers.first(where: { $0.name == wanted }) { return layer }
      throw ImportError(.usage, message: "\(name): no layer is named `\(wanted)`; \(list)")
    }
    let candidates = filled.isEmpty ? layers : filled
    guard let first = candidates.first else {
      throw ImportError(.data, message: "\(name): the file has no layers")
    }
    guard candidates.count > 1 else { return first }
    throw ImportError(
      .usage, message: "\(name): name a layer with \(option: .layer, "NAME"); \(list)")
  }

  /// The layers with their numbers of rows, for messages.
  private var list: String {
    let shown = layers.prefix(30).map { layer in
      "`\(layer.name)`" + (layer.count.map { " (\($0))" } ?? "")
    }
    let list = shown.joined(separator: ", ") + (layers.count > shown.count ? ", …" : "")
    return "the layers and their numbers of rows are \(list)"
  }
}
