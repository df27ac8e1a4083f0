/// Learns what the columns of sections hold.
final class InferenceWorker {
  private let sources: [ImportSource]
  private let required: Set<String>
  private let policy: RefusalPolicy
  private let placements: Placements
  private var csv: [Int: CSVInference] = [:]
  private var features: FeatureInference?

  init(_ sources: [ImportSource], required: Set<String>, policy: RefusalPolicy) {
    self.sources = sources
    self.required = required
    self.policy = policy
    placements = Placements(sources)
  }

  func handle(_ section: InputSection) throws(ParseStop) -> Findings {
    switch sources[section.file].shape {
    case .csv(let layout):
      return try csvInference(section.file, layout).inspect(section)
    case .geojson:
      return try featureInference().inspect(section)
    }
  }

  private func csvInference(
    _ file: Int, _ layout: CSVLayout
  ) throws(ParseStop) -> CSVInference {
    if let inference = csv[file] { return inference }
    let placement = try ParseStop.on { () throws(ImportError) in try placements[file] }
    let made = CSVInference(
      layout: layout, placement: placement, required: required, policy: policy)
    csv[file] = made
    return made
  }

  private func featureInference() throws(ParseStop) -> FeatureInference {
    if let features { return features }
    let made = try ParseStop.on { () throws(ImportError) in
      try FeatureInference(required: required, placements: placements, policy: policy)
    }
    features = made
    return made
  }
}
