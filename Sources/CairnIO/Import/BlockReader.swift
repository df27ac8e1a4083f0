internal import CairnQuery
internal import CairnStorage
import CairnSystem
internal import CairnValues

/// Reads blocks into the columns of a plan. For use by one thread.
final class BlockReader {
  /// The rows of the block that was read last.
  private(set) var output: ColumnBatch
  private let sources: [ImportSource]
  private let plan: ImportPlan
  /// The test whether rows matter, and the plan whose columns it reads; nil if all may.
  private let hint: (test: RowsTest, plan: ImportPlan)?
  private let mappings: CoordinateMappings
  private var csv: [Int: CSVBlockParser] = [:]
  private var layers: [Int: LayerBlockParser] = [:]
  private var features: FeatureBlockParser?

  /// - Parameter hint: The test whether rows matter; nil if all may.
  init(_ sources: [ImportSource], plan: ImportPlan, hint: RowsTest? = nil) {
    self.hint = hint.map { ($0, plan) }
    let plan = plan.forReaders
    self.sources = sources
    self.plan = plan
    output = ColumnBatch(columns: plan.readColumns)
    mappings = CoordinateMappings(sources)
  }

  /// Takes the rows out, so that reading another block does not change them.
  func takeOutput() -> ColumnBatch {
    defer { output = ColumnBatch(columns: plan.readColumns) }
    return output
  }

  /// Fills `output` and returns the rejected records.
  func read(_ block: InputBlock) throws(ParseAbort) -> RecordLog {
    output.removeAll()
    switch sources[block.file].content {
    case .csv(let layout):
      return try csvParser(block.file, layout: layout).parse(block, into: output)
    case .layer(let input):
      return try layerParser(block.file, input: input).parse(block, into: output)
    case .geojson, .json:
      var parser = try takeFeatureParser()
      defer { features = parser }
      return try parser.parse(block, into: output, file: sources[block.file].input.name)
    }
  }

  private func csvParser(
    _ file: Int, layout: CSVLayout
  ) throws(ParseAbort) -> CSVBlockParser {
    if let parser = csv[file] { return parser }
    let mapping = try ParseAbort.on { () throws(ImportError) in try mappings[file] }
    let made = CSVBlockParser(
      layout: layout, mapping: mapping, plan: plan, file: sources[file].input.name)
    csv[file] = made
    return made
  }

  private func layerParser(
    _ file: Int, input: any LayerSource
  ) throws(ParseAbort) -> LayerBlockParser {
    if let parser = layers[file] { return parser }
    let made = try ParseAbort.on { () throws(ImportError) in
      let mapping = try mappings[file]
      let sieve = hint.flatMap {
        LayerSieve($0.test, plan: $0.plan, layer: input.columns, mapping: mapping)
      }
      return try LayerBlockParser(
        input, mapping: mapping, plan: plan, file: sources[file].input.name, sieve: sieve)
    }
    // Blocks come in the order of the files, and there may be many files.
    layers = [file: made]
    return made
  }

  /// Takes the parser out; the caller puts it back, because it must not be shared while it changes.
  private func takeFeatureParser() throws(ParseAbort) -> FeatureBlockParser {
    if let parser = features.take() { return parser }
    return try ParseAbort.on { () throws(ImportError) in
      try FeatureBlockParser(plan: plan, mappings: mappings)
    }
  }
}

/// Reads blocks into columns and passes them to the bulk load.
final class LoadWorker {
  /// The result of one block.
  struct Product: Sendable {
    var rows: Int
    var rejects: RecordLog
    var skipped: SkippedRows
  }

  private let reader: BlockReader
  private let computed: ComputedColumns
  private let nested: NestedColumns
  private let sieve: RowSieve
  private let load: RowDestination
  /// The number of rows that all threads have read.
  private let rows: Mutex<Int>

  init(
    _ sources: [ImportSource], plan: ImportPlan, sieve: RowSieve, load: RowDestination,
    rows: Mutex<Int>
  ) {
    reader = BlockReader(sources, plan: plan, hint: sieve.hint)
    computed = ComputedColumns(plan)
    nested = NestedColumns(plan)
    self.sieve = sieve
    self.load = load
    self.rows = rows
  }

  func handle(_ block: InputBlock) throws(ParseAbort) -> Product {
    var rejects = try reader.read(block)
    let read = load.keepsBatches ? reader.takeOutput() : reader.output
    let whole = try computed.added(to: read, of: block, rejects: &rejects)
    let batch = try nested.converted(whole, of: block, rejects: &rejects)
    let skipped = sieve.apply(to: batch)
    let count = batch.rowCount
    try load.add(batch, of: block)
    rows.withLock { $0 += count }
    return Product(rows: count, rejects: rejects, skipped: skipped)
  }
}

/// Infers the columns of blocks.
final class InferenceWorker {
  private let sources: [ImportSource]
  private let required: Set<String>
  private let form: SpatialForm
  private let options: ImportOptions
  private let mappings: CoordinateMappings
  private var csv: [Int: CSVInference] = [:]
  private var layers: [Int: LayerInference] = [:]
  private var features: FeatureInference?

  /// Creates a worker.
  ///
  /// - Parameter form: The form in which geometries are inferred.
  init(
    _ sources: [ImportSource], required: Set<String>, form: SpatialForm, options: ImportOptions
  ) {
    self.sources = sources
    self.required = required
    self.form = form
    self.options = options
    mappings = CoordinateMappings(sources)
  }

  func handle(_ block: InputBlock) throws(ParseAbort) -> InferredSchema {
    switch sources[block.file].content {
    case .csv(let layout):
      return try csvInference(block.file, layout: layout).inspect(block)
    case .layer(let input):
      return try layerInference(block.file, input: input).inspect(block)
    case .geojson, .json:
      return try featureInference().inspect(block)
    }
  }

  private func csvInference(
    _ file: Int, layout: CSVLayout
  ) throws(ParseAbort) -> CSVInference {
    if let inference = csv[file] { return inference }
    let mapping = try ParseAbort.on { () throws(ImportError) in try mappings[file] }
    let made = CSVInference(
      layout: layout, mapping: mapping, form: form,
      requirements: CSVRequirements(layout, required: required, types: options.types),
      policy: options.onError
    )
    csv[file] = made
    return made
  }

  private func layerInference(
    _ file: Int, input: any LayerSource
  ) throws(ParseAbort) -> LayerInference {
    if let inference = layers[file] { return inference }
    let made = try ParseAbort.on { () throws(ImportError) in
      try LayerInference(input, form: form, options: options)
    }
    layers = [file: made]
    return made
  }

  private func featureInference() throws(ParseAbort) -> FeatureInference {
    if let features { return features }
    let made = try ParseAbort.on { () throws(ImportError) in
      try FeatureInference(
        required: required, form: form, mappings: mappings, options: options)
    }
    features = made
    return made
  }
}
