import CairnSystem
internal import CairnValues

/// A folder of Parquet files that are one class, as engines write them: in subfolders that are named after
/// values of columns, or side by side.
package struct HiveFolder {
  /// A file of the folder.
  struct File {
    let path: String
    /// The columns that the path states.
    let columns: [String]
    /// The texts of these columns, by their names; nil for null.
    let values: [String: String?]

    init(_ path: String, stating columns: [(name: String, value: String?)]) {
      self.path = path
      self.columns = columns.map(\.name)
      values = Dictionary(columns.map { ($0.name, $0.value) }) { $1 }
    }

    /// The text of a column; nil for null, and for one that the path does not state.
    func value(_ column: String) -> String? { values[column] ?? nil }
  }

  /// The path of the folder, without a slash at its end.
  let path: String
  /// The files, in the order of their paths.
  let files: [File]
  /// The columns that the paths state, in the order of the first path that has each.
  private let columns: [String]
  /// The columns whose values are all integers.
  private let integers: Set<String>

  private static let endings: Set = ["parquet", "geoparquet", "pq", "parq"]
  /// Folders that keep the log of a table, with the formats that have them.
  private static let logs = ["_delta_log": "Delta Lake", ".hoodie": "Hudi"]

  // MARK: Recognition

  /// Whether a path is that of a folder whose files are one class: it has subfolders that are named after
  /// values, is such a subfolder, or is named like a file of Parquet.
  package static func isOneClass(_ path: String) -> Bool {
    guard isFolder(path) else { return false }
    let name = name(of: path)
    if HivePath.parse(name) != nil || endings.contains(ending(of: name)) { return true }
    return names(inFolder: path).contains {
      HivePath.parse($0) != nil && !isHidden($0) && isFolder("\(path)/\($0)")
    }
  }

  /// Whether an import reads the files of a path as one class. A geodatabase is a folder, and one file to its
  /// users.
  static func isReadable(_ path: String) -> Bool {
    isFolder(path) && !LayerFormats.isGeodatabase(path)
  }

  /// The name of the class: that of the folder, or of the one that its subfolder lies in.
  static func className(of path: String) -> String {
    let parts = resolvedPath(path).split(separator: "/")
    let name = parts.last { HivePath.parse($0) == nil } ?? "rows"
    guard endings.contains(ending(of: String(name))) else { return String(name) }
    return String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
  }

  /// The paths of the files; empty if the folder cannot be read.
  package static func paths(in path: String) -> [String] {
    (try? HiveFolder(path).files.map(\.path)) ?? []
  }

  private static func name(of path: String) -> String {
    resolvedPath(path).split(separator: "/").last.map(String.init) ?? ""
  }

  private static func ending(of name: String) -> String {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  /// Whether engines leave out what has a name: their marks, logs and unfinished files.
  private static func isHidden(_ name: String) -> Bool {
    name.hasPrefix(".") || name.hasPrefix("_") && HivePath.parse(name) == nil
  }

  // MARK: Files

  /// Finds the files at any depth.
  ///
  /// - Throws: An error if it has no such files, or if a log says which of them count.
  init(_ path: String) throws(ImportError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = path
    let files = try Self.files(in: path)
    guard !files.isEmpty else {
      throw ImportError(.noInput, message: "\(path) is a folder; name the files in it")
    }
    var (columns, integers) = ([String](), Set<String>())
    for name in files.flatMap(\.columns) where !columns.contains(name) {
      columns.append(name)
      let texts = files.compactMap { $0.value(name) }
      if !texts.isEmpty, texts.allSatisfy(Self.isInteger) { integers.insert(name) }
    }
    self.files = files
    self.columns = columns
    self.integers = integers
  }

  /// The values of the columns of all paths in a file. A column that its path does not state is null.
  func values(of file: File) -> [PathValue] {
    columns.map { name in
      let text = file.value(name)
      let isInteger = integers.contains(name)
      let value = text.map { isInteger ? Int64($0).map(Value.int) ?? .null : .string($0) }
      return PathValue(name: name, type: isInteger ? .int : .text, value: value ?? .null)
    }
  }

  /// Whether a value is an integer in its usual form. A number with zeros in front is a code.
  private static func isInteger(_ text: String) -> Bool { Int64(text).map { "\($0)" } == text }

  /// The columns that the end of a folder's own path states.
  private static func outerColumns(_ folder: String) -> [(name: String, value: String?)] {
    var columns: [(String, String?)] = []
    for name in resolvedPath(folder).split(separator: "/").reversed() {
      guard let found = HivePath.parse(name) else { break }
      columns.insert(found, at: 0)
    }
    return columns
  }

  private static func files(in path: String) throws(ImportError) -> [File] {
    let outer = outerColumns(path)
    var files: [File] = []
    var folders = [path]
    var known: Set<String> = []
    while let folder = folders.popLast() {
      // A link may lead back to a folder around it.
      guard known.insert(resolvedPath(folder)).inserted else { continue }
      var subfolders: [String] = []
      for name in names(inFolder: folder) {
        if let format = logs[name] {
          throw ImportError(
            .data,
            message: "\(folder) is a table of \(format), whose log says which files count; export "
              + "it to Parquet first")
        }
        if isHidden(name) { continue }
        let item = "\(folder)/\(name)"
        if isFolder(item) {
          subfolders.append(item)
        } else if isPart(item) {
          let inner = folder.dropFirst(path.count).split(separator: "/")
          files.append(File(item, stating: outer + inner.compactMap { HivePath.parse($0) }))
        }
      }
      folders += subfolders.reversed()
    }
    return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Whether a file is a part of the class: it is named like a file of Parquet, or begins like one.
  private static func isPart(_ path: String) -> Bool {
    if endings.contains(ending(of: path.split(separator: "/").last.map(String.init) ?? "")) {
      return true
    }
    let file = openFile(path, flags: O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 4)
    return pread(file, &head, head.count, 0) == head.count && head == Array("PAR1".utf8)
  }
}
