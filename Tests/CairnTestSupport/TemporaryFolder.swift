import Foundation

/// A temporary folder, which is deleted with this object.
public final class TemporaryFolder: Sendable {
  /// The folder.
  public let url: URL

  /// The path of the folder.
  public var path: String { url.path }

  /// Creates an empty folder.
  ///
  /// - Parameter inMemory: whether the folder is in a file system in memory, if there is one, for
  ///   tests that commit often and are not about the disk.
  public init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let base =
      inMemory && FileManager.default.isWritableFile(atPath: memory)
      ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    url = base.appendingPathComponent("cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  public subscript(name: String) -> String { url.appendingPathComponent(name).path }

  /// Returns the path of a file in the folder.
  public func file(_ name: String = "test.cairn") -> String { self[name] }

  /// Writes a file and returns its URL.
  @discardableResult
  public func file(_ name: String, _ text: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file
  }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return self[name]
  }

  /// Writes a shell script that can be run, and returns its path.
  ///
  /// Another process makes the file. If this one did, a child that another thread starts meanwhile
  /// could have it open for writing, and then nobody can run it.
  public func script(_ text: String, as name: String) throws -> String {
    let draft = try write(Array("#!/bin/sh\n\(text)\n".utf8), as: name + ".draft")
    let copy = try Command.shell("cp '\(draft)' '\(self[name])' && chmod 755 '\(self[name])'")
    guard copy.code == 0 else { throw Command.Failure(description: copy.errors) }
    try FileManager.default.removeItem(atPath: draft)
    return self[name]
  }

  /// Returns the content of a file as text.
  public func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }

  /// Returns whether a file exists in the folder.
  public func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self[name]) }

  /// Returns the sorted names of the files in the folder.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
