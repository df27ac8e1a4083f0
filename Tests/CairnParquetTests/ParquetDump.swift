import CairnTestSupport

@testable import CairnIO
@testable import CairnParquet

/// The values of a file as texts that say their type.
struct ParquetDump {
  private let file: ParquetFile

  init(_ path: String) throws {
    file = try ParquetFile(InputFile(path: path, spoolDirectory: nil))
  }

  var rowCount: Int { Int(file.metadata.rowCount) }

  /// The names of the columns.
  var names: [String] { file.schema.columns.map(\.name) }

  /// The values of a column in a range of rows.
  func values(_ name: String, in rows: Range<Int>) throws -> [String?] {
    guard let index = file.schema.columns.firstIndex(where: { $0.name == name }) else { return [] }
    let block = InputBlock(capacity: 64)
    let content = block.reserveContent(16)
    content.storeBytes(of: Int64(rows.lowerBound), as: Int64.self)
    content.storeBytes(of: Int64(rows.upperBound), toByteOffset: 8, as: Int64.self)
    let decoder = try ParquetDecoder(file, needed: [index])
    // The rows are in the memory of the decoder.
    return try withExtendedLifetime(decoder) {
      let batch = try decoder.rows(of: block)
      return (0..<batch.rowCount).map {
        text(batch.columns[index], $0, file.schema.columns[index].type, index)
      }
    }
  }

  /// Reads all columns, and throws the first error.
  func readAll() throws {
    for column in file.schema.columns { _ = try values(column.name, rows: rowCount) }
  }

  /// The first values of a column; nil if the layer does not have it.
  func values(_ name: String, rows: Int) throws -> [String?]? {
    guard let index = file.schema.columns.firstIndex(where: { $0.name == name }) else { return nil }
    let decoder = try ParquetDecoder(file, needed: [index])
    let splitter = RowSplitter(rowCount: file.metadata.rowCount, size: file.input.size)
    let block = InputBlock(capacity: 64)
    var texts: [String?] = []
    return try withExtendedLifetime(decoder) {
      while texts.count < rows, try splitter.next(into: block) {
        let batch = try decoder.rows(of: block)
        for row in 0..<min(batch.rowCount, rows - texts.count) {
          texts.append(text(batch.columns[index], row, file.schema.columns[index].type, index))
        }
      }
      return texts
    }
  }

  private func text(
    _ column: LayerBatch.Column, _ row: Int, _ type: LayerColumnType, _ index: Int
  ) -> String? {
    guard !column.isNull(row) else { return nil }
    switch type {
    case .int: return "i:\(column.int(row))"
    case .double, .date:
      guard !column.double(row).isNaN else { return "d:nan" }
      let digits = String(column.double(row).bitPattern, radix: 16)
      return "d:" + String(repeating: "0", count: 16 - digits.count) + digits
    case .bool: return "b:\(column.bool(row))"
    case .data, .geometry:
      return "x:" + column.bytes(row).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    case .text:
      let isNested = file.columns[index].node.leaf.map { $0.maxRepetition > 0 } ?? true
      return (isNested ? "j:" : "s:") + String(decoding: column.bytes(row), as: UTF8.self)
    }
  }
}
