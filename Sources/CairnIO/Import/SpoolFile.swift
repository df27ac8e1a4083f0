import CairnSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Input that is written to a temporary file before an import reads it. The file is removed with
/// this object, and when a signal that the program handles ends it.
package final class SpoolFile {
  /// The name in messages.
  package let name: String
  private let folder: String
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  private static let bufferSize = 1 << 16

  /// Creates an empty file.
  ///
  /// - Parameter name: The name in messages, whose last component names the file.
  package init(named name: String) throws(ImportError) {
    self.name = name
    guard let folder = TemporaryFiles.createFolder(prefix: "\(TemporaryFiles.folder)/cairn-input-")
    else { throw Self.failure(name, code: errno) }
    self.folder = folder
    path = "\(folder)/\(Self.fileName(name))"
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      rmdir(folder)
      throw Self.failure(name, code: code)
    }
    TemporaryFiles.note(path)
    TemporaryFiles.note(folder)
    buffer.reserveCapacity(Self.bufferSize)
  }

  /// Creates a file of bytes in memory.
  package convenience init(_ data: Data, named name: String) throws(ImportError) {
    try self.init(named: name)
    for region in data.regions { try write(region) }
  }

  /// Creates a file of a stream of bytes.
  package static func of<Bytes: AsyncSequence>(
    bytes: Bytes, named name: String, isolation: isolated (any Actor)?
  ) async throws -> SpoolFile where Bytes.Element == UInt8 {
    let file = try SpoolFile(named: name)
    for try await byte in bytes { try file.write(byte) }
    return file
  }

  /// Creates a file of a stream of chunks of bytes.
  package static func of<Chunks: AsyncSequence>(
    chunks: Chunks, named name: String, isolation: isolated (any Actor)?
  ) async throws -> SpoolFile where Chunks.Element: Sequence<UInt8> {
    let file = try SpoolFile(named: name)
    for try await chunk in chunks { try file.write(chunk) }
    return file
  }

  deinit {
    close(descriptor)
    unlink(path)
    rmdir(folder)
    TemporaryFiles.forget(path)
    TemporaryFiles.forget(folder)
  }

  /// The last component of the name, which the system accepts.
  private static func fileName(_ name: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? ""
    let isPlain = ![".", ".."].contains(last) && last.utf8.count <= 200 && !last.utf8.contains(0)
    return isPlain && !last.isEmpty ? last : "data"
  }

  private static func failure(_ name: String, code: Int32) -> ImportError {
    ImportError(
      .io,
      message: "\(name): keeping it in \(TemporaryFiles.folder) failed: \(errorText(code))")
  }

  /// Appends a byte.
  package func write(_ byte: UInt8) throws(ImportError) {
    buffer.append(byte)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Appends bytes; many are written at once, so that no second copy of them is kept.
  package func write(_ bytes: some Sequence<UInt8>) throws(ImportError) {
    if bytes.underestimatedCount >= Self.bufferSize {
      try flush()
      let code = bytes.withContiguousStorageIfAvailable {
        Self.write(UnsafeRawBufferPointer($0), to: descriptor)
      }
      if code == 0 { return }
      if let code { throw Self.failure(name, code: code) }
    }
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes everything, and returns the path of the file.
  package func finish() throws(ImportError) -> String {
    try flush()
    return path
  }

  private func flush() throws(ImportError) {
    let code = buffer.withUnsafeBytes { Self.write($0, to: descriptor) }
    if code != 0 { throw Self.failure(name, code: code) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes all bytes, and returns the error number, or 0.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = systemWrite(descriptor, bytes: UnsafeRawBufferPointer(rebasing: rest))
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if written == 0 || errno != EINTR {
        return written == 0 ? EIO : errno
      }
    }
    return 0
  }
}

/// Calls the system's `write`, which the methods of that name hide inside the class.
private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
