internal import CairnQuery
internal import CairnStorage
import CairnSystem

/// The files of folders that are not opened, because the values in their paths rule out that their rows meet
/// the conditions of an import.
struct UnopenedFiles: Sendable {
  /// The bytes of the files.
  private(set) var size: Int64 = 0
  /// Notes for the user, because the rows are not counted.
  private(set) var notes: [ImportMessage] = []

  /// Takes the files out of a list. One file of each folder stays in any case, for its columns.
  ///
  /// - Parameter open: Opens a file of a folder, to learn its columns.
  init(
    of files: inout [ImportFile], options: ImportOptions,
    open: (ImportFile) throws(ImportError) -> ImportRun
  ) {
    guard options.condition ?? options.pruning?.condition != nil,
      !options.geometries.takesEachPoint
    else { return }
    var (seen, kept) = (Set<String>(), [ImportFile]())
    for file in files {
      guard let folder = file.folder, !file.values.isEmpty else {
        kept.append(file)
        continue
      }
      guard seen.insert(folder).inserted else { continue }
      kept += opened(files.filter { $0.folder == folder }, of: folder, options: options, open: open)
    }
    files = kept
  }

  /// Returns the files of a folder that are opened.
  private mutating func opened(
    _ files: [ImportFile], of folder: String, options: ImportOptions,
    open: (ImportFile) throws(ImportError) -> ImportRun
  ) -> [ImportFile] {
    guard files.count > 1, let (probe, test) = Self.test(files, open: open) else { return files }
    let kept = files.filter(test)
    let others = files.filter { !test($0) && (!kept.isEmpty || $0.path != probe.path) }
    size += others.reduce(0) { $0 + Self.size(of: $1.path) }
    if options.condition != nil, !others.isEmpty {
      notes.append(
        "\(folder): \(others.count) of \(files.count) files were not opened, because their folders "
          + "are named after values that \(option: .condition) rules out; their rows are not counted"
      )
    }
    return kept.isEmpty ? [probe] : kept
  }

  /// The most files that are tried for their columns. One that is damaged may be ruled out.
  private static let mostProbes = 3

  /// Returns the test of the files of a folder, and the one whose columns it was made for.
  private static func test(
    _ files: [ImportFile], open: (ImportFile) throws(ImportError) -> ImportRun
  ) -> (probe: ImportFile, test: (ImportFile) -> Bool)? {
    for file in files.prefix(mostProbes) {
      if let test = try? open(file).pathTest() { return (file, test) }
    }
    return nil
  }

  private static func size(of path: String) -> Int64 {
    var info = stat()
    return stat(path, &info) == 0 ? Int64(info.st_size) : 0
  }
}

extension ImportRun {
  /// Returns a test whether rows of a file may meet the conditions of the import, by the values in its path;
  /// nil if that cannot be known.
  ///
  /// The conditions are bound to the columns of the only file of this import, which is in the same folder.
  fileprivate func pathTest() throws(ParseAbort) -> ((ImportFile) -> Bool)? {
    guard case .layer(let layer) = sources[0].content else { return nil }
    let plan = try self.plan(headers, isComplete: false)
    let mapping = try ParseAbort.on { () throws(ImportError) in
      try CoordinateMappings(sources)[0]
    }
    let tests = [options.condition, options.pruning?.condition].compactMap { condition in
      (try? plan.bound(condition, boxes: [])).map {
        LayerPruning($0, plan: plan, layer: layer.columns, mapping: mapping)
      }
    }
    let names = layer.columns.schema.columns.map(\.name)
    return { file in
      var bounds: [Int: ValueBounds] = [:]
      for value in file.values {
        if let index = names.firstIndex(of: value.name) { bounds[index] = value.bounds }
      }
      return tests.allSatisfy { $0.knowing(bounds).mayHold(UnknownStatistics()) }
    }
  }
}
