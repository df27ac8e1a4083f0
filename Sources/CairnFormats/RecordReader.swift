public import CairnIO

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The records of a file, read one after the other, for programs that want values rather
/// than objects.
///
///     for try await record in RecordReader(file) {
///       guard let name = record["name"].string, let place = record.location else { continue }
///       print(record.line ?? 0, name, place)
///     }
///
/// It reads what an import reads, with the same options: formats, coordinate columns, types, dates,
/// nulls, coordinate systems, conditions. Those about a class, such as `primaryKey`, have no effect.
/// It holds only a few megabytes in memory, whatever the size of the file; packed files and text
/// that is not UTF-8 are first copied to a temporary file. Reading stops when the iteration stops.
///
/// The types of the properties come from the first two megabytes. A later value that does not fit
/// the type of its property gives it a wider one, for the records from about there on: numbers become
/// texts, for example. ``ImportOptions/types`` fixes a type; a record with another value is then an
/// error.
///
/// A file, or a record, may have no location.
///
/// The iteration throws ``ImportError``, whose `row` has the line, the property and the reason if it
/// is about a record, after the records before that one. With `onError` `.skip`, such records are
/// left out; ``Iterator/rejected`` counts them. If the task is cancelled, it throws
/// `CancellationError`.
public struct RecordReader: AsyncSequence, Sendable {
  /// The records.
  public typealias Element = Record

  private enum Input: Sendable {
    case file(String)
    case data(Data, name: String)
  }

  private let input: Input
  private let options: ImportOptions

  /// Creates a reader of a file, which is opened when the iteration begins.
  ///
  /// - Parameters:
  ///   - file: The file. Its extension and its first bytes tell the format.
  ///   - options: The options.
  public init(_ file: URL, options: ImportOptions = ImportOptions()) {
    input = .file(file.path)
    self.options = options
  }

  /// Creates a reader of bytes in memory.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - name: The name of the input in messages. Its extension tells the format as that of a file
  ///     does; without one, the first bytes do.
  ///   - options: The options.
  public init(
    data: Data, named name: String = "data", options: ImportOptions = ImportOptions()
  ) {
    input = .data(data, name: name)
    self.options = options
  }

  /// Begins an iteration. Each iteration reads the file anew.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Opens the input, on a thread that may wait.
  fileprivate func open(_ cancellation: Cancellation) throws(ImportError) -> RecordSource {
    switch input {
    case .file(let path):
      return try RecordSource(
        path, spool: nil, options: options.withReaders, cancellation: cancellation)
    case .data(let data, let name):
      let spool = try SpoolFile(named: name)
      for region in data.regions { try spool.write(region) }
      return try RecordSource(
        try spool.finish(), spool: spool, options: options.withReaders, cancellation: cancellation)
    }
  }

  /// An iteration over the records of a file.
  public struct Iterator: AsyncIteratorProtocol {
    /// The number of records that could not be read and were left out so far.
    public private(set) var rejected = 0
    /// The first ten of them.
    public private(set) var rejects: [RejectedRow] = []

    private let reader: RecordReader
    private let cancellation = Cancellation()
    private var source: RecordSource?
    private var batch: RecordBatch?
    private var row = 0
    private var hasEnded = false

    fileprivate init(_ reader: RecordReader) { self.reader = reader }

    /// Returns the next record; nil after the last one.
    public mutating func next() async throws -> Record? { try await next(isolation: nil) }

    /// Returns the next record; nil after the last one.
    ///
    /// - Parameter actor: The actor of the caller.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Record? {
      while !hasEnded {
        if let batch, row < batch.count {
          row += 1
          return Record(batch, row: row - 1)
        }
        (batch, row, hasEnded) = (nil, 0, true)
        try Task.checkCancellation()
        let (reader, known, cancellation) = (reader, source, cancellation)
        let filled = try await ImportThread.run(
          { (_) throws(ImportError) in
            if let known { return (known, try known.next()) }
            let source = try reader.open(cancellation)
            return (source, try source.next())
          }, cancellation: cancellation, _isolation: actor)
        source = filled.0
        (rejected, rejects) = (filled.0.rejected, filled.0.rejects)
        guard let next = filled.1 else { break }
        (batch, hasEnded) = (next, false)
      }
      source = nil
      return nil
    }
  }
}
