import CairnTestSupport
import Foundation
import Testing

@testable import CairnGDAL
@testable import CairnIO

/// Processes that end in other ways than with a complete file.
@Suite struct LayerOutputProcessTests {
  /// Returns the error of an output that a script should write, and the names in its folder.
  private func error(of script: String) throws -> (OutputError, [String]) {
    let programs = try TemporaryFolder()
    // A shell writes the program: a process that another test starts would keep a file that is open
    // here open for writing, so that it could not be executed.
    let text = try programs.write(Array("#!/bin/sh\n\(script)\n".utf8), as: "text")
    let program = programs["writer"]
    let copy = Process()
    copy.executableURL = URL(fileURLWithPath: "/bin/sh")
    copy.arguments = ["-c", "cp '\(text)' '\(program)' && chmod 755 '\(program)'"]
    try copy.run()
    copy.waitUntilExit()
    let folder = try TemporaryFolder()
    let error = #expect(throws: OutputError.self) {
      signal(SIGPIPE, SIG_IGN)
      let output = try LayerOutput(folder["a.gpkg"], format: .gpkg, executable: program)
      let sink = OutputSink(output)
      for _ in 0..<100 {
        sink.append(String(repeating: "x", count: 100_000))
        try sink.flush()
      }
      _ = try output.finish()
    }
    return (try #require(error), try folder.names())
  }

  @Test(arguments: [
    ("exit 3", "GDAL crashed while it wrote the file (exit code 3)"),
    ("kill -SEGV $$", "(signal 11)"), ("kill -KILL $$", "(signal 9)"),
    (#"echo part > "$3"; mkdir "$3.d"; echo x > "$3.d/y"; kill -ABRT $$"#, "(signal 6)"),
    ("cat > /dev/null & exit 0", "(exit code 0)"),
    ("printf 'not a message at all'", "GDAL answered nonsense"),
    ("printf '\\004\\0\\0\\0\\0\\0\\0\\0\\377\\377\\0\\0\\0\\0\\0\\0'", "GDAL answered nonsense"),
  ])
  func aBrokenProcessIsAnError(script: String, part: String) throws {
    let (error, names) = try error(of: script)
    guard case .file(.output, let message) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(message.contains("a.gpkg: ") && message.contains(part), "\(message)")
    #expect(names == [])
  }

  @Test func theReasonOfTheProcessIsTheMessage() throws {
    for (code, problem) in [(0, OutputProblem.data), (1, .library), (2, .output)] {
      let (error, names) = try error(
        of:
          "printf '\\005\\0\\0\\0\\0\\0\\0\\0\\010\\0\\0\\0\\0\\0\\0\\0\\00\(code)\\003\\0\\0\\0bad'"
      )
      guard case .file(let found, let message) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(found == problem && message.hasSuffix("a.gpkg: bad"))
      #expect(names == [])
    }
  }

  @Test func aMissingProgramIsAnError() throws {
    let folder = try TemporaryFolder()
    #expect(throws: OutputError.self) {
      try LayerOutput(folder["a.fgb"], format: .fgb, executable: nil)
    }
    #expect(throws: OutputError.self) {
      try LayerOutput(folder["a.fgb"], format: .fgb, executable: folder["nothing"])
    }
    #expect(try folder.names() == [])
  }

  @Test func namesAreShortAndDifferent() {
    var names = LayerNames(.shp)
    for name in ["population_1", "population_2", "POPULATION", "ä", "Straßenname", "fünfzigste"] {
      names.add(name)
    }
    #expect(
      names.names == ["population", "populati_2", "POPULATI_3", "ä", "Straßenna", "fünfzigst"])
    #expect(names.note?.contains("`population_1` as `population`") == true)
    var wide = LayerNames(.gpkg)
    for name in ["a", "A", "a_2"] { wide.add(name) }
    #expect(wide.names == ["a", "A_2", "a_2_2"])
    var kept = LayerNames(.fgb)
    for name in ["a", "A"] { kept.add(name) }
    #expect(kept.names == ["a", "A"] && kept.note == nil)
  }

  @Test func aTargetIsReadAsItWasWritten() throws {
    var schema = LayerSchema(name: "")
    schema.columns = [.init(name: "n", type: .double), .init(name: "g", type: .geometry)]
    schema.system = "EPSG:4326"
    schema.geometryType = Int32.min | 3
    let target = LayerTarget(schema: schema, singles: [true, false])
    let message = LayerMessage()
    target.append(to: message)
    let bytes = Array(message.sealed(as: .schema).dropFirst(LayerMessageHeader.size))
    func read(_ bytes: [UInt8]) throws -> LayerTarget {
      try LayerMessageReader.read(bytes) { (bytes) throws(LayerMessageReader.Damage) in
        try LayerTarget(bytes)
      }
    }
    #expect(try read(bytes) == target)
    for count in bytes.indices {
      #expect(throws: LayerMessageReader.Damage.self) { try read(Array(bytes.prefix(count))) }
    }
  }
}
