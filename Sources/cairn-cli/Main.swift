import CairnCommand

@main
enum Main {
  static func main() { Shell.main() }
}
