internal import CairnGeometry
import CairnSystem

/// Reads and writes files with GDAL, in a process of its own.
///
/// Damaged and hostile files make GDAL crash, hang or use all memory, which must not end a process
/// that writes to a store. So the command executes itself again; the new process opens the file and
/// writes its rows to a pipe, or writes the rows from a pipe to the file.
package enum GDALWorker {
  /// The first argument of the process.
  static let word = "--gdal-worker"

  /// The work of a process.
  enum Task: String {
    /// Writes a list of the layers.
    case list
    /// Writes the rows of a layer.
    case read
    /// Writes the rows of a pipe to a file.
    case write
  }

  /// Returns the arguments of a process.
  ///
  /// - Parameter settings: Settings of GDAL, as `NAME=VALUE`.
  static func arguments(
    _ task: Task, path: String, layer: String, encoding: String, settings: [String] = []
  ) -> [String] {
    [word, task.rawValue, path, layer, encoding] + settings
  }

  /// Returns the arguments of a process that writes a file.
  static func arguments(writing path: String, layer: String, format: LayerFormat) -> [String] {
    [word, Task.write.rawValue, path, layer, format.rawValue]
  }

  /// Reads or writes a file, if the arguments of the process are those of such a process. Call this before
  /// anything else that a command does.
  ///
  /// - Returns: The exit code; nil for any other process.
  package static func run(_ arguments: [String]) -> Int32? {
    guard arguments.count >= 5, arguments[0] == word, let task = Task(rawValue: arguments[1]) else {
      return nil
    }
    guard let output = separatedOutput() else { return 1 }
    limitResources()
    let message = LayerMessage()
    do throws(LayerFailure) {
      switch task {
      case .list:
        try GDALFile(arguments[2], encoding: arguments[4], settings: Array(arguments[5...]))
          .list(message, output)
      case .read:
        try GDALFile(arguments[2], encoding: arguments[4], settings: Array(arguments[5...]))
          .read(layer: arguments[3], message, output)
      case .write:
        try write(arguments[2], layer: arguments[3], format: arguments[4], message, output)
      }
      return 0
    } catch {
      message.removeAll()
      message.append(error.kind.rawValue)
      message.append(text: error.message)
      _ = message.send(as: .failure, to: output)
      if task == .write { OutputFolder(ofFile: arguments[2]).remove() }
      return 1
    }
  }

  /// Writes the rows of standard input to a file in a folder, which the other process renames and
  /// this one removes.
  private static func write(
    _ path: String, layer: String, format: String, _ message: LayerMessage, _ output: Int32
  ) throws(LayerFailure) {
    guard let format = LayerFormat(rawValue: format) else {
      throw LayerFailure("GDAL cannot write the format \(format)", kind: .output)
    }
    // The process ends with the pipe, after it has removed the folder.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_IGN) }
    let folder = OutputFolder(ofFile: path)
    Threads.start { folder.removeAtHangUp() }
    let writer = try LayerFileWriter(path, layer: layer, format: format)
    let notes = try writer.writeRows(of: STDIN_FILENO)
    message.append(UInt32(notes.count))
    for note in notes { message.append(text: note) }
    guard message.send(as: .end, to: output) else {
      throw LayerFailure("nobody reads the result", kind: .output)
    }
    while true { pause() }
  }

  /// Returns another descriptor for standard output, and redirects standard output and error, to
  /// which some libraries print.
  private static func separatedOutput() -> Int32? {
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    let null = openFile("/dev/null", flags: O_WRONLY)
    guard output >= 0, null >= 0 else { return nil }
    _ = dup2(null, STDOUT_FILENO)
    _ = dup2(null, STDERR_FILENO)
    return output
  }

  /// Half of the memory of the machine, in bytes, but at least 2 GB.
  static var memoryLimit: UInt {
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    return max(2 << 30, UInt(max(0, pages)) * UInt(max(0, pageSize)) / 2)
  }

  private static func limitResources() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(coreResource, &none)
    var memory = rlimit(rlim_cur: rlim_t(memoryLimit), rlim_max: rlim_t(memoryLimit))
    setrlimit(memoryResource, &memory)
  }

  #if canImport(Glibc)
  private static let coreResource = __rlimit_resource_t(4)
  private static let memoryResource = __rlimit_resource_t(9)
  #else
  private static let coreResource = RLIMIT_CORE
  private static let memoryResource = RLIMIT_AS
  #endif
}

/// The errors that GDAL has reported.
enum GDALErrors {
  private struct State {
    var first: String?
    var isQuiet = true
  }

  private static let state = Mutex(State())

  /// Forgets the errors, and keeps the first of those that follow.
  static func start() { state.withLock { $0 = State(first: nil, isQuiet: false) } }

  /// The first error since the start.
  static var first: String? { state.withLock { $0.first } }

  /// The function that GDAL calls for each error, warning and message, on any thread.
  static let handler: GDALLibrary.ErrorFunction = { level, _, text in
    // Errors are of level 3; those of level 4 end the process.
    guard level >= 3, let text else { return }
    let message = String(cString: text)
    state.withLock { state in
      if !state.isQuiet, state.first == nil { state.first = message }
    }
  }
}
