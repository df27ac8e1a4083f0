public import CairnIO
public import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Previews of imports: files, bytes in memory and streams of bytes are read as an import would read
/// them, and nothing is stored.
extension Realm {
  /// Reads a file as an import into the class of a Swift class would, and stores nothing.
  ///
  /// - Parameters:
  ///   - file: The file. Its extension and its first bytes tell the format.
  ///   - type: The class.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The properties with their types, and the rows that would be rejected.
  public func previewImport<T: Object>(
    of file: URL, as type: T.Type, options: ImportOptions = ImportOptions(),
    _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportPreview {
    try await preview(
      file.path, into: try loadTarget(for: type), options: options, _isolation: _isolation,
      progress: progress)
  }

  /// Reads a file as an import into a class by name would, and stores nothing.
  ///
  /// - Parameters:
  ///   - file: The file. Its extension and its first bytes tell the format.
  ///   - className: The name of the class.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The properties with their types, and the rows that would be rejected.
  public func previewImport(
    of file: URL, into className: String, options: ImportOptions = ImportOptions(),
    _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportPreview {
    try await preview(
      file.path, into: try loadTarget(named: className), options: options,
      _isolation: _isolation, progress: progress)
  }

  /// Reads bytes in memory as an import into the class of a Swift class would, and stores
  /// nothing.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - type: The class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The properties with their types, and the rows that would be rejected.
  public func previewImport<T: Object>(
    of data: Data, as type: T.Type, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportPreview {
    let target = try loadTarget(for: type)
    let spool = try SpoolFile(data, named: name)
    return try await preview(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Reads a stream of bytes as an import into the class of a Swift class would, and stores
  /// nothing.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - type: The class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The properties with their types, and the rows that would be rejected.
  public func previewImport<T: Object, Bytes: AsyncSequence>(
    of bytes: Bytes, as type: T.Type, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportPreview where Bytes.Element == UInt8 {
    let target = try loadTarget(for: type)
    let spool = try await SpoolFile.of(bytes: bytes, named: name, isolation: _isolation)
    return try await preview(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Reads a stream of chunks of bytes, such as `Data` or `[UInt8]`, as an import into the class
  /// of a Swift class would, and stores nothing.
  ///
  /// - Parameters:
  ///   - chunks: The chunks, in order.
  ///   - type: The class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The properties with their types, and the rows that would be rejected.
  public func previewImport<T: Object, Chunks: AsyncSequence>(
    of chunks: Chunks, as type: T.Type, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportPreview where Chunks.Element: Sequence<UInt8> {
    let target = try loadTarget(for: type)
    let spool = try await SpoolFile.of(chunks: chunks, named: name, isolation: _isolation)
    return try await preview(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Reads bytes in memory as an import into a class by name would, and stores nothing.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - className: The name of the class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The properties with their types, and the rows that would be rejected.
  public func previewImport(
    of data: Data, into className: String, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportPreview {
    let target = try loadTarget(named: className)
    let spool = try SpoolFile(data, named: name)
    return try await preview(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Reads a stream of bytes as an import into a class by name would, and stores nothing.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - className: The name of the class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The properties with their types, and the rows that would be rejected.
  public func previewImport<Bytes: AsyncSequence>(
    of bytes: Bytes, into className: String, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportPreview where Bytes.Element == UInt8 {
    let target = try loadTarget(named: className)
    let spool = try await SpoolFile.of(bytes: bytes, named: name, isolation: _isolation)
    return try await preview(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Reads a stream of chunks of bytes, such as `Data` or `[UInt8]`, as an import into a class by
  /// name would, and stores nothing.
  ///
  /// - Parameters:
  ///   - chunks: The chunks, in order.
  ///   - className: The name of the class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The properties with their types, and the rows that would be rejected.
  public func previewImport<Chunks: AsyncSequence>(
    of chunks: Chunks, into className: String, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportPreview where Chunks.Element: Sequence<UInt8> {
    let target = try loadTarget(named: className)
    let spool = try await SpoolFile.of(chunks: chunks, named: name, isolation: _isolation)
    return try await preview(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }
}
