internal import CairnStorage
internal import CairnValues

/// Reads the nested columns of batches, which hold JSON: converts collections of values to the form in
/// which rows store them, and checks objects and links, which an ``ObjectLoad`` stores. For use by one
/// thread.
final class NestedColumns {
  private let plan: ImportPlan
  private let columns: [(index: Int, property: ColumnSchema)]
  private let reader: NestedReader
  private let converts: Bool

  /// Prepares the columns of a plan.
  ///
  /// - Parameter converts: Whether collections are converted; otherwise they are only checked.
  init(_ plan: ImportPlan, converts: Bool = true) {
    self.plan = plan
    self.converts = converts
    reader = NestedReader(plan.classes, reading: plan.reading)
    columns = plan.columns.enumerated().compactMap { index, column in
      guard let property = column.nested, column.content == .field(.text) else { return nil }
      return property.collection == .none && property.type == .link ? nil : (index, property)
    }
  }

  /// Returns the rows of a batch without those whose nested values do not fit, which are added to the
  /// rejected records.
  func converted(
    _ batch: ColumnBatch, of block: InputBlock, rejects: inout RecordLog
  ) throws(ParseAbort) -> ColumnBatch {
    guard !columns.isEmpty, let positions = batch.columns.last else { return batch }
    var builders = batch.columns
    var rejected: [Int: RejectedRecord] = [:]
    for (index, property) in columns {
      let read = batch.columns[index]
      let made = property.isLink || !converts ? nil : ColumnBuilder(plan.bulkColumns[index])
      read.makeReadable(beyondTexts: InputBlock.padding)
      for row in 0..<batch.rowCount {
        do throws(NestedReader.Misfit) {
          let value = try value(of: read, row: row, as: property)
          guard case .data(let bytes)? = value?.stored(as: property) else {
            made?.append(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
            continue
          }
          bytes.withUnsafeBytes { made?.append(bytes: $0) }
        } catch {
          made?.append(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
          guard rejected[row] == nil else { continue }
          let position = InputPosition(
            block: block.number, file: block.file, offset: positions.integer(at: row))
          rejected[row] = RejectedRecord(
            position: position, reason: .nestedValue(property: property.name),
            detail: ImportMessage("`\(error.path)` \(error.problem)"))
        }
      }
      if let made { builders[index] = made }
    }
    let all = ColumnBatch(filled: builders)
    guard !rejected.isEmpty else { return all }
    try all.leaveOut(rejected, plan.onError, log: &rejects)
    return all
  }

  /// Returns the value of a row; nil if the file has none.
  private func value(
    of column: ColumnBuilder, row: Int, as property: ColumnSchema
  ) throws(NestedReader.Misfit) -> NestedValue? {
    guard !column.isNull(row) else { return nil }
    let text = column.bytes(at: row)
    return try reader.read(text.bindMemory(to: UInt8.self), as: property)
  }
}

extension ColumnBatch {
  /// Removes rejected rows, and adds them to the rejected records.
  ///
  /// - Throws: The first one, if the import fails because of it.
  func leaveOut(
    _ rejected: [Int: RejectedRecord], _ policy: RejectPolicy, log: inout RecordLog
  ) throws(ParseAbort) {
    let sorted = rejected.sorted { $0.key < $1.key }.map(\.value)
    if policy == .fail, let first = sorted.first { throw .rejected(first) }
    var own = RecordLog()
    sorted.forEach { own.add($0) }
    log.add(own)
    if !sorted.isEmpty { keep((0..<rowCount).map { rejected[$0] == nil }) }
  }
}
