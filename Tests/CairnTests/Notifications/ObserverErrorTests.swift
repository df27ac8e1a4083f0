import CairnTestSupport
import Testing

/// Realm's error messages for observers where they are not possible.
@Suite(.tags(.threads)) struct ObserverErrorTests {
  private func expect(
    _ name: String, says sentence: String, at place: SourceLocation = #_sourceLocation
  ) {
    let text = Misuse.trap(name, sourceLocation: place)
    #expect(text.contains(sentence), "\(text)", sourceLocation: place)
  }

  @Test func inAWriteTransaction() {
    expect(
      "observer: in a transaction",
      says: "Cannot register notification blocks from within write transactions.")
  }

  @Test func onAThreadWithoutARunLoop() {
    expect(
      "observer: on a thread without a run loop",
      says: "Can only observe where changes can be delivered")
  }

  @Test func unmanagedObjects() {
    expect(
      "observer: of an object outside of a realm",
      says: "Only objects which are managed by a Realm support change notifications")
  }

  @Test func frozenObjects() {
    expect(
      "observer: of frozen objects",
      says: "Frozen Realms do not change and do not have change notifications.")
  }

  @Test func invalidKeyPaths() {
    expect("observer: of a missing property", says: "has no property 'fur'")
  }

  @Test func tokensOfAnotherRealm() {
    expect(
      "observer: the token of another realm",
      says: "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
  }

  @Test func deletedObjects() {
    expect("observer: reading a deleted object", says: "Object has been deleted or invalidated.")
  }
}
