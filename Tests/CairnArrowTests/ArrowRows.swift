import CairnIO
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnArrow
@testable import CairnIO

/// The rows of files of Arrow, as an import gets them.
final class ArrowRows {
  let source: any LayerSource

  init(_ path: String, format: InputFormat? = nil) throws {
    var options = ImportOptions()
    options.format = format
    let input = try InputFile(path: path, encoding: .utf8, spoolDirectory: nil)
    let head = try input.bytes(at: 0, count: Int(min(64, input.size)))
    let opened = try head.withUnsafeBytes { head in
      try ArrowReader().open(input, head: head, options: options)
    }
    source = try ColumnFileSource(try #require(opened), options: options)
  }

  /// The path of a file that pyarrow wrote.
  static func path(_ name: String) -> String { Repository.data("foreign/arrow/\(name)") }

  var names: [String] { source.columns.schema.columns.map(\.name) }

  /// The values of all columns as text, by their names.
  func values() throws -> [String: [String?]] {
    let columns = source.columns.schema.columns
    var values: [String: [String?]] = [:]
    for column in columns { values[column.name] = [] }
    let splitter = source.makeSplitter(nil)
    let decoder = try source.makeDecoder(Set(columns.indices))
    let block = InputBlock(capacity: 64)
    while try splitter.next(into: block) {
      let batch = try decoder.rows(of: block)
      for (index, column) in columns.enumerated() {
        values[column.name]? += Self.texts(batch, index, column.type)
      }
    }
    return values
  }

  /// The values of a range of rows as text, by their column.
  func values(_ rows: Range<Int>, decoder: any LayerDecoder) throws -> [[String?]] {
    let block = InputBlock(capacity: 64)
    let content = block.reserveContent(16)
    content.storeBytes(of: Int64(rows.lowerBound), as: Int64.self)
    content.storeBytes(of: Int64(rows.upperBound), toByteOffset: 8, as: Int64.self)
    let batch = try decoder.rows(of: block)
    return source.columns.schema.columns.enumerated().map { Self.texts(batch, $0, $1.type) }
  }

  private static func texts(
    _ batch: LayerBatch, _ index: Int, _ type: LayerColumnType
  ) -> [String?] {
    let column = batch.columns[index]
    return (0..<batch.rowCount).map { row in
      guard !column.isNull(row) else { return nil }
      return switch type {
      case .int: "\(column.int(row))"
      case .double, .date: "\(column.double(row))"
      case .bool: "\(column.bool(row))"
      case .text: String(decoding: column.bytes(row), as: UTF8.self)
      case .data, .geometry: Base64.encode(Array(column.bytes(row)))
      }
    }
  }
}
