internal import CairnStorage
internal import CairnValues

// What does not fit an existing class.
extension ImportRun {
  /// Names property, both types, the first value with its line, and what to do.
  func refusal(_ plan: ImportPlan, _ findings: Findings, limit: Int) -> ImportError? {
    let misfits = plan.misfits
    guard let first = misfits.first else { return nil }
    let name = first.property.name
    let file = first.evidence.subtracting(first.type.fitting).typeText
    var text =
      "this cannot be added to the class \(className): `\(name)` is of type "
      + first.property.typeText
    if !file.isEmpty { text += ", and the file has \(file) there" }
    if let found = firstMisfit(first, plan, findings, limit: limit) { text += " (\(found))" }
    if let obstacle = first.obstacle {
      text +=
        "; it would become double, but it holds \(obstacle), which no double holds exactly"
    }
    text += nullAdvice(first, findings)
    text += ": `--type \(name)=\(first.type.optionText) --on-error skip` leaves such rows out"
    if first.property.isRetyped(to: .string) {
      text += ", `--type \(name)=text` makes all of it text"
    }
    let others = misfits.dropFirst().map { "`\($0.property.name)`" }
    if !others.isEmpty { text += "; the same is true of \(others.joined(separator: ", "))" }
    return ImportError(.data, text)
  }

  /// The advice where only words that may mean null do not fit; else empty.
  private func nullAdvice(_ misfit: ImportPlan.Misfit, _ findings: Findings) -> String {
    guard misfit.evidence.contains(.suspect),
      misfit.evidence.subtracting(.suspect).fits(misfit.type),
      let words = findings.column(misfit.property.name)?.suspects.map(\.word)
    else { return "" }
    return ": `--null \(NullWords.shellText(words))` makes it null"
  }

  /// The first value that is not of the property's type: file, line and value.
  private func firstMisfit(
    _ misfit: ImportPlan.Misfit, _ whole: ImportPlan, _ findings: Findings, limit: Int
  ) -> String? {
    let plan = plan(findingOnly: misfit, findings.withoutBlanks, featureId: whole.featureId)
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
    findingOnly misfit: ImportPlan.Misfit, _ findings: Findings, featureId: String
  ) -> ImportPlan {
    let name = misfit.property.name
    var columns = findings.columns.map {
      ImportPlan.Column(name: $0.name, content: .field($0.name == name ? misfit.type : .text))
    }
    columns.append(.init(name: options.locationName, content: .location))
    if findings.hasAltitude { columns.append(.init(name: "altitude", content: .altitude)) }
    return ImportPlan(
      columns: columns, primaryKey: nil, onError: .skip, forcedTypes: [name: misfit.type],
      shapes: options.shapes, reading: options.reading, featureId: featureId)
  }
}

extension FieldType {
  /// What fits it.
  fileprivate var fitting: FieldEvidence {
    switch self {
    case .int: [.int, .largeInt]
    case .double: [.int, .double]
    case .bool, .boolWord: .bool
    case .date: [.date, .localDate]
    case .epochSeconds, .epochMilliseconds: [.int, .double]
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
      (.bool, "bool"), (.date, "date"), (.text, "string"), (.suspect, "string"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: " and ")
  }
}
