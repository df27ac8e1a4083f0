#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Which file it is, whatever path led to it.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  init?(path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    self.init(info)
  }

  init?(descriptor: Int32) {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return nil }
    self.init(info)
  }

  private init(_ info: stat) {
    self.init(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
  }
}

/// The environments that the process has open, by file.
final class EnvironmentRegistry: @unchecked Sendable {
  // Sendable: `open` is only touched while `lock` is held.
  static let shared = EnvironmentRegistry()

  private struct Entry {
    let environment: Environment
    var users: Int
  }

  private let lock = Lock()
  private var open: [FileIdentity: Entry] = [:]
  /// Files that are being replaced.
  private var reserved: Set<String> = []
  /// The environments of stores in memory, by their names.
  private var inMemory: [String: Environment] = [:]

  /// The environment of the file, opened if it is not yet. One that was opened for reading does not serve a writer.
  fileprivate func acquire(path: String, readOnly: Bool) throws(StoreError) -> Environment {
    lock.lock()
    defer { lock.unlock() }
    let identity = FileIdentity(path: path)
    if let identity, let known = open[identity] {
      guard readOnly || !known.environment.isReadOnly else {
        throw StoreError(
          .locked, "\(path) is open for reading only in this process; close it first to write")
      }
      open[identity]?.users += 1
      return known.environment
    }
    let realPath = resolvedPath(path)
    guard !reserved.contains(realPath) else {
      throw StoreError(.locked, "\(path) is being compacted in this process; open it afterwards")
    }
    guard !open.values.contains(where: { $0.environment.realPath == realPath }) else {
      throw StoreError(
        .locked, "\(path) was replaced while this process has the old file open; close that first")
    }
    let environment = try Environment(path: path, readOnly: readOnly, identity: identity)
    open[environment.identity] = Entry(environment: environment, users: 1)
    return environment
  }

  /// Keeps everyone in the process from opening a file.
  ///
  /// - Throws: that somebody has it open.
  func reserve(_ realPath: String, _ path: String) throws(StoreError) {
    lock.lock()
    defer { lock.unlock() }
    let isOpen = open.values.contains { $0.environment.realPath == realPath }
    guard !isOpen, !reserved.contains(realPath) else {
      throw StoreError(.inUse, "\(path) is open in this process; close it first")
    }
    reserved.insert(realPath)
  }

  func unreserve(_ realPath: String) { _ = lock.withLock { reserved.remove(realPath) } }

  /// The environment of a store in memory, made if nobody has it: a file that has lost its name as soon as it is open.
  fileprivate func acquire(inMemory identifier: String) throws(StoreError) -> Environment {
    lock.lock()
    defer { lock.unlock() }
    if let known = inMemory[identifier] {
      open[known.identity]?.users += 1
      return known
    }
    let path = try temporaryFile()
    defer {
      unlink(path)
      unlink(path + "-lock")
    }
    let environment = try Environment(
      path: path, readOnly: false, identity: nil, isLasting: false)
    open[environment.identity] = Entry(environment: environment, users: 1)
    inMemory[identifier] = environment
    return environment
  }

  /// Closes the environment with its last user; under the lock, so that nobody opens the file meanwhile.
  fileprivate func release(_ environment: Environment) {
    lock.lock()
    defer { lock.unlock() }
    let users = (open[environment.identity]?.users ?? 1) - 1
    if users == 0 {
      open[environment.identity] = nil
      if let name = inMemory.first(where: { $0.value === environment })?.key {
        inMemory[name] = nil
      }
      environment.close()
    } else {
      open[environment.identity]?.users = users
    }
  }
}

/// One user's hold on an environment: stores and snapshots keep one each.
final class EnvironmentHandle: Sendable {
  let environment: Environment

  init(path: String, readOnly: Bool) throws(StoreError) {
    environment = try EnvironmentRegistry.shared.acquire(path: path, readOnly: readOnly)
  }

  init(inMemory identifier: String) throws(StoreError) {
    environment = try EnvironmentRegistry.shared.acquire(inMemory: identifier)
  }

  /// A hold on an environment that nobody else knows.
  init(owning environment: Environment) { self.environment = environment }

  /// A file that nobody else can have open, to be read.
  convenience init(alone path: String) throws(StoreError) {
    self.init(owning: try Environment(path: path, readOnly: true, identity: nil, locks: false))
  }

  deinit { EnvironmentRegistry.shared.release(environment) }
}
