import Testing

@Suite struct ThreadSafetyTests {
  @Test func everyUncheckedDeclarationGivesAReason() throws {
    var count = 0
    for folder in ["Sources", "Tests/CairnTestSupport"] {
      for file in try Package.swiftFiles(under: folder) {
        if file.text.contains("@unchecked Sendable") { count += 1 }
        for index in UncheckedThreads.unexplained(in: file.lines) {
          Issue.record(
            "\(file.path):\(index + 1) gives no reason beginning with '// Sendable: '")
        }
      }
    }
    #expect(count > 20)
  }

  @Test(arguments: [
    ("final class A: @unchecked Sendable {\n  // Sendable: `lock` guards it.", true),
    ("final class A: @unchecked Sendable {\n  let a = 1", false),
    ("// Sendable: constant.\nfinal class A: @unchecked Sendable {\n}", true),
    ("// Sendable:constant.\nfinal class A: @unchecked Sendable {\n}", false),
    ("struct A<B>:\n  @unchecked Sendable\n{\n  // Sendable: constant.", true),
    ("struct A<B>:\n  @unchecked Sendable\n{\n  let a = 1", false),
    ("extension A: @unchecked Sendable {}", false),
    ("/// A number.\n// Sendable: constant.\nnonisolated(unsafe) static let a = b", true),
    ("nonisolated(unsafe) static let a = {\n  // Sendable: constant.", false),
    ("// Sendable: constant.\nlet a = 1\nnonisolated(unsafe) let b = a", false),
    ("/// Not `@unchecked Sendable`.\nlet a = 1", true),
    ("final class A: Sendable {\n  let a = 1", true),
  ])
  func theRulesFindReasons(text: String, hasReason: Bool) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(UncheckedThreads.unexplained(in: lines).isEmpty == hasReason)
  }

  @Test func everyAbstractMemberIsOverridden() throws {
    let trees = ClassTrees(try Package.swiftFiles(under: "Sources"))
    #expect(trees.abstractCount > 5)
    #expect(trees.violations() == [])
  }

  @Test func theRulesFindMissingOverrides() {
    func violations(_ text: String) -> [String] {
      ClassTrees([Package.SourceFile(path: "Sources/M/A.swift", text: text)]).violations()
    }
    let base =
      "class Base<Value> {\n  func add(_ a: Value) {\n    requireOverride()\n  }\n"
      + "  var name: String { requireOverride() }\n}\n"
    let middle =
      "class Middle<Value: Sendable>:\n  Base<Value>\n{\n"
      + "  override final var name: String { \"\" }\n}\n"
    let missing = ["Sources/M/A.swift: Last does not override add"]
    #expect(
      violations(base + "final class Last: Base<Int> {}") == missing + [
        "Sources/M/A.swift: Last does not override name"
      ])
    #expect(violations(base + middle + "final class Last: Middle<Int> {\n}") == missing)
    #expect(
      violations(
        base + middle + "final class Last: Middle<Int> {\n  override func add(_ a: Int) {}\n}")
        == [])
  }
}
