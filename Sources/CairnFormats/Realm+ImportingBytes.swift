public import CairnIO
public import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Imports of bytes in memory and of streams of bytes, all or nothing as those of files.
extension Realm {
  /// Imports bytes in memory into the class of a Swift class.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - type: The class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The numbers of rows that were added, replaced, skipped and rejected.
  @discardableResult
  public func importData<T: Object>(
    _ data: Data, as type: T.Type, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary {
    let target = try loadTarget(for: type)
    let spool = try SpoolFile(data, named: name)
    return try await load(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Imports a stream of bytes into the class of a Swift class. A stream that throws imports
  /// nothing.
  ///
  ///     let (bytes, _) = try await URLSession.shared.bytes(from: url)
  ///     try await realm.importBytes(bytes, as: City.self, named: "cities.csv")
  ///
  /// The bytes are kept in a temporary file, because an import reads its input twice.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - type: The class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The numbers of rows that were added, replaced, skipped and rejected.
  @discardableResult
  public func importBytes<T: Object, Bytes: AsyncSequence>(
    _ bytes: Bytes, as type: T.Type, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary where Bytes.Element == UInt8 {
    let target = try loadTarget(for: type)
    let spool = try await SpoolFile.of(bytes: bytes, named: name, isolation: _isolation)
    return try await load(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Imports a stream of chunks of bytes, such as `Data` or `[UInt8]`, into the class of a Swift
  /// class. A stream that throws imports nothing.
  ///
  /// - Parameters:
  ///   - chunks: The chunks, in order.
  ///   - type: The class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The numbers of rows that were added, replaced, skipped and rejected.
  @discardableResult
  public func importBytes<T: Object, Chunks: AsyncSequence>(
    _ chunks: Chunks, as type: T.Type, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary where Chunks.Element: Sequence<UInt8> {
    let target = try loadTarget(for: type)
    let spool = try await SpoolFile.of(chunks: chunks, named: name, isolation: _isolation)
    return try await load(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Imports bytes in memory into a class by name.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - className: The name of the class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The numbers of rows that were added, replaced, skipped and rejected.
  @discardableResult
  public func importData(
    _ data: Data, into className: String, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary {
    let target = try loadTarget(named: className)
    let spool = try SpoolFile(data, named: name)
    return try await load(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Imports a stream of bytes into a class by name. A stream that throws imports nothing.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - className: The name of the class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The numbers of rows that were added, replaced, skipped and rejected.
  @discardableResult
  public func importBytes<Bytes: AsyncSequence>(
    _ bytes: Bytes, into className: String, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary where Bytes.Element == UInt8 {
    let target = try loadTarget(named: className)
    let spool = try await SpoolFile.of(bytes: bytes, named: name, isolation: _isolation)
    return try await load(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Imports a stream of chunks of bytes, such as `Data` or `[UInt8]`, into a class by name. A
  /// stream that throws imports nothing.
  ///
  /// - Parameters:
  ///   - chunks: The chunks, in order.
  ///   - className: The name of the class.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The numbers of rows that were added, replaced, skipped and rejected.
  @discardableResult
  public func importBytes<Chunks: AsyncSequence>(
    _ chunks: Chunks, into className: String, named name: String = "data",
    options: ImportOptions = ImportOptions(), _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary where Chunks.Element: Sequence<UInt8> {
    let target = try loadTarget(named: className)
    let spool = try await SpoolFile.of(chunks: chunks, named: name, isolation: _isolation)
    return try await load(
      spool, into: target, options: options, _isolation: _isolation, progress: progress)
  }
}
