/// The result of inspecting a part of the input.
package struct InferredSchema: Sendable {
  /// The columns.
  package var inferred = InferredColumns()
  /// The rejected records.
  package var rejects = RecordLog()
  /// The number of records that can be stored.
  package var rows = 0

  package init(
    inferred: InferredColumns = InferredColumns(), rejects: RecordLog = RecordLog(), rows: Int = 0
  ) {
    self.inferred = inferred
    self.rejects = rejects
    self.rows = rows
  }

  /// Adds the result of a later part.
  mutating func add(_ later: InferredSchema) {
    inferred.add(later.inferred)
    rejects.add(later.rejects)
    rows += later.rows
  }
}
