internal import CairnStorage
internal import CairnValues

// Values that do not fit an existing class.
extension ImportRun {
  /// Returns an error that names the property, both types, the first value with its line, and the
  /// remedy; nil when everything fits.
  func rejection(_ plan: ImportPlan, inferred: InferredColumns, limit: Int) -> ImportError? {
    let mismatches = plan.mismatches
    guard let first = mismatches.first else { return nil }
    let name = first.property.name
    let file = first.evidence.subtracting(first.type.fitting).typeText
    var text: ImportMessage =
      "this cannot be added to the class \(className): `\(name)` is of type "
      + "\(first.property.typeText)"
    if !file.isEmpty { text += ", but the file has \(file) there" }
    if let found = firstMismatch(first, whole: plan, inferred: inferred, limit: limit) {
      text += " (\(found))"
    }
    if let obstacle = first.obstacle {
      text +=
        "; it would become double, but it holds \(obstacle), which a double cannot hold exactly"
    }
    text += nullAdvice(first, inferred: inferred)
    text +=
      "; \(options: OptionUse(.types, value: "\(name)=\(first.type.optionText)"), OptionUse(.onError, value: "skip")) "
      + "leaves such rows out"
    if first.property.isRetyped(to: .string) {
      text += ", \(option: .types, "\(name)=text") makes all of it text"
    }
    let others = mismatches.dropFirst().map { "`\($0.property.name)`" }
    if !others.isEmpty { text += "; the same is true of \(others.joined(separator: ", "))" }
    return ImportError(.data, message: text)
  }

  /// Returns advice if only words that may mean null do not fit; otherwise an empty text.
  private func nullAdvice(_ mismatch: ImportPlan.TypeMismatch, inferred: InferredColumns)
    -> ImportMessage
  {
    guard mismatch.evidence.contains(.suspect),
      mismatch.evidence.subtracting(.suspect).fits(mismatch.type),
      let words = inferred.column(mismatch.property.name)?.suspects.map(\.word)
    else { return "" }
    return "; \(option: .nulls, words.joined(separator: ",")) makes it null"
  }

  /// Returns the first value that is not of the property's type, with file and line.
  private func firstMismatch(
    _ mismatch: ImportPlan.TypeMismatch, whole: ImportPlan, inferred: InferredColumns, limit: Int
  ) -> ImportMessage? {
    let plan = plan(findingOnly: mismatch, inferred.withoutBlanks, whole: whole)
    let run = BlockRun(
      sources: sources, threads: options.threads, blockSize: options.blockSize, limit: limit,
      cancellation: cancellation)
    let result = try? run.run {
      [sources] () throws(ImportError) -> BlockHandler<RecordLog> in
      BlockReader(sources, plan: plan).read
    } progress: { _ in
    }
    guard case .finished(let (products, _)) = result else { return nil }
    let reason = RejectReason.valueType(
      property: mismatch.property.name, mismatch.type.valueType)
    let found = products.flatMap(\.first).filter { $0.reason == reason }
    return found.min { $0.position < $1.position }.flatMap { describe([$0]).first?.text }
  }

  /// Returns a plan in which every column but one is text.
  private func plan(
    findingOnly mismatch: ImportPlan.TypeMismatch, _ inferred: InferredColumns, whole: ImportPlan
  ) -> ImportPlan {
    let name = mismatch.property.name
    var columns = inferred.columns.map {
      ImportPlan.Column(name: $0.name, content: .field($0.name == name ? mismatch.type : .text))
    }
    columns += whole.columns.filter { $0.isSpatial || $0.content == .altitude }
    return ImportPlan(
      columns: columns, primaryKey: nil, onError: .skip, forcedTypes: [name: mismatch.type],
      geometries: options.geometries, reading: options.reading, featureId: whole.featureId)
  }
}

extension FieldType {
  /// The evidence that fits the type.
  fileprivate var fitting: FieldEvidence {
    switch self {
    case .int: [.int, .largeInt]
    case .double: [.int, .double]
    case .float, .decimal: [.int, .largeInt, .double]
    case .bool, .boolWord: .bool
    case .date: [.date, .localDate]
    case .epochSeconds, .epochMilliseconds: [.int, .double]
    case .data: .data
    case .text, .unknown, .objectId, .uuid: []
    }
  }

  /// The name of the type in messages.
  fileprivate var optionText: String { self == .text ? "text" : "\(valueType)" }
}

extension FieldEvidence {
  /// The types of the values.
  fileprivate var typeText: String {
    let names: [(FieldEvidence, String)] = [
      (.int, "int"), (.largeInt, "an int that a double cannot hold exactly"), (.double, "double"),
      (.bool, "bool"), (.date, "date"), (.text, "string"), (.suspect, "string"), (.data, "data"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: " and ")
  }
}
