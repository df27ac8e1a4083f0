import CairnSystem
import CairnValues

/// A column whose rows are computed when a query needs them, instead of being stored.
///
/// A table made by `Table.computing` has it beside its properties, so that predicates, orders, groups
/// and summaries read it as they read any column. Computed rows stay in memory as long as the table,
/// at the full width of their type. Any number of threads may read them.
// Sendable: `lock` guards all state, and the rows of a chunk do not change once computed.
package final class ColumnComputation: @unchecked Sendable {
  /// The name, which no property of the class has.
  package let name: String
  /// The type of the values, each of which may be null.
  package let type: ValueType
  private let compute: (_ chunk: Int, _ rows: ChunkBuffer) throws -> Void
  private let lock = Lock()
  private var chunks: [Int: ChunkBuffer] = [:]
  private var firstFailure: (any Error)?

  /// - Parameter compute: Fills the rows of a chunk, which are null before. If it throws, they stay as
  ///   they are, and `failure` keeps the error.
  package init(
    _ name: String, type: ValueType,
    compute: @escaping (_ chunk: Int, _ rows: ChunkBuffer) throws -> Void
  ) {
    self.name = name
    self.type = type
    self.compute = compute
  }

  /// The first error of the computation.
  package var failure: (any Error)? { lock.withLock { firstFailure } }

  /// The rows of a chunk, valid while the computation lives.
  func chunk(_ index: Int, of column: ColumnSchema, rows: Int) -> Chunk {
    lock.withLock {
      if let known = chunks[index] { return known.view }
      let buffer = ChunkBuffer.absent(column, rows: max(0, rows))
      do { try compute(index, buffer) } catch { firstFailure = firstFailure ?? error }
      chunks[index] = buffer
      return buffer.view
    }
  }
}

extension Table {
  /// The class with more columns, which are computed. Names of properties come before theirs.
  ///
  /// - Parameter more: Computations of rows of this table, which is not in a write transaction.
  package func computing(_ more: [ColumnComputation]) -> Table {
    precondition(overlay == nil, "columns are computed of a snapshot")
    let columns = more.enumerated().map { index, computation in
      ColumnSchema(
        id: .max, name: computation.name, type: computation.type, isOptional: true,
        role: .computed, position: schema.columns.count + index)
    }
    return Table(
      schema: schema.changed(columns: schema.columns + columns), state: state, set: self.set,
      isOverlaid: false, computations: computations + more)
  }

  /// Throws the first error of the computed columns.
  package func requireComputed() throws {
    for computation in computations { if let failure = computation.failure { throw failure } }
  }
}
