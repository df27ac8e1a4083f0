internal import CairnStorage

/// Reads sections into columns, as a plan has them. For one thread.
final class SectionReader {
  /// The rows of the section that was read last.
  let output: Section
  private let sources: [ImportSource]
  private let plan: ImportPlan
  private let placements: Placements
  private var csv: [Int: CSVSectionParser] = [:]
  private var features: FeatureSectionParser?

  init(_ sources: [ImportSource], plan: ImportPlan) {
    self.sources = sources
    self.plan = plan
    output = Section(columns: plan.bulkColumns)
    placements = Placements(sources)
  }

  /// Fills `output`; returns the records that were left out.
  func read(_ section: InputSection) throws(ParseStop) -> RefusalLog {
    output.removeAll()
    switch sources[section.file].shape {
    case .csv(let layout):
      return try csvParser(section.file, layout).parse(section, into: output)
    case .geojson, .json:
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
