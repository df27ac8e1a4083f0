import CairnFormats
import CairnStorage
import CairnValues

/// Writes rows that were read in the formats that can be read again.
final class RewriteProbe {
  private let file = ScratchFile()

  /// The first rows of an import are the same when they are written and read again.
  func check(_ preview: ImportPreview) {
    guard let location = preview.columns.firstIndex(where: { $0.type == .point }) else { return }
    let rows = preview.firstRows.filter { !$0[location].isNull }
    guard !rows.isEmpty, !hasClash(preview.columns.map(\.name)) else { return }
    for format in [InputFormat.csv, .geojsonl, .jsonl] {
      let columns = preview.columns.enumerated().map {
        OutputColumn(name: $1.name, type: $1.type, source: .given($0))
      }
      write(rows, columns, format)
      let again = read(format, columns, location)
      require(again == rows, "written as \(format): \(rows), and read again: \(again)")
    }
  }

  /// Names that the coordinates of the output have, or that readers take for something else. A reader of CSV gives a
  /// column without a name one of its own.
  private func hasClash(_ names: [String]) -> Bool {
    let own: Set = ["latitude", "longitude", "altitude", "id"]
    return names.contains { $0.isEmpty || own.contains($0.lowercased()) }
  }

  private func write(_ rows: [[Value]], _ columns: [OutputColumn], _ format: InputFormat) {
    file.empty()
    do throws(OutputError) {
      let writer = try RowWriter(
        format == .csv ? .csv : format == .jsonl ? .jsonl : .geojsonl, columns: columns,
        to: OutputSink(descriptor: file.descriptor))
      for row in rows { try writer.write(row) }
      try writer.finish()
    } catch { fatalError("\(rows) cannot be written: \(error)") }
  }

  private func read(
    _ format: InputFormat, _ columns: [OutputColumn], _ location: Int
  ) -> [[Value]] {
    var options = ImportOptions()
    options.className = "Row"
    options.format = format
    options.threads = 1
    options.locationName = columns[location].name
    if format == .csv {
      options.delimiter = UInt8(ascii: ",")
      options.hasNoComments = true
      (options.latitude, options.longitude) = ("latitude", "longitude")
    }
    for column in columns where column.type != .point {
      options.types[column.name] = Self.type(column.type)
    }
    do throws(ImportError) {
      let preview = try Importer.preview(files: [file.path], for: nil, options: options)
      let places = columns.map { column in preview.columns.firstIndex { $0.name == column.name } }
      return preview.firstRows.map { row in places.map { $0.map { row[$0] } ?? .null } }
    } catch {
      fatalError("\(String(decoding: file.bytes, as: UTF8.self)) cannot be read: \(error)")
    }
  }

  private static func type(_ type: ValueType) -> FieldType {
    switch type {
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .date: .date
    default: .text
    }
  }
}
