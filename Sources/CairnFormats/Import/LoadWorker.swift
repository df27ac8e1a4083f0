internal import CairnStorage
internal import CairnValues

/// Reads sections into columns and gives them to the bulk load.
final class LoadWorker {
  /// What became of one section.
  struct Product: Sendable {
    var rows: Int
    var refusals: RefusalLog
  }

  private let sources: [ImportSource]
  private let plan: ImportPlan
  private let load: BulkLoad
  /// Rows that all threads have read.
  private let rows: Mutex<Int>
  private let output: Section
  private let placements: Placements
  private var csv: [Int: CSVSectionParser] = [:]
  private var features: FeatureSectionParser?

  init(_ sources: [ImportSource], plan: ImportPlan, load: BulkLoad, rows: Mutex<Int>) {
    self.sources = sources
    self.plan = plan
    self.load = load
    self.rows = rows
    output = Section(columns: plan.bulkColumns)
    placements = Placements(sources)
  }

  func handle(_ section: InputSection) throws(ParseStop) -> Product {
    output.removeAll()
    let refusals = try parse(section)
    let count = output.rowCount
    try ParseStop.onStore { () throws(StoreError) in
      try load.add(output, number: section.number)
    }
    rows.withLock { $0 += count }
    return Product(rows: count, refusals: refusals)
  }

  private func parse(_ section: InputSection) throws(ParseStop) -> RefusalLog {
    switch sources[section.file].shape {
    case .csv(let layout):
      return try csvParser(section.file, layout).parse(section, into: output)
    case .geojson:
      var parser = try takeFeatureParser()
      defer { features = parser }
      return try parser.parse(section, into: output)
    }
  }

  private func csvParser(
    _ file: Int, _ layout: CSVLayout
  ) throws(ParseStop) -> CSVSectionParser {
    if let parser = csv[file] { return parser }
    let placement = try ParseStop.on { () throws(ImportError) in try placements[file] }
    let made = CSVSectionParser(layout: layout, placement: placement, plan: plan)
    csv[file] = made
    return made
  }

  /// The parser, which is put back after use: it must not be shared while it changes.
  private func takeFeatureParser() throws(ParseStop) -> FeatureSectionParser {
    if let parser = features.take() { return parser }
    return try ParseStop.on { () throws(ImportError) in
      try FeatureSectionParser(plan: plan, placements: placements)
    }
  }
}
