import CairnFormats
import CairnGeometry
import CairnStorage

/// Reads bytes as `import` does, and holds the answers against one another.
final class ImportProbe {
  let format: InputFormat
  private let file = ScratchFile()
  private let written = RewriteProbe()

  init(_ format: InputFormat) { self.format = format }

  /// However small the sections, and so wherever the cuts: what is found is the same. Rows that are written
  /// and read again are the same.
  func read(_ bytes: [UInt8]) {
    file.fill(bytes)
    for (number, options) in options.enumerated() {
      let whole = preview(options, sectionSize: 1 << 16)
      // Most are refused, and those that leave refused rows out come next.
      if number == 0, case .failure = whole { continue }
      let cut = preview(options, sectionSize: 48)
      if let difference = whole.difference(from: cut) { fatalError("cuts matter: \(difference)") }
      guard number == 0, case .success(let preview) = whole else { continue }
      if format == .geojson || format == .geojsonl {
        NaivePoints.check(preview, bytes, isLines: format == .geojsonl)
      }
      written.check(preview)
    }
  }

  /// A refused file leaves nothing in the store, an accepted one as many rows as it says.
  func store(_ bytes: [UInt8]) {
    file.fill(bytes)
    for options in options {
      guard let store = try? Store.openInMemory(identifier: "fuzz-\(format)") else {
        fatalError("no store can be made")
      }
      let summary = try? Importer.run(files: [file.path], into: store, options: options)
      let rows = (try? store.snapshot())?.table("Row")?.liveCount ?? 0
      let said = summary?.inserted ?? 0
      require(rows == said, "\(rows) rows are there, and \(said) were imported")
      if case .success(let preview) = preview(options, sectionSize: 1 << 16), summary != nil {
        require(
          preview.summary.inserted == rows, "\(rows) rows are there, and others were foreseen")
      }
    }
  }

  private func preview(
    _ options: ImportOptions, sectionSize: Int
  ) -> Result<ImportPreview, ImportError> {
    var options = options
    options.sectionSize = sectionSize
    return Result { () throws(ImportError) in
      try Importer.preview(files: [file.path], for: nil, options: options)
    }
  }

  /// The first refuse what they cannot store.
  private var options: [ImportOptions] {
    var strict = ImportOptions()
    strict.className = "Row"
    strict.format = format
    strict.threads = 1
    strict.spoolDirectory = "/tmp"
    var lenient = strict
    lenient.onError = .skip
    var other = lenient
    other.shapes.takesEachPoint = true
    other.shapes.pointOf = .centroid
    other.hasDecimalCommas = true
    other.hasHeader = false
    other.fillsRows = true
    other.wrapsLongitudes = true
    return [strict, lenient, other]
  }
}

extension Result where Success == ImportPreview, Failure == ImportError {
  /// In what two answers differ; nil: in nothing.
  fileprivate func difference(from other: Self) -> String? {
    switch (self, other) {
    // Of two faults the one that is met first depends on the cuts.
    case (.failure, .failure): nil
    case (.success(let one), .success(let other)): one.difference(from: other)
    case (.success, .failure(let error)), (.failure(let error), .success):
      "'\(error)' and none"
    }
  }
}

extension ImportPreview {
  fileprivate func difference(from other: ImportPreview) -> String? {
    let (one, another) = (summary, other.summary)
    if one.inserted != another.inserted { return "\(one.inserted) and \(another.inserted) rows" }
    if one.refused != another.refused { return "\(one.refused) and \(another.refused) refused" }
    if one.refusals != another.refusals { return "\(one.refusals) and \(another.refusals)" }
    if one.notes != another.notes { return "\(one.notes) and \(another.notes)" }
    if firstRows != other.firstRows { return "\(firstRows) and \(other.firstRows)" }
    let same = columns.elementsEqual(other.columns) {
      $0.name == $1.name && $0.type == $1.type && $0.nulls == $1.nulls && $0.least == $1.least
        && $0.most == $1.most
    }
    return same ? nil : "\(columns) and \(other.columns)"
  }
}
