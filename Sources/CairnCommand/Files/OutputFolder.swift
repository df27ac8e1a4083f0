import CairnIO
import CairnSystem

/// A folder of files that gets its name when all of them are complete. Until then it is a hidden one beside,
/// which is removed if that does not happen.
final class OutputFolder {
  /// The path without links and without a slash at its end.
  private let path: String
  private let temporary: String
  /// The folders that were made, each after those around it.
  private var folders: [String] = []
  /// The same folders.
  private var known: Set<String> = []
  private var files: Set<String> = []
  private var isPublished = false
  /// The bytes of all files.
  private(set) var bytesWritten = 0

  /// The number of complete files.
  var fileCount: Int { files.count }

  /// - Throws: A usage failure if the path is that of a file or of a folder that is not empty.
  init(_ path: String) throws {
    try UsedFiles.rejectOutput(to: path)
    let real = resolvedPath(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    try Self.requireFree(real)
    let name = real.split(separator: "/").last ?? ""
    let prefix = "\(folder(of: real))/.\(name.prefix(100)).unfinished-"
    guard let temporary = TemporaryFiles.createFolder(prefix: prefix) else {
      throw Self.failure(path)
    }
    self.path = real
    self.temporary = temporary
    let mask = umask(0)
    umask(mask)
    chmod(temporary, 0o777 & ~mask)
  }

  deinit { if !isPublished { remove() } }

  private static func requireFree(_ path: String) throws {
    guard System.exists(path) else { return }
    guard isFolder(path) else {
      throw Failure(
        .usage, message: "\(path) is a file, and \(FolderColumns.option) writes a folder")
    }
    guard names(inFolder: path).isEmpty else {
      throw Failure(
        .usage, message: "\(path) is a folder that is not empty; remove it first, or name another")
    }
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.io, message: "cannot write \(path): \(System.errorText())")
  }

  /// Begins a file in a folder, which is made if it is the first one there.
  ///
  /// - Parameter names: The names of the folder and of those around it.
  func file(in names: [String]) throws -> (file: OutputFile, path: String) {
    var folder = temporary
    for name in names {
      folder += "/\(name)"
      if known.contains(folder) { continue }
      guard mkdir(folder, 0o777) == 0 else {
        // Some file systems take names for the same that differ in case or in accents.
        throw errno == EEXIST
          ? Failure(
            .io, message: "cannot write \(path): another folder is the same as \(name) here")
          : Self.failure("\(path)/\(names.joined(separator: "/"))")
      }
      folders.append(folder)
      known.insert(folder)
    }
    var number = 0
    while files.contains("\(folder)/part-\(number).parquet") { number += 1 }
    let path = "\(folder)/part-\(number).parquet"
    return (try OutputFile(path, format: .parquet, with: OutputTarget.writers), path)
  }

  /// Completes a file.
  func complete(_ file: OutputFile, _ path: String) throws {
    try file.publish()
    bytesWritten += file.bytesWritten
    files.insert(path)
  }

  /// Gives the folder its name.
  func publish() throws {
    // Folders in which nothing was written.
    for folder in folders.reversed() { rmdir(folder) }
    guard rename(temporary, path) == 0 else { throw Self.failure(path) }
    isPublished = true
  }

  private func remove() {
    for file in files { System.remove(file) }
    for folder in folders.reversed() { System.removeFolder(folder) }
    System.removeFolder(temporary)
  }
}
