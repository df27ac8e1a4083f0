import CairnGeometry
import CairnIO
import CairnStorage
import CairnValues

/// Reads bytes as `import` does and compares the results of different settings.
final class ImportProbe {
  let format: InputFormat
  private let file = ScratchFile()
  private let written = RewriteProbe()

  init(_ format: InputFormat) { self.format = format }

  /// Checks that the size of the input blocks, and so the position of the splits, does not change
  /// the result, and that rows survive a round trip through a file.
  func read(_ bytes: [UInt8]) {
    file.fill(bytes)
    for (number, options) in options.enumerated() {
      let whole = preview(options, blockSize: 1 << 16)
      // Strict options reject most inputs; the lenient ones, which skip rejected records, come
      // next.
      if number == 0, case .failure = whole { continue }
      let cut = preview(options, blockSize: 48)
      if let difference = whole.difference(from: cut) {
        fatalError("splits change the result: \(difference)")
      }
      guard number == 0, case .success(let preview) = whole else { continue }
      if format == .geojson || format == .geojsonl {
        NaivePoints.check(preview, bytes, isLines: format == .geojsonl)
      }
      written.check(preview)
    }
  }

  /// Checks that a rejected file leaves no rows in the store, and that an accepted file leaves as
  /// many as it reports.
  func store(_ bytes: [UInt8]) {
    file.fill(bytes)
    for options in options {
      guard let store = try? Store.openInMemory(identifier: "fuzz-\(format)") else {
        fatalError("cannot create a store")
      }
      let summary = try? Importer.run(files: [file.path], into: store, options: options)
      let rows = (try? store.snapshot())?.table("Row")?.liveCount ?? 0
      let said = summary?.inserted ?? 0
      require(rows == said, "found \(rows) rows, but the import reported \(said)")
      if case .success(let preview) = preview(options, blockSize: 1 << 16), summary != nil {
        require(
          preview.summary.inserted == rows, "found \(rows) rows, but the preview differs")
      }
    }
  }

  private func preview(
    _ options: ImportOptions, blockSize: Int
  ) -> Result<ImportPreview, ImportError> {
    var options = options
    options.blockSize = blockSize
    return Result { () throws(ImportError) in
      try Importer.preview(files: [file.path], for: nil, options: options)
    }
  }

  /// The settings to compare. The first ones reject a file with a value that they cannot store.
  private var options: [ImportOptions] {
    var strict = ImportOptions()
    strict.className = "Row"
    strict.format = format
    strict.threads = 1
    strict.spoolDirectory = "/tmp"
    var lenient = strict
    lenient.onError = .skip
    var other = lenient
    other.geometries.takesEachPoint = true
    other.geometries.pointOf = .centroid
    other.hasDecimalCommas = true
    other.hasHeader = false
    other.fillsRows = true
    other.wrapsLongitudes = true
    return [strict, lenient, other]
  }
}

extension Result where Success == ImportPreview, Failure == ImportError {
  /// The difference between two results, or nil if they agree.
  fileprivate func difference(from other: Self) -> String? {
    switch (self, other) {
    // Which of two faults is found first depends on the splits.
    case (.failure, .failure): nil
    case (.success(let one), .success(let other)): one.difference(from: other)
    case (.success, .failure(let error)), (.failure(let error), .success):
      "'\(error)' and no error"
    }
  }
}

extension ImportSummary {
  /// The notes without advice about words that may mean null. A block that holds text is not read
  /// to its end for such advice, so it depends on the splits.
  fileprivate var lastingNotes: [ImportMessage] {
    notes.filter { !$0.description.hasSuffix(" null") }
  }
}

extension ImportPreview {
  fileprivate func difference(from other: ImportPreview) -> String? {
    let (one, another) = (summary, other.summary)
    if one.inserted != another.inserted { return "\(one.inserted) and \(another.inserted) rows" }
    if one.rejected != another.rejected { return "\(one.rejected) and \(another.rejected) refused" }
    if one.rejects != another.rejects { return "\(one.rejects) and \(another.rejects)" }
    let (notes, otherNotes) = (one.lastingNotes, another.lastingNotes)
    if notes != otherNotes { return "\(notes) and \(otherNotes)" }
    if firstRows != other.firstRows { return "\(firstRows) and \(other.firstRows)" }
    let same = columns.elementsEqual(other.columns) {
      $0.name == $1.name && $0.type == $1.type && $0.nulls == $1.nulls && $0.least == $1.least
        && $0.most == $1.most
    }
    return same ? nil : "\(columns) and \(other.columns)"
  }
}

/// Writes imported rows in every format that Cairn can also read.
final class RewriteProbe {
  private let file = ScratchFile()

  /// Checks that the first rows of an import survive writing and reading.
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
      require(again == rows, "wrote \(rows) as \(format), read \(again)")
    }
  }

  /// Whether a name collides with a coordinate column of the output or has a meaning to a reader.
  /// The CSV reader names unnamed columns itself, and removes the spaces around names.
  private func hasClash(_ names: [String]) -> Bool {
    let own: Set = ["latitude", "longitude", "altitude", "id"]
    return names.contains {
      $0.isEmpty || $0.first == " " || $0.last == " " || own.contains($0.lowercased())
    }
  }

  private func write(_ rows: [[Value]], _ columns: [OutputColumn], _ format: InputFormat) {
    file.empty()
    do throws(OutputError) {
      let writer = try RowWriter(
        format == .csv ? .csv : format == .jsonl ? .jsonl : .geojsonl, columns: columns,
        to: OutputSink(descriptor: file.descriptor))
      try writer.write(rows)
      try writer.finish()
    } catch { fatalError("cannot write \(rows): \(error)") }
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
      (options.latitudes, options.longitudes) = (["latitude"], ["longitude"])
    }
    for column in columns where column.type != .point {
      options.types[column.name] = Self.type(column.type)
    }
    do throws(ImportError) {
      let preview = try Importer.preview(files: [file.path], for: nil, options: options)
      let places = columns.map { column in preview.columns.firstIndex { $0.name == column.name } }
      return preview.firstRows.map { row in places.map { $0.map { row[$0] } ?? .null } }
    } catch {
      fatalError("cannot read \(String(decoding: file.bytes, as: UTF8.self)): \(error)")
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
