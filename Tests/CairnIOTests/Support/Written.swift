import CairnMaps
import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation

@testable import CairnIO

/// The writers of formats of other modules.
private let writers: [any FormatWriter] = [MapWriter()]

/// Returns the output of a writer for some rows, through a real file.
func written(
  _ format: OutputFormat, _ columns: [(String, ValueType)], _ rows: [[Value]],
  in system: OutputSystem? = nil
) throws -> String {
  try text { sink in
    let columns = columns.enumerated().map {
      OutputColumn(name: $0.element.0, type: $0.element.1, source: .given($0.offset))
    }
    let writer = try RowWriter(format, columns: columns, in: system, with: writers, to: sink)
    try writer.write(rows)
    try writer.finish()
  }
}

/// Returns a class of a store in an output format, written directly from its columns.
func exported(_ format: OutputFormat, _ store: Store, _ name: String) throws -> String {
  let snapshot = try store.snapshot()
  return try withExtendedLifetime(snapshot) {
    guard let table = snapshot.table(name) else { return "" }
    return try text { sink in
      let columns = table.schema.properties.map {
        OutputColumn(name: $0.name, type: $0.type, source: .stored($0.position))
      }
      let writer = try RowWriter(format, columns: columns, with: writers, to: sink)
      for key in 0..<table.endKey where table.isLive(key) { try writer.write(key: key, of: table) }
      try writer.finish()
    }
  }
}

/// Returns the bytes that go through a sink.
private func text(_ body: (OutputSink) throws -> Void) throws -> String {
  let folder = try TemporaryFolder()
  let path = folder.path + "/out"
  let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
  try body(OutputSink(descriptor: descriptor))
  close(descriptor)
  return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
}
