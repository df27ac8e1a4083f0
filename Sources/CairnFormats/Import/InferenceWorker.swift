/// Learns what the columns of sections hold.
final class InferenceWorker {
  private let sources: [ImportSource]
  private let required: Set<String>
  private let policy: RefusalPolicy
  private var csv: [Int: CSVInference] = [:]
  private var features: FeatureInference?

  init(_ sources: [ImportSource], required: Set<String>, policy: RefusalPolicy) {
    self.sources = sources
    self.required = required
    self.policy = policy
  }

  func handle(_ section: InputSection) throws(ParseStop) -> Findings {
    switch sources[section.file].shape {
    case .csv(let layout):
      let inference =
        csv[section.file] ?? CSVInference(layout: layout, required: required, policy: policy)
      csv[section.file] = inference
      return try inference.inspect(section)
    case .geojson:
      return try featureInference().inspect(section)
    }
  }

  private func featureInference() throws(ParseStop) -> FeatureInference {
    if let features { return features }
    let made = try ParseStop.on { () throws(ImportError) in
      try FeatureInference(required: required, policy: policy)
    }
    features = made
    return made
  }
}
