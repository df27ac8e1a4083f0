import Cairn
import CairnSystem
import CairnTestSupport
import Foundation

/// A programming error and its name.
struct Case: Sendable {
  /// The name, by which the tests ask for the outcome.
  let name: String
  private let body: @Sendable () async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.body = body
  }

  /// Runs the case in a task while the main thread serves its queue, and ends the process.
  func run() -> Never {
    // A case that hangs ends with a signal that no test expects. No machine is so slow otherwise.
    alarm(600)
    let body = body
    Task {
      do {
        try await body()
        exit(0)
      } catch {
        FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
        exit(Misuse.errorCode)
      }
    }
    RunLoop.main.run()
    dispatchMain()
  }

  /// All cases.
  static let all: [Case] =
    collectionCases + writingCases + dynamicCases + frozenCases + observationCases + queryCases
    + joinCases + schemaCases + isolationCases + observerCases + realmSwiftCases
}
