import ArgumentParser

/// Whether a store is believed.
struct CheckingOptions: ParsableArguments {
  @Flag(help: "Check everything in the store first, as 'cairn verify' does: it may be damaged.")
  var untrusted = false
}
