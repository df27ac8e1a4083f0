/// What looking at a part of the input has shown.
struct Inspection: Sendable {
  var findings = Findings()
  /// The records that cannot be stored.
  var refusals = RefusalLog()
  /// Those that can.
  var rows = 0

  /// Adds what a later part has shown.
  mutating func add(_ later: Inspection) {
    findings.add(later.findings)
    refusals.add(later.refusals)
    rows += later.rows
  }
}

/// Learns what the columns of sections hold.
final class InferenceWorker {
  private let sources: [ImportSource]
  private let required: Set<String>
  private let options: ImportOptions
  private let placements: Placements
  private var csv: [Int: CSVInference] = [:]
  private var features: FeatureInference?

  init(_ sources: [ImportSource], required: Set<String>, options: ImportOptions) {
    self.sources = sources
    self.required = required
    self.options = options
    placements = Placements(sources)
  }

  func handle(_ section: InputSection) throws(ParseStop) -> Inspection {
    switch sources[section.file].shape {
    case .csv(let layout):
      return try csvInference(section.file, layout).inspect(section)
    case .geojson, .json:
      return try featureInference().inspect(section)
    }
  }

  private func csvInference(
    _ file: Int, _ layout: CSVLayout
  ) throws(ParseStop) -> CSVInference {
    if let inference = csv[file] { return inference }
    let placement = try ParseStop.on { () throws(ImportError) in try placements[file] }
    let made = CSVInference(
      layout: layout, placement: placement,
      demands: CSVDemands(layout, required: required, types: options.types), policy: options.onError
    )
    csv[file] = made
    return made
  }

  private func featureInference() throws(ParseStop) -> FeatureInference {
    if let features { return features }
    let made = try ParseStop.on { () throws(ImportError) in
      try FeatureInference(
        required: required, placements: placements, options: options)
    }
    features = made
    return made
  }
}
