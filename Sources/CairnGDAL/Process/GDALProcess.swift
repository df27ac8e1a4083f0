internal import CairnIO
import CairnSystem
internal import CairnValues

/// A process that reads or writes a file with GDAL, and the pipes from it and to it. It ends with its
/// last user.
final class GDALProcess: @unchecked Sendable {
  // Sendable: one thread at a time reads the messages, under the lock of the block queue.
  private let name: String
  private let descriptor: Int32
  /// The pipe to a process that writes a file; negative if it reads one, or once it was closed.
  private(set) var input: Int32 = -1
  let identifier: pid_t
  private let writes: Bool
  private var hasEnded = false
  /// The size of the current message that was not read yet.
  private var left = 0

  /// The longest time without a message, in milliseconds. Opening a large file of OpenStreetMap
  /// takes minutes.
  private static let patience: Int32 = 600_000
  private static let pipeSize: Int32 = 1 << 20

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - executable: A program that calls ``GDALWorker/run(_:)``.
  ///   - name: The name of the file in messages.
  ///   - writes: Whether the process writes a file, so that there is a pipe to it.
  init(
    executable: String, arguments: [String], name: String, writes: Bool = false
  ) throws(ImportError) {
    self.name = name
    self.writes = writes
    guard let (near, far) = Self.pipeEnds() else { throw Self.cannotStart(name, errno, writes) }
    let toProcess = writes ? Self.pipeEnds() : nil
    if writes, toProcess == nil {
      let code = errno
      for end in [near, far] { close(end) }
      throw Self.cannotStart(name, code, writes)
    }
    let started = Self.start([executable] + arguments, output: far, input: toProcess?.near)
    close(far)
    if let toProcess { close(toProcess.near) }
    guard let identifier = started.identifier else {
      close(near)
      if let toProcess { close(toProcess.far) }
      throw Self.cannotStart(name, started.code, writes)
    }
    descriptor = near
    input = toProcess?.far ?? -1
    self.identifier = identifier
  }

  /// Returns the end of a new pipe to read from, and the one to write to.
  private static func pipeEnds() -> (near: Int32, far: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    let (near, far) = (lifted(ends[0]), lifted(ends[1]))
    for end in [near, far] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if os(Linux)
    // F_SETPIPE_SZ; a larger pipe needs fewer switches between the processes.
    _ = fcntl(near, 1031, pipeSize)
    #endif
    return (near, far)
  }

  deinit {
    close(descriptor)
    if !hasEnded, !writes { kill(identifier, SIGKILL) }
    end()
  }

  /// Closes the pipe to a process that writes, and waits until the process has ended. If it has not
  /// finished the file, it removes what it has written.
  func end() {
    if input >= 0 { close(input) }
    input = -1
    if !hasEnded { _ = wait() }
  }

  private static func cannotStart(_ name: String, _ code: Int32, _ writes: Bool) -> ImportError {
    let work = writes ? "writes" : "reads"
    return ImportError(
      .io, message: "\(name): cannot start a process that \(work) the file: \(errorText(code))")
  }

  /// The variables of the environment that the process gets. Others could make GDAL read further
  /// files or use the network.
  private static let variables = [
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "PROJ_LIB", "PROJ_DATA",
    "GDAL_DATA", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
  ]

  private static func start(
    _ arguments: [String], output: Int32, input: Int32?
  ) -> (identifier: pid_t?, code: Int32) {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let environment = variables.compactMap { name in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    let words = arguments.map { strdup($0) } + [nil]
    let settings = environment.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    var identifier = pid_t()
    let code = posix_spawn(&identifier, arguments[0], &actions, nil, words, settings)
    return (code == 0 ? identifier : nil, code)
  }

  // MARK: Messages

  /// Reads the header of the next message.
  ///
  /// - Throws: An error if the process has failed.
  func next() throws(ImportError) -> LayerMessageHeader {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: LayerMessageHeader.size, alignment: 8)
    defer { bytes.deallocate() }
    left = LayerMessageHeader.size
    try read(into: bytes)
    guard let header = LayerMessageHeader(UnsafeRawBufferPointer(bytes)) else { throw damage }
    left = header.count
    if header.kind == .failure {
      throw try failure()
    }
    return header
  }

  /// Reads the content of the message.
  func read(into target: UnsafeMutableRawBufferPointer) throws(ImportError) {
    guard target.count == left else { throw damage }
    var done = 0
    while done < target.count {
      try waitForInput()
      let count = readSome(descriptor, target, from: done)
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw count == 0 ? crash() : ImportError(.io, message: "\(name): \(errorText(errno))")
      }
    }
    left = 0
  }

  /// Reads the content of the message, which is not long.
  func content() throws(ImportError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: left)
    let result = bytes.withUnsafeMutableBytes { buffer -> Result<Void, ImportError> in
      do throws(ImportError) {
        try read(into: buffer)
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
    return bytes
  }

  /// Returns the error that the process reports.
  private func failure() throws(ImportError) -> ImportError {
    let bytes = try content()
    do throws(LayerMessageReader.Damage) {
      return try LayerMessageReader.read(bytes) {
        [name] (bytes) throws(LayerMessageReader.Damage) in
        var reader = LayerMessageReader(bytes)
        guard let kind = LayerFailure.Kind(rawValue: try reader.take()) else {
          throw LayerMessageReader.Damage()
        }
        let text = PrintableText.escaped(try reader.takeText())
        guard let setting = Self.suggestedSetting(in: text) else {
          return ImportError(ImportError.Kind(kind), message: "\(name): \(text)")
        }
        return ImportError(
          ImportError.Kind(kind), message: "\(name): \(text): \(option: .gdalSettings, setting)")
      }
    } catch { return damage }
  }

  /// The setting that a message of GDAL suggests, as in `Set SHAPE_RESTORE_SHX config option to YES to
  /// restore it`; nil for other messages.
  static func suggestedSetting(in text: String) -> String? {
    let words = text.split(separator: " ")
    guard
      let index = words.indices.first(where: {
        words[$0...].prefix(3).elementsEqual(["config", "option", "to"])
      }), index > 0, index + 3 < words.count
    else { return nil }
    let value = words[index + 3].prefix { $0.isLetter || $0.isNumber }
    return value.isEmpty ? nil : "\(words[index - 1])=\(value)"
  }

  /// The error for a message that makes no sense.
  var damage: ImportError {
    writes
      ? ImportError(.io, message: "\(name): GDAL answered nonsense while it wrote the file")
      : ImportError(
        .data,
        message: "\(name): GDAL read nonsense from the file, which is most likely damaged")
  }

  private func waitForInput() throws(ImportError) {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      // Sorting and indexing what was written may take as long as it likes.
      let ready = poll(&state, 1, writes ? -1 : Self.patience)
      if ready > 0 { return }
      guard ready == 0 else {
        if errno == EINTR { continue }
        throw ImportError(.io, message: "\(name): \(errorText(errno))")
      }
      throw ImportError(
        .data,
        message: "\(name): GDAL has read nothing for \(Self.patience / 60_000) minutes; the file "
          + "is most likely damaged")
    }
  }

  /// Returns the error for a process that has ended without a reason.
  private func crash() -> ImportError {
    let status = wait()
    let signal = status & 0x7F
    let how = signal == 0 ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal)"
    guard !writes else {
      return ImportError(
        .io,
        message:
          "\(name): GDAL crashed while it wrote the file (\(how)), or needs more than "
          + "\(GDALWorker.memoryLimit >> 30) GB of memory")
    }
    return ImportError(
      .data,
      message:
        "\(name): GDAL crashed while it read the file (\(how)), which is most likely damaged "
        + "or needs more than \(GDALWorker.memoryLimit >> 30) GB of memory")
  }

  /// Waits until the process has ended, and returns its status.
  private func wait() -> Int32 {
    guard !hasEnded else { return 0 }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
    return status
  }
}

extension ImportError.Kind {
  /// The kind of a failure of GDAL.
  init(_ kind: LayerFailure.Kind) {
    self =
      switch kind {
      case .data: .data
      case .library: .library
      case .output: .io
      }
  }
}

/// Calls the system's `read`, which the method of that name hides inside the class.
private func readSome(
  _ descriptor: Int32, _ target: UnsafeMutableRawBufferPointer, from start: Int
) -> Int {
  assert(start >= 0 && start <= target.count, "the bytes are outside of the target")
  guard let base = target.baseAddress else { return 0 }
  return read(descriptor, base + start, target.count - start)
}
