import Cairn
import Testing

/// Writes in the background of a realm of the main actor.
@Suite @MainActor struct MainActorTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "main \(ObjectId.generate())")

  @Test(.timeLimit(.minutes(10))) func addsInTheBackground() async throws {
    let realm = try Realm(configuration: configuration)
    let mutts = realm.objects(Mutt.self)
    var counts: [Int] = []
    await withCheckedContinuation { done in
      realm.writeAsync {
        realm.add(Mutt(value: ["name": "Bruno"]))
      } onComplete: { _ in
        counts.append(mutts.count)
        done.resume()
      }
      counts.append(mutts.count)
    }
    #expect(counts == [0, 1])
  }

  @Test(.timeLimit(.minutes(10))) func writesInTurn() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let name = try await realm.asyncWrite {
      let mutt = Mutt(value: ["name": "Lotte"])
      realm.add(mutt)
      return mutt
    }.name
    #expect(name == "Lotte")
  }
}
