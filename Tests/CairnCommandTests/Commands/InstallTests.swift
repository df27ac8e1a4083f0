import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// The files that `make install` installs and `make uninstall` removes.
@Suite struct InstallTests {
  /// Installs the command from a folder of its own, because a server beside it is installed too.
  private func install(_ options: String, in scratch: TemporaryFolder) throws -> Command.Outcome {
    let script = Repository.root.appendingPathComponent("tools/install").path
    return try Command.shell(
      """
      mkdir -p built && ln -sf '\(Command.executable.path)' built/cairn
      CAIRN=built/cairn '\(script)' \(options) '\(scratch["a prefix"])'
      """, in: scratch.url)
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

  @Test(arguments: [false, true]) func filesAreInstalledAndUninstalled(
    withServer: Bool
  ) throws {
    let scratch = try TemporaryFolder()
    if withServer {
      // Any program will do.
      _ = try Command.shell(
        "mkdir built && ln -s '\(Command.executable.path)' built/cairn-server", in: scratch.url)
    }
    for _ in 0..<2 {
      let outcome = try install("", in: scratch)
      #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    }
    let pages = CairnTool.names.map { "share/man/man1/cairn-\($0).1" }
    #expect(
      try files(in: scratch)
        == Set(
          pages + (withServer ? ["bin/cairn-server"] : []) + [
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

  @Test func thePathIsNamed() throws {
    let scratch = try TemporaryFolder()
    let installed = try install("", in: scratch).errors
    #expect(installed.contains("Installed \(scratch["a prefix"])/bin/cairn\n"))
    #expect(installed.contains("not on the PATH yet"), "\(installed)")
    let script = Repository.root.appendingPathComponent("tools/install").path
    let missing = try Command.shell("CAIRN=none '\(script)' prefix", in: scratch.url)
    #expect(missing.code == 1 && missing.errors.contains("run 'make build' first"))
    #expect(!FileManager.default.fileExists(atPath: scratch["prefix"]))
  }

  /// A command that was built is installed without Swift, and the tilde of a prefix is expanded by
  /// make if the shell does not.
  @Test func makeInstallsWhatWasBuilt() throws {
    let root = Repository.root.path
    let outcome = try Command.shell(
      "HOME=/home/me make -s -n -C '\(root)' -o .build/release/cairn install PREFIX='~/.local'")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines == ["tools/install \"/home/me/.local\""])
  }

  @Test func aPackageNeedsACommand() throws {
    let scratch = try TemporaryFolder()
    let script = Repository.root.appendingPathComponent("tools/package").path
    let missing = try Command.shell("CAIRN=none '\(script)' .", in: scratch.url)
    #expect(missing.code == 1 && missing.errors.contains("run 'make build' first"))
  }

  @Test(.enabled(if: Tool.isInstalled("dpkg-deb"), "dpkg-deb is not installed"))
  func aPackageHasTheRuntimeLinkedIn() throws {
    let scratch = try TemporaryFolder()
    let script = Repository.root.appendingPathComponent("tools/package").path
    let dynamic = try Command.shell(
      "CAIRN='\(Command.built.path)' '\(script)' .", in: scratch.url)
    #expect(dynamic.code == 1 && dynamic.errors.contains("needs a Swift runtime"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
  }

  /// Runs `tools/setup` with only these programs, and perhaps a `swift`, on the PATH.
  private func setup(
    swift: String?, environment: String = "", in scratch: TemporaryFolder
  ) throws -> Command.Outcome {
    let programs = scratch.url.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    for name in ["sh", "sed", "head", "dirname", "readlink", "sort", "id", "ldd"] {
      let program = try #require(Tool.find(name), "\(name)")
      try FileManager.default.createSymbolicLink(
        atPath: programs.appendingPathComponent(name).path, withDestinationPath: program.path)
    }
    if let swift {
      _ = try scratch.script(swift, as: "bin/swift")
    }
    let script = Repository.root.appendingPathComponent("tools/setup").path
    return try Command.shell("\(environment) PATH='\(programs.path)' '\(script)'")
  }

  @Test func setupTellsAMissingToolchainFromABrokenOne() throws {
    let missing = try setup(swift: nil, in: TemporaryFolder())
    #expect(missing.code == 1 && missing.errors.contains("'swift' is not on the PATH"))
    #expect(missing.errors.contains("swift.org/install"))
    let sudo = try setup(swift: nil, environment: "SUDO_USER=me", in: TemporaryFolder())
    #expect(sudo.code == 1 && sudo.errors.contains("then 'sudo make install'"), "\(sudo.errors)")
    let broken = try setup(
      swift: "echo 'swift: error while loading shared libraries: libncurses.so.6' >&2; exit 127",
      in: TemporaryFolder())
    #expect(broken.code == 1 && broken.errors.contains("but it does not start"))
    #expect(broken.errors.contains("libncurses.so.6"), "\(broken.errors)")
    let old = try setup(swift: "echo 'Swift version 6.1.3 (swift)'", in: TemporaryFolder())
    #expect(old.code == 1 && old.errors.contains("is Swift 6.1"), "\(old.errors)")
    let good = try setup(swift: "echo 'Swift version 6.3.1 (swift)'", in: TemporaryFolder())
    #expect(good.code == 0 || good.errors.contains("neither apt nor brew"), "\(good.errors)")
  }

  @Test func theDemoKeepsItsStore() throws {
    let scratch = try TemporaryFolder()
    let script = Repository.root.appendingPathComponent("tools/demo").path
    for _ in 0..<2 {
      let outcome = try Command.shell(
        "CAIRN='\(Command.built.path)' '\(script)' .", in: scratch.url)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("altitude  double?"), "the whole schema")
      #expect(outcome.output.contains("Carindale          15418    8180.8"))
      #expect(outcome.output.contains("\"time\":\"2018-02-"))
      #expect(outcome.output.contains("Go on with"))
    }
    #expect(try Command.lines("count", scratch["demo.cairn"], "cities") == ["34024"])
  }
}
