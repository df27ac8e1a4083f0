internal import CairnIO
import CairnSystem

/// A file that GDAL writes in a process of its own. It gets its name when it is complete.
///
/// The process writes into a new folder next to the file. Its rows come through a pipe, to which an
/// ``OutputSink`` leads.
final class LayerOutput: OutputProcess {
  /// Notes for the reader of the file, without a full stop.
  private(set) var notes: [String] = []
  private let process: GDALProcess
  private let path: String
  private let format: LayerFormat
  private let folder: OutputFolder
  /// The name of the file in the folder without its extension.
  private let base: String
  private let ending: String

  /// The pipe to the process.
  var input: Int32 { process.input }

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - path: The path of the file, without symbolic links.
  ///   - executable: A program that calls ``GDALWorker/run(_:)``. Nil is an error.
  init(
    _ path: String, format: OutputFormat, executable: String?
  ) throws(OutputError) {
    guard let format = format.layerFormat, let executable else {
      throw .file(.library, "\(path): this program has no process that writes files with GDAL")
    }
    self.path = path
    self.format = format
    (base, ending) = try Self.parts(of: path, format: format)
    guard let folder = TemporaryFiles.createFolder(prefix: path + ".") else {
      throw .file(.output, "cannot write \(path): \(errorText(errno))")
    }
    TemporaryFiles.note(folder)
    self.folder = OutputFolder(folder)
    do throws(ImportError) {
      let full = try Self.fullPath(folder, name: path)
      process = try GDALProcess(
        executable: executable,
        arguments: GDALWorker.arguments(
          writing: "\(full)/\(base).\(ending)", layer: base, format: format),
        name: path, writes: true)
    } catch {
      rmdir(folder)
      TemporaryFiles.forget(folder)
      throw OutputError(error)
    }
    RunningOutputs.note(process.identifier, pipe: process.input)
  }

  private static func fullPath(_ path: String, name: String) throws(ImportError) -> String {
    guard let full = realpath(path, nil) else {
      throw ImportError(.io, message: "cannot write \(name): \(errorText(errno))")
    }
    defer { free(full) }
    let text = String(cString: full)
    guard !text.hasPrefix("/vsi") else {
      throw ImportError(.io, message: "\(name): GDAL takes this path for something else")
    }
    return text
  }

  /// Returns the name of a file without its extension, and the extension that GDAL needs.
  private static func parts(
    of path: String, format: LayerFormat
  ) throws(OutputError) -> (base: String, ending: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let known = format == .shp ? [".shp.zip", ".shz", ".shp"] : [".\(format.rawValue)"]
    let ending = known.first { name.lowercased().hasSuffix($0) }
    if format == .shp, ending == nil {
      throw .file(.usage, "\(path): the name of a Shapefile ends in .shp, .shz or .shp.zip")
    }
    let dot =
      ending.map { name.index(name.endIndex, offsetBy: -$0.count) } ?? name.lastIndex(of: ".")
    let base = dot.map { String(name[..<$0]) } ?? name
    return (base.isEmpty ? "rows" : base, String((ending ?? known[0]).dropFirst()))
  }

  deinit { abandon() }

  /// Adds a sentence for the reader of the file.
  func note(_ text: String) { notes.append(text) }

  /// Returns the error of the process, after it has closed the pipe.
  func failure() -> OutputError {
    do throws(ImportError) {
      _ = try process.next()
      return OutputError(process.damage)
    } catch { return explained(OutputError(error)) }
  }

  /// Waits until the file is complete, and gives it its name.
  ///
  /// - Returns: The size of the file in bytes, with its parts.
  func finish() throws(OutputError) -> Int {
    defer { abandon() }
    do throws(ImportError) {
      guard try process.next().kind == .end else { throw process.damage }
      notes += try Self.texts(process.content(), process: process)
    } catch { throw explained(OutputError(error)) }
    return try publish()
  }

  private static func texts(
    _ bytes: [UInt8], process: GDALProcess
  ) throws(ImportError) -> [String] {
    do throws(LayerMessageReader.Damage) {
      return try LayerMessageReader.read(bytes) { (bytes) throws(LayerMessageReader.Damage) in
        var reader = LayerMessageReader(bytes)
        var texts: [String] = []
        for _ in 0..<(try reader.takeCount()) { texts.append(try reader.takeText()) }
        return texts
      }
    } catch { throw process.damage }
  }

  /// A full disk has many names among the errors of GDAL and of the libraries that it uses.
  private func explained(_ error: OutputError) -> OutputError {
    guard case .file(.output, _) = error else { return error }
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { return error }
    return UInt(status.f_bavail) * UInt(status.f_frsize) < 1 << 16 ? .diskFull : error
  }

  /// Ends the process, which removes the folder. If it has crashed, this process removes the folder.
  private func abandon() {
    process.end()
    RunningOutputs.forget(process.identifier)
    folder.remove()
    TemporaryFiles.forget(folder.path)
  }
}

// Names.
extension LayerOutput {
  /// The files that belong to an existing file of the format, and would be read with a new one.
  private static let companions: [LayerFormat: [String]] = [
    .gpkg: [".gpkg-wal", ".gpkg-shm", ".gpkg-journal"],
    .shp: [".shx", ".dbf", ".prj", ".cpg", ".qix", ".sbn", ".sbx", ".qpj"],
  ]

  /// Gives the files their names: the main file the last one, so that it never lacks a part.
  private func publish() throws(OutputError) -> Int {
    let main = "\(base).\(ending)"
    let files = folder.files
    guard files.contains(main) else {
      throw .file(.output, "\(path): GDAL has written no file")
    }
    // `ending` of an archive is another one, and it has no parts.
    let stem = path.dropLast(ending == format.rawValue && hasEnding ? ending.count + 1 : 0)
    let parts = ending == "shp" ? files.filter { $0 != main } : []
    let names = parts.map { String($0.dropFirst(base.count)) }
    var size = 0
    for (file, name) in zip(parts, names) { size += try rename(file, to: stem + name) }
    if ending == format.rawValue {
      for name in Self.companions[format] ?? [] where !names.contains(name) { unlink(stem + name) }
    }
    return size + (try rename(main, to: path))
  }

  private var hasEnding: Bool { path.lowercased().hasSuffix(".\(ending)") }

  private func rename(_ file: String, to target: String) throws(OutputError) -> Int {
    let source = "\(folder.path)/\(file)"
    var status = stat()
    if stat(target, &status) == 0 { chmod(source, status.st_mode & 0o777) }
    guard stat(source, &status) == 0, moveFile(source, target) == 0 else {
      throw .file(.output, "cannot write \(target): \(errorText(errno))")
    }
    return Int(status.st_size)
  }
}

/// Calls the system's `rename`, which the method of that name hides.
private func moveFile(_ source: String, _ target: String) -> Int32 { rename(source, target) }

extension OutputError {
  /// The error of the process that writes a file.
  fileprivate init(_ error: ImportError) {
    let kind: OutputProblem =
      switch error.kind {
      case .library: .library
      case .data: .data
      case .usage: .usage
      default: .output
      }
    self = .file(kind, error.message)
  }
}

/// The processes that write files now, for signal handlers.
package enum RunningOutputs {
  private struct Slot {
    var process = pid_t(0)
    var pipe = Int32(-1)
  }

  /// A signal handler reads it, so it is never moved. A command writes one file.
  // Sendable: `lock` guards the slot against other threads; a signal handler, which must take no lock,
  // only reads it before the process ends.
  nonisolated(unsafe) private static let slot = {
    let slot = UnsafeMutablePointer<Slot>.allocate(capacity: 1)
    slot.initialize(to: Slot())
    return slot
  }()

  private static let lock = Lock()

  /// Makes `endAll` callable from a signal handler.
  package static func prepare() { _ = slot.pointee.process }

  static func note(_ process: pid_t, pipe: Int32) {
    lock.withLock { slot.pointee = Slot(process: process, pipe: pipe) }
  }

  static func forget(_ process: pid_t) {
    lock.withLock {
      if slot.pointee.process == process { slot.pointee = Slot() }
    }
  }

  /// Closes the pipes, and waits until the processes have removed what they wrote. A signal handler
  /// may call it.
  package static func endAll() {
    guard slot.pointee.process > 0 else { return }
    close(slot.pointee.pipe)
    var status: Int32 = 0
    waitpid(slot.pointee.process, &status, 0)
  }
}
