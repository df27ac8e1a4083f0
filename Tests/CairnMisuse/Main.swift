import CairnSystem
import CairnTestSupport
import Foundation

/// Makes programming errors, each in a process that should end because of it:
///
///     cairn-misuse           runs each case in a process of its own, and prints how they ended as JSON
///     cairn-misuse NAME      runs one case in this process
///     cairn-misuse --list    prints the names of the cases
///
/// `Misuse` of CairnTestSupport runs it once for all tests of a process.
@main
enum Main {
  static func main() throws {
    switch CommandLine.arguments.dropFirst().first {
    case nil:
      let outcomes = try CaseRunner(Case.all).run()
      try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(outcomes))
    case "--list":
      for item in Case.all { print(item.name) }
    case let name:
      guard let item = Case.all.first(where: { $0.name == name }) else { exit(64) }
      item.run()
    }
  }
}
