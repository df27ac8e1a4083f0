import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// `cairn serve`, with a script in place of the server.
@Suite struct ServeTests {
  @Test func aMissingServerIsExplained() throws {
    let result = try Command.run(["serve", "world.cairn"], environment: ["PATH": "/nowhere"])
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
    let script = folder["cairn-server"]
    try folder.file("cairn-server", "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 3\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let result = try Command.run(["serve"] + arguments, environment: ["PATH": folder.path])
    #expect(result.code == 3)
    #expect(result.lines.map { String($0) } == arguments)
  }

  @Test func theStoreIsRequired() throws {
    let result = try Command.run(["serve"], environment: ["PATH": "/nowhere"])
    #expect(result.code == 64)
  }

  @Test func helpIsThatOfTheCommand() throws {
    let result = try Command.run("serve", "--help")
    #expect(result.code == 0 && result.output.contains("cairn-server --help"))
  }
}
