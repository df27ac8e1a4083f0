extension Store {
  /// Checks everything in a store, and changes nothing.
  ///
  /// - Throws: that there is none, that it ends early, that a newer Cairn wrote it, or that it cannot be read. Damage is
  ///   in the report.
  package static func verify(_ path: String) throws(StoreError) -> IntegrityReport {
    try FileCheck.require(path, heads: false)
    let handle = try EnvironmentHandle(path: path, readOnly: true)
    return try IntegrityCheck(handle, path: path).run()
  }

  /// Throws where anything is damaged that would give wrong answers, or end the process.
  static func requireSound(_ handle: EnvironmentHandle, _ path: String) throws(StoreError) {
    let report = try IntegrityCheck(handle, path: path).run()
    guard let first = report.findings.first(where: { $0.harm != .space }) else { return }
    let advice = report.advice.map { "; \($0)" } ?? ""
    throw StoreError(.damaged, "\(path) is damaged: \(first)\(advice)")
  }
}
