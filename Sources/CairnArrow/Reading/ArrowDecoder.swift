internal import CArrow
internal import CairnIO
internal import CairnParquet
import CairnSystem

/// Decodes ranges of rows. For use by one thread.
final class ArrowDecoder: LayerDecoder {
  private let file: ArrowFile
  /// The values of the columns that are needed.
  private let values: [ColumnValues?]
  /// The values of all others. Their zeros can be read as any type.
  private let blank = ColumnValues(.double)
  private let arena = ArrowArena()
  private let kept = BodyReader.Kept()
  /// The dictionaries of the current batch by their numbers.
  private var dictionaries: [Int64: LoadedDictionary] = [:]
  private var batch = -1
  private var header: BatchHeader?

  init(_ file: ArrowFile, needed: Set<Int>) {
    self.file = file
    values = file.schema.columns.enumerated().map { index, column in
      needed.contains(index) ? ColumnValues(column.type) : nil
    }
  }

  func rows(of block: InputBlock) throws(ParseAbort) -> LayerBatch {
    let rows = RowSplitter.rows(in: block)
    for column in values + [blank] { column?.removeAll() }
    blank.appendNulls(rows.count)
    do throws(ArrowError) {
      var index = firstBatch(of: rows)
      while index < file.container.batches.count {
        let own = file.container.batches[index]
        let all = Int64(own.firstRow)..<Int64(own.firstRow + own.rowCount)
        guard all.lowerBound < rows.upperBound else { break }
        let part = all.clamped(to: rows)
        let first = Int(part.lowerBound - all.lowerBound)
        if !part.isEmpty { try append(first..<first + part.count, of: index) }
        index += 1
      }
    } catch { throw .failed(ImportError(error, file: file.name)) }
    return LayerBatch(
      firstRow: Int(rows.lowerBound), rowCount: rows.count,
      columns: values.map { ($0 ?? blank).column(rows: rows.count) })
  }

  /// The index of the batch with the first of the rows.
  private func firstBatch(of rows: Range<Int64>) -> Int {
    let batches = file.container.batches
    var (low, high) = (0, batches.count)
    while low < high {
      let middle = (low + high) / 2
      if Int64(batches[middle].firstRow + batches[middle].rowCount) <= rows.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func append(_ rows: Range<Int>, of index: Int) throws(ArrowError) {
    let place = file.container.batches[index]
    let header = try header(of: index)
    let isWhole = rows.count == place.rowCount
    for (column, (child, field)) in file.columns.enumerated() {
      guard let target = values[column] else { continue }
      arena.removeAll()
      let body = BodyReader(
        header, at: place.place, of: file.input, in: arena,
        shared: isWhole ? nil : file.buffers, kept: kept)
      do throws(ArrowError) {
        var loader = try ArrayLoader(
          field, behind: file.container.schema.fields[..<child], of: body, in: arena
        ) { [self] field throws(ArrowError) in try dictionary(of: field) }
        let array = try loader.load(rows)
        try ArrowColumn(field, array).append(
          0..<rows.count, as: file.schema.columns[column].type, to: target)
      } catch {
        throw error.located("column `\(field.name)`, batch \(index + 1)")
      }
    }
  }

  private func header(of index: Int) throws(ArrowError) -> BatchHeader {
    if index == batch, let header { return header }
    dictionaries.removeAll()
    let place = file.container.batches[index]
    let message = try ArrowContainer.message(in: file.input, at: place.place)
    let read = try BatchHeader(
      message.header, bodySize: message.bodySize, isOld: message.isOld)
    (batch, header) = (index, read)
    return read
  }

  /// Returns the dictionary of a column, as the current batch has it.
  private func dictionary(of field: ArrowField) throws(ArrowError) -> LoadedDictionary {
    if let known = dictionaries[field.dictionary], known.field.hasLayout(of: field) {
      return known
    }
    let found = try DictionaryLoader(file).dictionary(
      of: field, before: file.container.batches[batch].dictionaryCount)
    dictionaries[field.dictionary] = found
    return found
  }
}
