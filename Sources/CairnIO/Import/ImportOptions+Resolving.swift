internal import CairnStorage
internal import CairnValues

// The options as an import uses them.
extension ImportOptions {
  /// The options with the texts of the user parsed, and with what a declared class implies.
  func resolved() throws(ImportError) -> ImportOptions {
    var options = self
    for format in dateFormats {
      do throws(DateFormat.FormatError) {
        options.reading.dateFormats.append(try DateFormat(format))
      } catch {
        throw ImportError(
          .usage, message: "\(option: .dateFormat, format): \(error.description)")
      }
    }
    try checkNotation()
    if let timeZone { options.reading.timeZone = try TimeZoneNames.rules(of: timeZone) }
    if let declaredClass { options.keep(declaredClass) }
    return options
  }

  private func checkNotation() throws(ImportError) {
    guard thousands == .point && !hasDecimalCommas || thousands == .comma && hasDecimalCommas
    else { return }
    let name = thousands?.rawValue ?? ""
    throw ImportError(
      .usage,
      message: hasDecimalCommas
        ? "\(option: .thousands, name) and \(option: .hasDecimalCommas) give the comma two meanings"
        : "\(option: .thousands, name) needs \(option: .hasDecimalCommas)")
  }

  /// Limits the import to the properties of a class.
  private mutating func keep(_ schema: TableSchema) {
    let (spatial, others) = (
      schema.spatialColumns,
      schema.properties.filter { !$0.isSpatial }
    )
    selection.declared = Set(others.map(\.name))
    if spatial.count == 1, locationName == nil { locationName = spatial[0].name }
    if spatial.contains(where: \.isOptional) { geometries.allowsMissing = true }
  }
}
