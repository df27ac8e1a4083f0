import CairnServer
import CairnSystem

#if Server
import ArgumentParser
#endif

/// `cairn-server STORE`
@main
enum Main {
  #if Server
  static func main() async {
    ServerProcess.start()
    guard #available(macOS 14, *) else {
      Console.printError("the server needs macOS 14 or later")
      exit(1)
    }
    await ServerCommand.main(nil)
  }
  #else
  // Without the trait `Server`, Swift does not fetch Hummingbird, and this program has no transport.
  static func main() {
    Console.printError(
      "this cairn-server was built without a server; 'make server' builds it whole")
    exit(1)
  }
  #endif
}
