import CairnIO
import CairnStorage

/// Reads bytes as a file of a format that stores columns, and imports them into a store.
final class ColumnFileProbe {
  private let reader: any ColumnFileReader
  private let file = ScratchFile()

  init(_ reader: any ColumnFileReader) { self.reader = reader }

  /// Checks that a rejected file leaves no rows in the store, that an accepted file leaves as many as it
  /// reports, and that a preview reports the same.
  func read(_ bytes: [UInt8]) {
    file.fill(bytes)
    var options = ImportOptions()
    options.className = "Row"
    options.format = reader.format
    options.readers = [reader]
    options.threads = 1
    options.spoolDirectory = "/tmp"
    options.onError = .skip
    guard let store = try? Store.openInMemory(identifier: "fuzz-\(reader.format)") else {
      fatalError("cannot create a store")
    }
    let summary = try? Importer.run(files: [file.path], into: store, options: options)
    let rows = (try? store.snapshot())?.table("Row")?.liveCount ?? 0
    require(rows == summary?.inserted ?? 0, "found \(rows) rows, but the import reported others")
    guard let summary,
      let preview = try? Importer.preview(files: [file.path], for: nil, options: options)
    else { return }
    require(
      preview.summary.inserted == summary.inserted, "found \(rows) rows, but the preview differs")
  }
}
