/// The classes of a write transaction, with the writers of those that it edits.
///
/// As with the tables, the set and its writers retain each other until `close`.
final class TableWriterSet: TableSet {
  /// Whether the change log of the commit keeps rows that were written and have their old values.
  var recordsEqualWrites = false
  /// The writers, in the order of `schemas`.
  private var writers: [TableWriter?]

  /// Makes the editable classes of a snapshot.
  init(editing snapshot: Snapshot) {
    writers = Array(repeating: nil, count: snapshot.schema.tables.count)
    super.init(
      snapshot.schema.tables, states: snapshot.catalog.states, transaction: snapshot.transaction,
      isWritable: true)
  }

  override func close() {
    for writer in writers { writer?.draft.connect([]) }
    super.close()
    writers = []
  }

  override func add(_ schema: TableSchema) {
    super.add(schema)
    if !isClosed { writers.append(nil) }
  }

  /// Replaces the schema of a class that the transaction has not edited. Its table and its writer
  /// are made again.
  override func replace(_ schema: TableSchema, at index: Int) {
    super.replace(schema, at: index)
    writers[index]?.draft.connect([])
    writers[index] = nil
    invalidateDrafts()
  }

  override func rename(_ schema: TableSchema, at index: Int) {
    super.rename(schema, at: index)
    invalidateDrafts()
  }

  override func remove(at index: Int) {
    super.remove(at: index)
    writers.remove(at: index)?.draft.connect([])
    invalidateDrafts()
  }

  /// Makes row drafts look up their columns and link targets again.
  private func invalidateDrafts() {
    for writer in writers {
      writer?.draft.invalidate()
      writer?.draft.checkedOwner = -1
    }
  }

  /// Returns the table at an index for editing; nil after `close`.
  func writer(at index: Int) -> TableWriter? {
    guard !isClosed else { return nil }
    if let known = writers[index] { return known }
    let writer = TableWriter(table(at: index), in: self)
    writers[index] = writer
    return writer
  }

  /// The classes that were edited, in the order of their numbers.
  var changedWriters: [TableWriter] {
    writers.compactMap { $0 }.filter { $0.isChanged || $0.isAltered }
      .sorted { $0.schema.id < $1.schema.id }
  }

  /// The end of the keys that the transaction gave to its own rows, by class number.
  var reservedKeys: [UInt32: Int] {
    var reserved: [UInt32: Int] = [:]
    for writer in changedWriters { reserved[writer.schema.id] = writer.reservedKeys }
    return reserved
  }
}
