internal import CairnStorage
internal import CairnValues

// Changing rows of a class.
extension ImportPlanner {
  /// Throws if the rows of the class cannot be found by a property.
  func checkUpdate(by key: String, _ inferred: InferredColumns) throws(ImportError) {
    guard let schema = existing?.schema else {
      throw ImportError(
        .usage,
        message:
          "\(option: .updateKey, key): the store has no class \(className), whose rows would "
          + "change")
    }
    guard let own = schema.column(named: key) else {
      throw unknown(key, names: schema.properties.map(\.name))
    }
    guard own.collection == .none, let type = FieldType(own.type) else {
      throw cannotExtend(
        "`\(key)` is of type \(own.typeText), by whose values rows are not found")
    }
    if computedNames.contains(key) { return }
    guard let evidence = inferred.evidence(key) else { throw unknownColumn(key, of: inferred) }
    guard evidence.isEmpty || evidence.fits(type) else {
      throw cannotExtend(
        "`\(key)` is of type \(own.typeText), and the file has \(evidence.type.valueType.name) there; "
          + "\(option: .types, "\(key)=\(type.valueType.name)") reads it as such")
    }
    if let primary = schema.keyName, primary != key, inferred.evidence(primary) != nil {
      throw cannotExtend(
        "the file has a column `\(primary)`, the primary key of the class, which does not change; leave "
          + "it out with \(option: .droppedColumns, primary)")
    }
  }
}
