import Cairn
import CairnModelTestSupport
import CairnSystem
import CairnTestSupport
import Foundation
import Observation

/// Errors with trackings of Swift's observation.
let observationCases: [Case] =
  [
    Case("tracking: a write from a report") {
      let train = Train()
      let file = try TemporaryRealm(train)
      let realm = UncheckedTransfer(file.realm)
      withObservationTracking {
        _ = train.length
      } onChange: {
        realm.value.beginWrite()
      }
      let configuration = file.realm.configuration
      try onNewThreadAndWait {
        let other = try Realm(configuration: configuration)
        try other.write { other.object(ofType: Train.self, forPrimaryKey: 0)?.length = 7 }
      }
      file.realm.refresh()
    },
    Case("tracking: on another thread") { try readOnAnotherThread(isTracked: true) },
    Case("plain: read on another thread") {
      setenv("CAIRN_PLAIN", "1", 1)
      try readOnAnotherThread(isTracked: false)
    },
    Case("plain: tracked on another thread") {
      setenv("CAIRN_PLAIN", "1", 1)
      try readOnAnotherThread(isTracked: true)
    },
  ]
  + ["set", "commit", "cancel", "invalidate"].map { change in
    Case("tracking: \(change) from a report within a write") {
      let file = try TemporaryRealm(Train())
      let realm = UncheckedTransfer(file.realm)
      let train = UncheckedTransfer(file.realm.objects(Train.self)[0])
      file.realm.beginWrite()
      withObservationTracking {
        _ = train.value.length
      } onChange: {
        switch change {
        case "set": train.value.name = "x"
        case "commit": try? realm.value.commitWrite()
        case "cancel": realm.value.cancelWrite()
        default: realm.value.invalidate()
        }
      }
      train.value.length = 7
    }
  }

/// Reads a value on another thread that its own thread has read before.
private func readOnAnotherThread(isTracked: Bool) throws {
  let file = try TemporaryRealm(Train())
  let train = UncheckedTransfer(file.realm.objects(Train.self)[0])
  _ = train.value.length
  Threads.startJoinable {
    if isTracked {
      withObservationTracking {
        _ = train.value.length
      } onChange: {
      }
    } else {
      _ = train.value.length
    }
  }.join()
}
