import CairnGDAL
import CairnIO
import CairnStorage
import CairnSystem

/// A file of data, a folder of such files, or standard input, which commands read like a store.
struct DataFile {
  /// The path; `-` for standard input.
  let path: String
  /// The layer of `FILE:LAYER`; nil for the only one.
  let layer: String?

  /// A class that a file holds.
  struct Class: Equatable {
    /// The path of the file.
    let path: String
    /// The layer of the file; nil for the only one.
    let layer: String?
    /// The name of the class.
    let name: String
  }

  /// Reads `FILE`, `FILE:LAYER`, `FOLDER` or `-`. Nil for a store, and for a path that leads nowhere.
  init?(_ word: String) {
    if word == "-" || Self.isData(word) {
      (path, layer) = (word, nil)
      return
    }
    guard let (path, layer) = Self.split(word), Self.isData(path) else { return nil }
    self.path = path
    // The name of the class of a file without layers is taken too.
    self.layer = layer == Self.stem(path) && !LayerFormats.holdsLayers(path) ? nil : layer
  }

  /// Takes `PATH:NAME` apart, if no file has the whole as its name.
  static func split(_ word: String) -> (path: String, name: String)? {
    guard !System.exists(word), let colon = word.lastIndex(of: ":") else { return nil }
    let (path, name) = (String(word[..<colon]), String(word[word.index(after: colon)...]))
    return System.exists(path) && !name.isEmpty ? (path, name) : nil
  }

  // MARK: Recognition

  /// The extensions of files of data, beside those that GDAL reads.
  private static let extensions: Set = [
    "csv", "tsv", "txt", "json", "jsonl", "ndjson", "geojson", "geojsonl", "parquet", "geoparquet",
    "pq", "arrow", "arrows", "feather", "ipc",
  ]

  /// Where a shell makes a pipe of `<(command)`. Another one may have no writer.
  private static let shellPipes = ["/dev/fd/", "/dev/stdin", "/proc/self/fd/"]

  /// The first bytes of files of data that Cairn reads itself.
  private static let beginnings = ["PAR1", "ARROW1", "{", "["].map { Array($0.utf8) }

  /// Whether a path leads to data: a folder, a pipe of the shell, or a file that its extension or its first
  /// bytes show to be no store.
  static func isData(_ path: String) -> Bool {
    let ending = ending(of: path)
    if ending == "cairn" || !System.exists(path) { return false }
    if isFolder(path) { return true }
    if System.isDevice(path) { return shellPipes.contains { path.hasPrefix($0) } }
    if Store.isStore(path) { return false }
    return isKnown(ending) || LayerFormats.recognizes(path)
      || beginnings.contains { System.beginning(of: path, count: $0.count) == $0 }
  }

  /// Whether a file begins as Parquet does.
  static func isParquet(_ path: String) -> Bool {
    path != "-" && !System.isDevice(path)
      && System.beginning(of: path, count: beginnings[0].count) == beginnings[0]
  }

  /// Whether a path is that of a folder of Parquet files that are one class.
  static func isParquetFolder(_ path: String) -> Bool { HiveFolder.isOneClass(path) }

  private static func isKnown(_ ending: String) -> Bool {
    extensions.contains(ending) || LayerFormats.isExtension(ending)
  }

  /// The extension in lower case, without that of a compressed file after it; empty without one.
  private static func ending(of path: String) -> String {
    var parts = Self.name(of: path).lowercased().split(separator: ".").dropFirst()
    if parts.last == "gz" { parts.removeLast() }
    return parts.last.map(String.init) ?? ""
  }

  private static func name(of path: String) -> Substring {
    path.split(separator: "/").last ?? path[...]
  }

  // MARK: Classes

  /// Whether the file is a folder of files. A geodatabase is a folder, and one file to its users; so is a
  /// folder whose files are one class.
  var isFolderOfFiles: Bool { Self.isFolderOfFiles(path) }

  private static func isFolderOfFiles(_ path: String) -> Bool {
    isFolder(path) && !LayerFormats.holdsLayers(path) && !isParquetFolder(path)
  }

  /// The name of the only class of a file, as an import names it.
  private static func stem(_ path: String) -> String {
    path == "-" ? "rows" : Importer.className(of: path)
  }

  /// Whether a word after the file names one of its classes, rather than being a condition.
  func takesClass(_ word: String?) throws -> Bool {
    if isFolderOfFiles { return word != nil }
    guard let word, layer == nil else { return false }
    if word == Self.stem(path) { return true }
    // Layers are not listed for what is a condition, because that takes a process of GDAL.
    guard !word.contains(where: { "=<>!(@".contains($0) }), LayerFormats.holdsLayers(path)
    else { return false }
    return try Self.layers(of: path).contains(word)
  }

  /// Throws for a condition that is a mere name, most likely of a class that the file does not have.
  func rejectName(_ word: String) throws {
    let isName = word.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
    guard isName, !word.isEmpty, !word.uppercased().hasSuffix("PREDICATE") else { return }
    let names = try classes().map(\.name).joined(separator: ", ")
    throw Failure(
      .usage,
      message: "'\(word)' is neither a condition nor a class of \(path), which has \(names)")
  }

  /// The class of a name; the only class for nil.
  ///
  /// - Throws: A usage failure that lists the classes.
  func `class`(_ name: String?) throws -> Class {
    guard isFolderOfFiles else {
      let isLayer = name != nil && name != Self.stem(path)
      return Class(
        path: path, layer: isLayer ? name : layer, name: name ?? layer ?? Self.stem(path))
    }
    let classes = try classes()
    if let found = classes.first(where: { $0.name == name }) { return found }
    let names = classes.map(\.name)
    let list = "it has " + names.joined(separator: ", ")
    throw Failure(
      .usage,
      message: name.map { "\(path): no file holds the class '\($0)'; \(list)" }
        ?? "\(path): name a class of the folder; \(list)")
  }

  /// All classes: one for each layer and each file of a folder, in the order of their names.
  ///
  /// - Throws: `noInput` if a folder holds no data.
  func classes() throws -> [Class] {
    guard isFolderOfFiles else {
      return layer == nil ? try Self.classes(of: path) : [try self.class(nil)]
    }
    let files = Self.files(in: path)
    guard !files.isEmpty else {
      throw Failure(.noInput, message: "\(path): the folder has no files of data")
    }
    return Self.named(try files.map { try (file: $0, classes: Self.classes(of: $0)) })
  }

  private static func classes(of path: String) throws -> [Class] {
    let layers = LayerFormats.holdsLayers(path) ? try Self.layers(of: path) : []
    guard layers.count > 1 else { return [Class(path: path, layer: nil, name: stem(path))] }
    return layers.map { Class(path: path, layer: $0, name: $0) }
  }

  /// Gives classes of several files that have the same name that of their file in front.
  private static func named(_ files: [(file: String, classes: [Class])]) -> [Class] {
    let all = files.flatMap(\.classes)
    let counts = Dictionary(grouping: all, by: \.name).mapValues(\.count)
    return all.map { found in
      if counts[found.name] == 1 { return found }
      let file = String(name(of: found.path))
      return Class(
        path: found.path, layer: found.layer,
        name: found.layer.map { "\(file).\($0)" } ?? file)
    }
  }

  /// The files of data of a folder. A shapefile is one file to its users.
  private static func files(in folder: String) -> [String] {
    let names = CairnSystem.names(inFolder: folder).filter { !$0.hasPrefix(".") }
    let shapes = Set(names.filter { ending(of: $0) == "shp" }.map { $0.dropLast(4).lowercased() })
    return names.filter { name in
      ending(of: name) != "dbf" || !shapes.contains(name.dropLast(4).lowercased())
    }.map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
      // A text in a folder is mostly about the data.
      .filter {
        isKnown(ending(of: $0)) && ending(of: $0) != "txt" && isData($0) && !isFolderOfFiles($0)
      }
  }

  private static func layers(of path: String) throws -> [String] {
    try LayerFile(path, options: .withReaders).filled.map(\.name)
  }
}
