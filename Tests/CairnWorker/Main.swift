import CairnStorage
import CairnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that uses a store, for the tests to kill and to let the disk fail under:
///
///     cairn-worker update|delete STORE CLASS
///     cairn-worker groups STORE THREADS EACH
///     cairn-worker mutter STORE CLASS
@main
enum Main {
  static func main() {
    // Who is never answered is a failure, and no test that hangs.
    alarm(120)
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch words.first {
      case "update": try Edit(words[1], words[2]).update()
      case "delete": try Edit(words[1], words[2]).delete()
      case "groups": try Groups(words[1]).run(threads: Int(words[2]) ?? 1, each: Int(words[3]) ?? 1)
      case "mutter": try Mutter.run(words[1], words[2])
      default: exit(64)
      }
    } catch {
      let message = Array("Error: \(error)\n".utf8)
      _ = write(STDERR_FILENO, message, message.count)
      exit(74)
    }
  }
}
