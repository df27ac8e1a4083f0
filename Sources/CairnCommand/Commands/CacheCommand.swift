import ArgumentParser

/// `cairn cache [clear] [--json]`
struct CacheCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "cache",
      abstract: "List or remove the stores that are kept of files of data.",
      discussion: """
        A file of a megabyte or more that is asked twice within a day is kept as a
        store until it changes, and so is one that a command needs as a whole.
        Those that were not used for the longest time are removed when all take as
        much space as they leave free, or 16 GiB.

        The folder is cairn in $XDG_CACHE_HOME or ~/.cache; CAIRN_CACHE names another
        one, or none if it is empty: then files are read each time.

        EXAMPLES:
          cairn cache
          cairn cache clear
        """)
  }

  @Argument(help: "list, the default, or clear, which removes all.")
  var action: CacheAction = .list

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if json, action == .clear { throw ValidationError("--json applies only to the list") }
  }

  func run() throws {
    guard let cache = StoreCache.ofUser else {
      throw Failure(.noInput, message: "CAIRN_CACHE is empty, so no stores are kept")
    }
    switch action {
    case .list:
      let listing = CacheListing(cache)
      try OutputTarget.print(json ? listing.json : listing.text)
    case .clear: Console.printMessage(cache.clear(of: cache.entries))
    }
  }
}

/// The action of `cache`.
enum CacheAction: String, WordArgument {
  case list
  case clear
}

extension StoreCache {
  /// Removes stores, and says what became of them.
  fileprivate func clear(of entries: [Entry]) -> String {
    let removed = entries.filter(remove)
    removeRemains()
    removeNotes(olderThan: 0)
    let bytes = removed.reduce(0) { $0 + $1.bytes }
    let left = entries.count - removed.count
    return "\(Quantity.counted(removed.count, noun: "store")) removed, \(Quantity.bytes(bytes))"
      + (left > 0 ? "; \(Quantity.counted(left, noun: "store")) in use" : "")
  }
}
