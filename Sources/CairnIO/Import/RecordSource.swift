internal import CairnStorage
import CairnSystem

/// Reads the blocks of a file into batches of records.
// Sendable: an iteration waits for each batch before it asks for the next one.
package final class RecordSource: @unchecked Sendable {
  /// The number of records that were left out.
  package private(set) var rejected = 0
  /// The first of them.
  package private(set) var rejects: [RejectedRow] = []

  private let run: ImportRun
  private let policy: RejectPolicy
  /// The file that holds bytes of memory; nil for a file of the user.
  private let spool: SpoolFile?
  private let queue: BlockQueue
  private let block: InputBlock
  private var schema = InferredSchema()
  private var plan: ImportPlan
  private var reader: BlockReader
  private var sieve: RowSieve
  private var lines: LineCounter
  /// The error of a record whose predecessors were returned.
  private var failure: ImportError?

  private static let blockSize = 1 << 20

  /// Opens a file, and infers the types of its columns from the first blocks.
  package init(
    _ path: String, spool: SpoolFile?, options: ImportOptions, cancellation: Cancellation
  ) throws(ImportError) {
    var options = options
    policy = options.onError
    options.onError = .skip
    options.blockSize = Self.blockSize
    options.className = ""
    options.inputName = spool?.name
    options.spoolDirectory = TemporaryFiles.folder
    options.mayLackLocations = true
    options.geometries.allowsMissing = true
    options.primaryKey = nil
    options.onConflict = .error
    options.indexed = []
    options.fullText = []
    self.spool = spool
    let run = try ImportRun(
      files: [path], store: nil, options: options, cancellation: cancellation, progress: { _ in })
    self.run = run
    block = InputBlock(capacity: Self.blockSize)
    do throws(ParseAbort) {
      schema = try run.firstSchema().schema
      (plan, reader, sieve) = try Self.prepare(run, schema)
      queue = BlockQueue(
        run.sources, limit: .max, selection: try run.selection(plan), cancellation: cancellation)
    } catch { throw run.describe(error) }
    lines = LineCounter(run.sources[0])
  }

  private static func prepare(
    _ run: ImportRun, _ schema: InferredSchema
  ) throws(ParseAbort) -> (ImportPlan, BlockReader, RowSieve) {
    let plan = try run.plan(schema.inferred, isComplete: false).withPositions
    return (plan, BlockReader(run.sources, plan: plan), try run.sieve(plan))
  }

  /// Returns the next records; nil at the end of the file. A batch may be empty.
  package func next() throws(ImportError) -> RecordBatch? {
    if let failure { throw failure }
    guard try queue.next(block) else { return nil }
    do throws(ParseAbort) { return try batch(try read()) } catch { throw run.describe(error) }
  }

  /// Reads the block. If a value contradicts the types of the columns, they are widened.
  private func read() throws(ParseAbort) -> RecordLog {
    do throws(ParseAbort) { return try reader.read(block) } catch {
      guard case .contradiction = error else { throw error }
    }
    schema.add(try run.inferenceWorkers()().handle(block))
    (plan, reader, sieve) = try Self.prepare(run, schema)
    return try reader.read(block)
  }

  /// Takes the rows of the block, up to the first that could not be read if that is an error.
  private func batch(_ log: RecordLog) throws(ParseAbort) -> RecordBatch {
    let columns = reader.takeOutput()
    if policy == .skip {
      rejected += log.count
      if rejects.count < RecordLog.kept {
        rejects += run.describe(log.first).prefix(RecordLog.kept - rejects.count)
      }
    } else if let first = log.first.min(by: { $0.position < $1.position }) {
      failure = run.error(of: first)
      let positions = columns.columns[plan.columns.count - 1]
      columns.keep(
        (0..<columns.rowCount).map { positions.integer(at: $0) < first.position.offset })
    }
    _ = sieve.apply(to: columns)
    let positions = columns.columns[plan.columns.count - 1]
    let numbers = try ParseAbort.on { () throws(ImportError) in
      try (0..<columns.rowCount).map { (row) throws(ImportError) in
        try lines.number(at: positions.integer(at: row))
      }
    }
    return RecordBatch(columns, plan: plan, numbers: numbers, isLayer: lines.isLayer)
  }
}

extension ImportPlan {
  /// The plan with a last column for the positions of the records.
  fileprivate var withPositions: ImportPlan {
    var plan = self
    plan.columns.append(Column(name: "", content: .position))
    return plan
  }
}

/// Counts the lines of a file up to offsets that rise.
private struct LineCounter {
  /// Whether the offsets are numbers of rows of a layer.
  let isLayer: Bool
  private let input: InputFile
  private let lineEnd: UInt8
  private var line = 1
  private var offset: Int64 = 0
  private var buffer: [UInt8] = []
  /// The part of the file that the buffer holds.
  private var held: Range<Int64> = 0..<0

  private static let size = 1 << 16

  init(_ source: ImportSource) {
    if case .layer = source.content { isLayer = true } else { isLayer = false }
    input = source.input
    lineEnd = source.lineEnd
    buffer = isLayer ? [] : Array(repeating: 0, count: Self.size)
  }

  /// The number of the line that contains an offset, or of the row of a layer.
  mutating func number(at target: Int64) throws(ImportError) -> Int {
    guard !isLayer else { return Int(target) + 1 }
    while offset < target {
      if !held.contains(offset) { guard try fill() else { break } }
      let end = min(target, held.upperBound)
      let (from, to) = (Int(offset - held.lowerBound), Int(end - held.lowerBound))
      line += buffer.withUnsafeBufferPointer { bytes in
        bytes[from..<to].reduce(0) { $0 &+ ($1 == lineEnd ? 1 : 0) }
      }
      offset = end
    }
    return line
  }

  private mutating func fill() throws(ImportError) -> Bool {
    let (input, offset) = (input, offset)
    let count = try buffer.withUnsafeMutableBufferPointer { (bytes) throws(ImportError) -> Int in
      guard let start = bytes.baseAddress else { return 0 }
      return try input.read(into: start, count: Self.size, at: offset)
    }
    held = offset..<offset + Int64(count)
    return count > 0
  }
}
