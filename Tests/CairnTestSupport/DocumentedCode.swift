import Foundation

/// The Swift code of documents, beside the code of a test that compiles and runs it.
///
/// The test file contains the same code between lines with the comments "The guide begins" and "The
/// guide ends": declarations in the first such part, statements of a function in the second.
public struct DocumentedCode: Sendable {
  /// The code blocks of the documents, without their imports.
  public let shown: String
  /// The code of the test file between the markers.
  public let run: String

  /// Reads the documents and the test file.
  ///
  /// - Parameter documents: Paths relative to the root of the package.
  public init(of documents: [String], testFile: String = #filePath) throws {
    let text = try documents.map(Repository.text).joined(separator: "\n")
    shown = text.matches(of: /```swift\n((?:.|\n)*?)```/).map { String($0.1) }
      .joined(separator: "\n").replacing(/(import \w+\n)+\n/, with: "")
    let parts = try String(contentsOfFile: testFile, encoding: .utf8)
      .matches(of: /\/\/ The guide begins\n((?:.|\n)*?) *\/\/ The guide ends/)
      .map { $0.1.split(separator: "\n", omittingEmptySubsequences: false) }
    guard let declarations = parts.first, let statements = parts.dropFirst().first else {
      run = ""
      return
    }
    let unindented = statements.map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }
    run = declarations.joined(separator: "\n") + "\n" + unindented.joined(separator: "\n")
  }

  /// The output that the comments after calls of `print` promise.
  public var expected: [String] {
    shown.matches(of: /print\(.*\)  \/\/ (.*)/).map { String($0.1) }
  }
}
