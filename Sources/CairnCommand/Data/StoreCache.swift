import CairnStorage
import CairnSystem

/// A folder of stores that hold what was read from files of data, so that further commands need not read the
/// files again.
///
/// A store gets its name when it is complete, and is not changed afterwards. Those that were not used for
/// the longest time are removed when the folder grows beyond its limit.
struct StoreCache {
  /// The path of the folder.
  let folder: String
  /// The most bytes of all stores, as long as that is not too much for the disk.
  var mostBytes = 16 << 30

  /// The folder of this user: `CAIRN_CACHE`, or `cairn` in the folder that the system has for such files.
  /// Nil if `CAIRN_CACHE` is empty, or if the system has none.
  static var ofUser: StoreCache? {
    if let folder = System.environment("CAIRN_CACHE") {
      return folder.isEmpty ? nil : StoreCache(folder: folder)
    }
    if let folder = System.environment("XDG_CACHE_HOME"), folder.hasPrefix("/") {
      return StoreCache(folder: "\(folder)/cairn")
    }
    guard let home = System.environment("HOME"), home.hasPrefix("/") else { return nil }
    #if canImport(Darwin)
    return StoreCache(folder: "\(home)/Library/Caches/cairn")
    #else
    return StoreCache(folder: "\(home)/.cache/cairn")
    #endif
  }

  /// A store of the folder.
  struct Entry {
    /// The name of the file that it was read from.
    let source: String
    let path: String
    let bytes: Int
    /// The time of its last use, in seconds since 1970.
    let lastUsed: Int
  }

  // MARK: Stores

  private static let ending = ".cairn"
  /// The beginning of the names of stores that are being made.
  private static let unfinished = ".unfinished-"

  /// The path of a store for a file.
  ///
  /// - Parameter digest: Digits that differ for other files and other states of them.
  func path(for source: String, digest: String) -> String {
    let name = source.split(separator: "/").last ?? "files"
    // The name and the digits together are no longer than a name of a file may be.
    let start = String(decoding: name.utf8.prefix(Self.longestName), as: UTF8.self)
    return "\(folder)/\(start)-\(digest)\(Self.ending)"
  }

  private static let longestName = 100

  /// Opens the store of a path; nil if it does not exist or is damaged.
  func open(_ path: String) -> Store? {
    guard let store = try? Store.open(path, mode: .readOnly) else {
      // A damaged store is made again.
      if System.exists(path) { _ = try? Store.remove(path) }
      return nil
    }
    CrashGuard.watch(path)
    // The time of the last change is that of the last use.
    utimes(path, nil)
    return store
  }

  /// Makes a store, and opens it. Another process may make the same one meanwhile.
  ///
  /// - Parameters:
  ///   - isWanted: Whether the store may get its name, once it is filled.
  ///   - fill: Fills the store.
  /// - Returns: Nil if the folder cannot be written, or if the store was removed meanwhile.
  func make(
    _ path: String, if isWanted: () -> Bool, fill: (Store) throws -> Void
  ) throws -> Store? {
    guard prepareFolder(), freeBytes(folder) ?? .max >= Self.leastFree,
      let temporary = TemporaryFiles.createFolder(prefix: "\(folder)/\(Self.unfinished)")
    else { return nil }
    let file = "\(temporary)/store.cairn"
    let names = [file, file + "-lock", temporary]
    for name in names { TemporaryFiles.note(name) }
    defer {
      for name in names.dropLast() { System.remove(name) }
      System.removeFolder(temporary)
      for name in names { TemporaryFiles.forget(name) }
    }
    do {
      let store = try Store.open(file, mode: .create)
      try fill(store)
      let size = System.size(of: file) ?? 0
      guard isWanted(), size <= limit(besides: size) else { return store }
      makeRoom(for: size)
    }
    // Nobody has the store open now, so that it may get another name, or be removed by another process.
    if Self.name(file, path), let store = open(path) { return store }
    return try? Store.open(file, mode: .readOnly)
  }

  /// The fewest free bytes with which a store is begun. In a full memory file system, LMDB's lock file would
  /// end the process.
  private static let leastFree: UInt64 = 16 << 20

  /// Gives a file its name, unless another process has given it to an equal one, which others may have
  /// open already.
  private static func name(_ file: String, _ path: String) -> Bool {
    guard link(file, path) == 0 else {
      // Some file systems know no second names.
      return errno == EEXIST || rename(file, path) == 0
    }
    System.remove(file)
    return true
  }

  private func prepareFolder() -> Bool {
    if isFolder(folder) { return true }
    let parent = CairnSystem.folder(of: folder)
    if !isFolder(parent) { mkdir(parent, 0o700) }
    return mkdir(folder, 0o700) == 0 || errno == EEXIST
  }

  // MARK: Questions

  /// The ending of a note that a file was asked while no store of it was kept.
  private static let noteEnding = ".asked"
  /// Seconds for which a question is remembered: a day.
  private static let memory = 24 * 60 * 60

  /// Notes a question to the file of a store that is not kept.
  ///
  /// - Returns: Whether another question was noted within the last day.
  func noteQuestion(to path: String) -> Bool {
    removeRemains()
    removeNotes(olderThan: Self.memory)
    guard prepareFolder() else { return false }
    let file = openFile(
      Self.note(for: path), flags: O_CREAT | O_EXCL | O_WRONLY, mode: 0o600)
    guard file >= 0 else { return errno == EEXIST }
    close(file)
    return false
  }

  /// Forgets the question to the file of a store.
  func forgetQuestion(to path: String) { System.remove(Self.note(for: path)) }

  private static func note(for path: String) -> String {
    path.dropLast(ending.count) + noteEnding
  }

  /// Forgets questions.
  ///
  /// - Parameter age: The seconds after which a question is forgotten.
  func removeNotes(olderThan age: Int) {
    for name in names(inFolder: folder) where name.hasSuffix(Self.noteEnding) {
      let path = "\(folder)/\(name)"
      var info = stat()
      guard Self.source(of: name, ending: Self.noteEnding) != nil, stat(path, &info) == 0,
        time(nil) - info.contentTime >= age
      else { continue }
      System.remove(path)
    }
  }

  // MARK: Size

  /// The part of the free space that they may take.
  private static let share = 2

  /// The most bytes that the folder may hold.
  ///
  /// - Parameter size: The bytes of a store that is there already, beside the complete ones.
  private func limit(besides size: Int) -> Int {
    let held = entries.reduce(size) { $0 + $1.bytes }
    let free = freeBytes(folder).map { Int(clamping: $0) } ?? 0
    return min(mostBytes, (held + free) / Self.share)
  }

  /// Removes the stores that were not used for the longest time, until another one fits.
  private func makeRoom(for size: Int) {
    removeRemains()
    let limit = limit(besides: size)
    var held = entries.reduce(size) { $0 + $1.bytes }
    for entry in entries.sorted(by: { $0.lastUsed < $1.lastUsed }) where held > limit {
      if remove(entry) { held -= entry.bytes }
    }
  }

  /// The complete stores, in the order of their names.
  var entries: [Entry] {
    names(inFolder: folder).compactMap { name in
      guard let source = Self.source(of: name, ending: Self.ending) else { return nil }
      let path = "\(folder)/\(name)"
      var info = stat()
      guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
      return Entry(
        source: source, path: path, bytes: Int(info.st_size),
        lastUsed: info.contentTime)
    }
  }

  /// The name of the file that a name in the folder belongs to. Nil for what somebody else keeps there.
  private static func source(of name: String, ending: String) -> String? {
    guard name.hasSuffix(ending), let dash = name.lastIndex(of: "-") else { return nil }
    let digest = name[dash...].dropFirst().dropLast(ending.count)
    let isOwn = digest.utf8.count == FileIdentity.digestLength && digest.allSatisfy(\.isHexDigit)
    return isOwn ? String(name[..<dash]) : nil
  }

  /// Removes a store, unless a process has it open.
  ///
  /// - Returns: Whether it is gone.
  func remove(_ entry: Entry) -> Bool {
    do { return try Store.remove(entry.path) } catch { return false }
  }

  /// Removes what killed commands left: stores that no process has open.
  func removeRemains() {
    for name in names(inFolder: folder) where name.hasPrefix(Self.unfinished) {
      let path = "\(folder)/\(name)"
      var info = stat()
      // A command that has just begun has not opened its store yet.
      guard stat(path, &info) == 0, time(nil) - info.contentTime >= Self.openingTime,
        (try? Store.remove("\(path)/store.cairn")) != nil
      else { continue }
      System.removeFolder(path)
    }
  }

  /// Seconds within which a command opens the store that it makes.
  private static let openingTime = 10
}

extension stat {
  /// The time when the content last changed, in seconds since 1970.
  fileprivate var contentTime: Int {
    #if canImport(Darwin)
    st_mtimespec.tv_sec
    #else
    st_mtim.tv_sec
    #endif
  }
}
