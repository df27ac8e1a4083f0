/// A file of an import, named by itself or as a part of a folder.
struct ImportFile: Sendable {
  let path: String
  /// The folder that the file is a part of; nil for a file that is named itself.
  var folder: String?
  /// The columns that the path states.
  var values: [PathValue] = []
  /// Whether the file stays open during the import.
  var staysOpen = true

  /// The most files that stay open. A process may often have 256, and a server has others too.
  private static let mostOpen = 64

  /// Returns the files that some paths lead to: those of folders, which are Parquet, and the paths themselves.
  ///
  /// - Throws: An error for a folder without files of Parquet.
  static func all(_ paths: [String], options: ImportOptions) throws(ImportError) -> [ImportFile] {
    var files: [ImportFile] = []
    for path in paths {
      guard path != "-", options.format != .gdal, HiveFolder.isReadable(path) else {
        files.append(ImportFile(path: path))
        continue
      }
      let folder = try HiveFolder(path)
      if let format = options.format, format != .parquet {
        throw ImportError(
          .usage,
          message: "\(path) is a folder, whose files are read as Parquet; "
            + "\(option: .format, format.rawValue) is for files")
      }
      files += folder.files.map {
        ImportFile(path: $0.path, folder: folder.path, values: folder.values(of: $0))
      }
    }
    let staysOpen = files.count <= mostOpen
    return files.map { file in
      var file = file
      file.staysOpen = staysOpen
      return file
    }
  }

  /// The options with which the file is opened.
  func options(_ options: ImportOptions) -> ImportOptions {
    guard folder != nil else { return options }
    var options = options
    options.format = .parquet
    return options
  }
}
