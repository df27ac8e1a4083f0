internal import CairnStorage

/// Reads the sections of one CSV file into columns. Used by one thread.
final class CSVSectionParser {
  /// What becomes of a column of the plan.
  private enum Step {
    case field(place: Int, column: Int, FieldType)
    case location(column: Int)
    case altitude(column: Int)
    /// A column without a name, which held no value when the plan was made.
    case blank(place: Int, name: String)
    /// The file has no such column.
    case nulls(column: Int)
  }

  private let reader: CSVBlockReader
  private let plan: ImportPlan
  private let steps: [Step]

  init(layout: CSVLayout, placement: Placement, plan: ImportPlan) {
    self.plan = plan
    let properties = layout.properties
    let places = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.place) })
    let blanks = properties.filter { plan.index(of: $0.name) == nil }
    steps =
      plan.columns.enumerated().map { column, planned in
        switch planned.content {
        case .location: return .location(column: column)
        case .altitude: return .altitude(column: column)
        case .field(let type):
          return places[planned.name].map { .field(place: $0, column: column, type) }
            ?? .nulls(column: column)
        }
      } + blanks.map { .blank(place: $0.place, name: $0.name) }
    let required = Set(plan.columns.filter(\.isRequired).map(\.name))
    reader = CSVBlockReader(
      layout: layout, placement: placement,
      demands: CSVDemands(layout, required: required, types: plan.forcedTypes), policy: plan.onError
    )
  }

  /// Appends the rows of a section; returns those that were left out.
  func parse(_ input: InputSection, into output: Section) throws(ParseStop) -> RefusalLog {
    try reader.read(input) { (rows) throws(ParseStop) in
      for step in steps { try run(step, rows, output) }
    }
    if reader.hasAltitude, !plan.columns.contains(where: { $0.content == .altitude }) {
      throw .contradiction(column: "altitude")
    }
    return reader.refusals
  }

  private func run(_ step: Step, _ rows: CSVRows, _ output: Section) throws(ParseStop) {
    switch step {
    case .nulls(let column):
      for _ in 0..<rows.count { output.columns[column].appendNull() }
    case .altitude(let column): appendAltitudes(rows.count, to: output.columns[column])
    case .blank(let place, let name):
      guard CSVColumns.areBlank(rows, place, &reader.unquoter) else {
        throw .contradiction(column: name)
      }
    case .location(let column):
      appendLocations(rows.count, to: output.columns[column])
    case .field(let place, let column, let type):
      let builder = output.columns[column]
      let isGood =
        switch type {
        case .int: CSVColumns.appendInts(rows, place, builder, &reader.unquoter)
        case .double where reader.layout.hasDecimalCommas:
          CSVColumns.appendCommaDoubles(rows, place, builder, &reader.unquoter)
        case .double: CSVColumns.appendDoubles(rows, place, builder, &reader.unquoter)
        case .bool: CSVColumns.appendBools(rows, place, builder, &reader.unquoter)
        case .boolWord:
          CSVColumns.appendBools(rows, place, builder, &reader.unquoter, BoolText.parseWord)
        case .epochSeconds:
          CSVColumns.appendEpochs(rows, place, builder, &reader.unquoter, places: 0)
        case .epochMilliseconds:
          CSVColumns.appendEpochs(rows, place, builder, &reader.unquoter, places: 3)
        case .date: CSVColumns.appendDates(rows, place, builder, &reader.unquoter)
        case .text: CSVColumns.appendTexts(rows, place, builder, &reader.unquoter)
        case .unknown: CSVColumns.appendNulls(rows, place, builder, &reader.unquoter)
        }
      if !isGood { throw .contradiction(column: plan.columns[column].name) }
    }
  }

  private func appendAltitudes(_ count: Int, to builder: ColumnBuilder) {
    for row in 0..<count {
      if row < reader.altitudes.count, !reader.altitudes[row].isNaN {
        builder.append(double: reader.altitudes[row])
      } else {
        builder.appendNull()
      }
    }
  }

  private func appendLocations(_ count: Int, to builder: ColumnBuilder) {
    reader.longitudes.withUnsafeBufferPointer { longitudes in
      reader.latitudes.withUnsafeBufferPointer { latitudes in
        for row in 0..<count {
          builder.append(longitude: longitudes[row], latitude: latitudes[row])
        }
      }
    }
  }
}
