import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// `cairn serve`, with a script in place of the server. The server lies beside the command that was
/// built with these tests, so a copy of the command runs in a folder of its own.
@Suite struct ServeTests {
  private let folder: TemporaryFolder
  private let command: URL

  init() throws {
    folder = try TemporaryFolder()
    command = folder.url.appendingPathComponent("cairn")
    try FileManager.default.copyItem(at: Command.built, to: command)
  }

  private func serve(_ arguments: [String], path: String) throws -> Command.Outcome {
    try Command.launch(
      command, ["serve"] + arguments, input: nil, environment: ["PATH": path], folder: nil)
  }

  @Test func aMissingServerIsExplained() throws {
    let result = try serve(["world.cairn"], path: "/nowhere")
    #expect(result.code == 1)
    #expect(result.errors.contains("cairn-server is not installed"), "\(result.errors)")
    #expect(result.errors.contains("make server"))
  }

  @Test(arguments: [
    ["world.cairn"], ["world.cairn", "--port", "9000", "--cors", "*"],
    ["--port=0", "a b.cairn", "--quiet"],
  ])
  func theServerTakesTheArgumentsAndTheProcess(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    _ = try folder.script("printf '%s\\n' \"$@\"\nexit 3", as: "cairn-server")
    let result = try serve(arguments, path: folder.path)
    #expect(result.code == 3)
    #expect(result.lines.map { String($0) } == arguments)
  }

  @Test func theStoreIsRequired() throws {
    let result = try serve([], path: "/nowhere")
    #expect(result.code == 64)
  }

  @Test func helpIsThatOfTheCommand() throws {
    let result = try Command.run("serve", "--help")
    #expect(result.code == 0 && result.output.contains("cairn-server --help"))
  }
}
