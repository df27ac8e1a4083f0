internal import CairnStorage
internal import CairnValues

// What does not fit an existing class.
extension ImportRun {
  /// Names property, both types, the first value with its line, and what to do.
  func refusal(_ misfits: [ImportPlan.Misfit], _ findings: Findings, limit: Int) -> ImportError? {
    guard let first = misfits.first else { return nil }
    let name = first.property.name
    let file = first.evidence.subtracting(first.type.fitting).typeText
    var text =
      "this cannot be added to the class \(className): `\(name)` is of type "
      + first.property.typeText
    if !file.isEmpty { text += ", and the file has \(file) there" }
    if let found = firstMisfit(first, findings, limit: limit) { text += " (\(found))" }
    if let obstacle = first.obstacle {
      text +=
        "; it would become double, but it holds \(obstacle), which no double holds exactly"
    }
    text += ": `--type \(name)=\(first.type.optionText) --on-error skip` leaves such rows out"
    if first.property.isRetyped(to: .string) {
      text += ", `--type \(name)=text` makes all of it text"
    }
    let others = misfits.dropFirst().map { "`\($0.property.name)`" }
    if !others.isEmpty { text += "; the same is true of \(others.joined(separator: ", "))" }
    return ImportError(.data, text)
  }

  /// The first value that is not of the property's type: file, line and value.
  private func firstMisfit(
    _ misfit: ImportPlan.Misfit, _ findings: Findings, limit: Int
  ) -> String? {
    let plan = plan(findingOnly: misfit, findings.withoutBlanks)
    let run = SectionRun(
      sources: sources, threads: options.threads, sectionSize: options.sectionSize, limit: limit)
    let products = try? run.run {
      [sources] () throws(ImportError) -> SectionHandler<RefusalLog> in
      SectionReader(sources, plan: plan).read
    } progress: { _ in
    }.products
    let reason = "`\(misfit.property.name)` is no \(misfit.type.valueType)"
    let found = (products ?? []).flatMap(\.first).filter { $0.reason == reason }
    return found.min { $0.place < $1.place }.map { describe([$0]).joined() }
  }

  /// Everything is text, but for the one property.
  private func plan(
    findingOnly misfit: ImportPlan.Misfit, _ findings: Findings
  ) -> ImportPlan {
    let name = misfit.property.name
    var columns = findings.columns.map {
      ImportPlan.Column(name: $0.name, content: .field($0.name == name ? misfit.type : .text))
    }
    columns.append(.init(name: options.locationName, content: .location))
    if findings.hasAltitude { columns.append(.init(name: "altitude", content: .altitude)) }
    return ImportPlan(
      columns: columns, primaryKey: nil, onError: .skip, forcedTypes: [name: misfit.type],
      shapes: options.shapes)
  }
}

extension FieldType {
  /// What fits it.
  fileprivate var fitting: FieldEvidence {
    switch self {
    case .int: [.int, .largeInt]
    case .double: [.int, .double]
    case .bool: .bool
    case .date: .date
    case .text, .unknown: []
    }
  }

  /// As `--type` knows it.
  fileprivate var optionText: String { self == .text ? "text" : "\(valueType)" }
}

extension FieldEvidence {
  /// The types that were seen.
  fileprivate var typeText: String {
    let names: [(FieldEvidence, String)] = [
      (.int, "int"), (.largeInt, "an int that no double holds exactly"), (.double, "double"),
      (.bool, "bool"), (.date, "date"), (.text, "string"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: " and ")
  }
}
