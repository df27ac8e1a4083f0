import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// The files that `make install` installs and `make uninstall` removes.
@Suite struct InstallTests {
  private func install(_ options: String, in scratch: TemporaryFolder) throws -> Command.Outcome {
    let script = Repository.root.appendingPathComponent("tools/install").path
    return try Command.shell(
      "CAIRN='\(Command.executable.path)' '\(script)' \(options) '\(scratch["a prefix"])'",
      in: scratch.url)
  }

  private func files(in scratch: TemporaryFolder) throws -> Set<String> {
    let all = FileManager.default.subpaths(atPath: scratch["a prefix"]) ?? []
    return Set(
      all.filter {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(
          atPath: scratch["a prefix"] + "/" + $0, isDirectory: &isFolder)
        return isThere && !isFolder.boolValue
      })
  }

  @Test func filesAreInstalledAndUninstalled() throws {
    let scratch = try TemporaryFolder()
    for _ in 0..<2 {
      let outcome = try install("", in: scratch)
      #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    }
    let pages = CairnTool.names.map { "share/man/man1/cairn-\($0).1" }
    #expect(
      try files(in: scratch)
        == Set(
          pages + [
            "bin/cairn", "share/man/man1/cairn.1", "share/bash-completion/completions/cairn",
            "share/zsh/site-functions/_cairn", "share/fish/vendor_completions.d/cairn.fish",
          ]))
    let version = try Command.shell("'a prefix/bin/cairn' --version", in: scratch.url)
    #expect(version.lines == [CairnTool.version], "\(version.errors)")
    let page = try scratch.text("a prefix/share/man/man1/cairn-query.1")
    #expect(page == (try Command.run("man", "query").output))

    try scratch.file("a prefix/share/man/man1/other.1", "not ours")
    #expect(try install("--remove", in: scratch).code == 0)
    #expect(try files(in: scratch) == ["share/man/man1/other.1"])
    #expect(
      try install("--remove", in: scratch).code == 0, "removing files that do not exist succeeds")
  }
}
