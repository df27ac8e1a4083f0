import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that writes to its standard streams and reads from them all the time, whether they are open or not, while it
/// uses a store.
enum Mutter {
  static func run(_ path: String, _ className: String) throws {
    mutter()
    for turn in 0..<3 {
      let store = try Store.open(path, .readWrite)
      mutter()
      try store.write { transaction in
        mutter()
        guard let table = transaction.table(className) else { return }
        try table.delete(table.table.endKey - 1 - turn)
        mutter()
      }
      mutter()
      try store.snapshot().copy(to: path + ".copy")
      mutter()
      unlink(path + ".copy")
    }
    mutter()
    _ = try Store.compact(path)
    mutter()
  }

  private static func mutter() {
    let words = Array("a program that was started with closed streams\n".utf8)
    var bytes = [UInt8](repeating: 0, count: 64)
    for stream in 0..<3 as Range<Int32> {
      _ = write(stream, words, words.count)
      _ = read(stream, &bytes, bytes.count)
    }
  }
}
