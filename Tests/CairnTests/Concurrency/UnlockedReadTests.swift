import Cairn
import CairnTestSupport
import Foundation
import Testing

/// A realm of a process that may not write the lock file.
@Suite(.tags(.threads)) struct UnlockedReadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Root may write anything, so a child process without privileges reads, while this one writes.
  @Test(.enabled(if: geteuid() == 0, "the tests do not run as root"))
  func commitsOfOthersAreNoticed() async throws {
    let path = folder.file("otters.cairn")
    let configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
    try Realm(configuration: configuration).write(id: 1)
    for (file, permissions) in [(folder.path, 0o777), (path, 0o444), (path + "-lock", 0o600)] {
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file)
    }
    // A thread of its own: exit tests block the threads that tasks share.
    let (isReading, end) = AsyncStream<Void>.makeStream()
    Thread.detachNewThread {
      defer { end.finish() }
      for turn in 1...3 {
        do {
          try eventually("the reader has come to turn \(turn)") {
            FileManager.default.fileExists(atPath: "\(path)-read\(turn)")
          }
          for number in 0..<3 {
            try Realm(configuration: configuration).write(id: 10 * turn + number)
          }
        } catch { Issue.record(error) }
        _ = FileManager.default.createFile(atPath: "\(path)-written\(turn)", contents: nil)
      }
    }
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [path = path as String] in
      guard seteuid(65534) == 0 else { exit(1) }
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), readOnly: true)
      let realm = try Realm(configuration: configuration)
      let otters = realm.objects(Otter.self)
      func waitForCommits(_ turn: Int) throws {
        _ = FileManager.default.createFile(atPath: "\(path)-read\(turn)", contents: nil)
        try eventually("the commits of turn \(turn) are there") {
          FileManager.default.fileExists(atPath: "\(path)-written\(turn)")
        }
      }
      func expectFault() {
        let error = #expect(throws: Realm.Error.self) { try realm.checkReads() }
        #expect(error?.code == .fileAccess)
        #expect(error?.localizedDescription.contains("without its lock file") == true)
      }

      #expect(otters.count == 1)
      try realm.checkReads()
      let frozen = realm.freeze()
      try waitForCommits(1)
      // The realm still reads the snapshot whose pages may be in use again.
      expectFault()
      expectFault()
      #expect(throws: Realm.Error.self) { try frozen.checkReads() }
      realm.refresh()
      #expect(otters.count == 4)
      try realm.checkReads()
      try waitForCommits(2)
      // The realm has left that snapshot.
      realm.refresh()
      expectFault()
      #expect(otters.count == 7)
      try realm.checkReads()
      try waitForCommits(3)
      realm.invalidate()
      expectFault()
      #expect(realm.objects(Otter.self).count == 10)
      try realm.checkReads()
    }
    // Lets the thread end if the reader has failed.
    for turn in 1...3 {
      _ = FileManager.default.createFile(atPath: "\(path)-read\(turn)", contents: nil)
    }
    for await _ in isReading {}
    let text = result.text
    #expect(text.contains("without its lock file, which cannot be written"), "\(text)")
  }

  @Test func theLockFileProtectsReads() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: "kept \(ObjectId.generate())")
    let realm = try Realm(configuration: configuration)
    let frozen = realm.freeze()
    for id in 0..<4 { try realm.write(id: id) }
    try realm.checkReads()
    try frozen.checkReads()
  }
}

extension Realm {
  /// Adds one otter.
  fileprivate func write(id: Int) throws {
    try write { add(Otter(value: ["id": id])) }
  }
}
