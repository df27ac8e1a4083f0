import CairnIO
import CairnValues

/// The output of `cache`: the stores that are kept of files of data.
struct CacheListing {
  private let folder: String
  private let entries: [StoreCache.Entry]

  init(_ cache: StoreCache) {
    folder = cache.folder
    entries = cache.entries
  }

  /// A line for each store, and one for all of them.
  var text: String {
    let sizes = entries.map { Quantity.bytes($0.bytes) }
    let width = sizes.map(\.count).max() ?? 0
    let lines = zip(entries, sizes).map { entry, size in
      String(repeating: " ", count: width - size.count) + "\(size)  \(entry.source)\n"
    }
    let total = Quantity.bytes(entries.reduce(0) { $0 + $1.bytes })
    return PrintableText.escaped(
      lines.joined()
        + "\(Quantity.counted(entries.count, noun: "store")), \(total), in \(folder)\n",
      keeping: ["\n"])
  }

  /// The listing as one JSON object.
  var json: String {
    JSONBuilder.object([
      "folder": JSONBuilder.string(folder),
      "stores": JSONBuilder.array(
        entries.map { entry in
          JSONBuilder.object([
            "file": JSONBuilder.string(entry.source), "path": JSONBuilder.string(entry.path),
            "bytes": "\(entry.bytes)",
          ])
        }),
    ]) + "\n"
  }
}
