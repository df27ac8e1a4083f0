internal import CSimdJSON
internal import CairnStorage

/// Reads the sections of files of GeoJSON or plain JSON into columns.
struct FeatureSectionParser {
  private var reader: FeatureReader
  private var stage: FeatureStage

  init(plan: ImportPlan, placements: Placements) throws(ImportError) {
    reader = try FeatureReader(
      placements: placements, shapes: plan.shapes, fields: plan.reading, policy: plan.onError)
    stage = FeatureStage(plan: plan)
  }

  /// Appends the Features of a section; returns those that were left out.
  mutating func parse(
    _ input: InputSection, into output: Section
  ) throws(ParseStop) -> RefusalLog {
    // The section holds them: counting references for every value would take a tenth of the time.
    let builders = output.columns.map(Unmanaged.passUnretained)
    var stage = stage
    try reader.read(input) { (reader) throws(ParseStop) in
      if try stage.take(&reader) { stage.append(to: builders, reader.location) }
    }
    return reader.refusals
  }
}
