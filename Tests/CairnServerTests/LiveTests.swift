import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnServer

/// The changes to items as server-sent events.
@Suite(.tags(.threads)) struct LiveTests {
  /// An event as a client receives it.
  struct Event {
    var name = ""
    var id = ""
    var data: [String: Any] = [:]

    var row: Int? { data["row"] as? Int }
  }

  /// A client of a stream.
  final class Client {
    private let stream: ByteStream
    private var text = ""

    init(_ service: Service, _ target: String, since: String? = nil) async throws {
      var headers: Headers = [:]
      headers["Last-Event-ID"] = since
      let response = await service.respond(to: Request(target: target, headers: headers))
      #expect(response.headers["Content-Type"] == "text/event-stream")
      guard case .stream(let stream) = response.body else { throw ServiceError(description: "") }
      self.stream = stream
    }

    /// Waits for the next event.
    func next() async throws -> Event? {
      while true {
        if let end = text.range(of: "\n\n") {
          let lines = text[..<end.lowerBound].split(separator: "\n")
          text.removeSubrange(..<end.upperBound)
          var event = Event()
          for line in lines {
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("data: ") {
              let data = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
              event.data = data as? [String: Any] ?? [:]
            }
          }
          if !event.name.isEmpty { return event }
          continue
        }
        guard let chunk = try await stream.next() else { return nil }
        text += String(decoding: chunk, as: UTF8.self)
      }
    }

    func next(_ count: Int) async throws -> [Event] {
      var events: [Event] = []
      for _ in 0..<count { if let event = try await next() { events.append(event) } }
      return events
    }
  }

  @Test func commitsOfAnyWriterBecomeEvents() async throws {
    let world = try World(rows: 0)
    let client = try await Client(
      world.service, "/collections/notes/live?filter=text%20%3C%3E%20'no'")
    let ready = try #require(try await client.next())
    #expect(ready.name == "ready" && ready.data["cursor"] as? String == ready.id)
    try world.editNotes { notes in _ = try notes.insert([.string("four")]) }
    let enter = try #require(try await client.next())
    #expect(enter.name == "enter" && enter.row == 3 && enter.id != ready.id)
    let feature = enter.data["feature"] as? [String: Any]
    #expect((feature?["properties"] as? [String: Any])?["text"] as? String == "four")
    try world.editNotes { notes in try notes.set(.string("vier"), position: 0, at: 3) }
    let change = try #require(try await client.next())
    #expect(change.name == "change" && change.data["changed"] as? [String] == ["text"])
    try world.editNotes { notes in
      try notes.set(.string("no"), position: 0, at: 3)
      try notes.delete(0)
    }
    let leaves = try await client.next(2)
    #expect(leaves.map(\.name) == ["leave", "leave"] && leaves.map(\.row) == [0, 3])
    #expect(leaves.map { $0.data["deleted"] as? Bool } == [true, false])
    #expect(leaves[0].id == change.id && leaves[1].id != change.id)
  }

  @Test func anInterruptedClientMissesNothing() async throws {
    let world = try World(rows: 50)
    let first = try await Client(world.service, "/collections/places/live")
    let cursor = try #require(try await first.next()).id
    try world.insert(30)
    try world.delete(10)
    let expected = Set(world.places.map(\.key))
    let second = try await Client(world.service, "/collections/places/live", since: cursor)
    let ready = try #require(try await second.next())
    #expect(ready.id == cursor)
    var rows = Set(0..<50)
    var last = ""
    while rows != expected || last == cursor {
      let event = try #require(try await second.next())
      let row = try #require(event.row)
      if event.name == "leave" { rows.remove(row) } else { rows.insert(row) }
      last = event.id
    }
    let third = try await Client(world.service, "/collections/places/live?since=\(last)")
    #expect(try await third.next()?.name == "ready")
    try world.insert(1)
    #expect(try await third.next()?.row == world.places.last?.key)
  }

  /// A client has received a part of a commit when it is interrupted; what it knows by then is put right.
  @Test func aCommitThatWasPartlyReceivedIsPutRight() async throws {
    let world = try World(rows: 0)
    let target = "/collections/notes/live?filter=text%20%3C%3E%20'no'"
    let first = try await Client(world.service, target)
    let cursor = try #require(try await first.next()).id
    try world.editNotes { notes in
      for number in 0..<2000 { _ = try notes.insert([.string("note \(number)")]) }
    }
    let part = try await first.next(10)
    #expect(part.map(\.row) == Array(3..<13) && part.allSatisfy { $0.id == cursor })
    try world.editNotes { notes in
      try notes.delete(5)
      try notes.set(.string("no"), position: 0, at: 7)
      try notes.set(.string("yes"), position: 0, at: 8)
    }
    let second = try await Client(world.service, target, since: cursor)
    #expect(try await second.next()?.name == "ready")
    let leaves = try await second.next(2)
    #expect(leaves.map(\.name) == ["leave", "leave"] && leaves.map(\.row) == [5, 7])
    #expect(leaves.map { $0.data["deleted"] as? Bool } == [true, false])
    let enters = try await second.next(1998)
    let areRight = enters.map(\.row) == (3..<2003).filter { $0 != 5 && $0 != 7 }
    #expect(areRight && enters.allSatisfy { $0.name == "enter" })
    #expect(enters.last?.id != cursor)
  }

  @Test func initialRowsAreThoseOfTheBox() async throws {
    let world = try World(rows: 400)
    let client = try await Client(
      world.service, "/collections/places/live?initial=true&bbox=-90,-45,90,45&properties=name")
    #expect(try await client.next()?.name == "ready")
    let expected = world.places.filter { place in
      place.location.map { abs($0.longitude) <= 90 && abs($0.latitude) <= 45 } ?? true
    }
    let events = try await client.next(expected.count)
    #expect(events.map(\.row) == expected.map(\.key))
    #expect(events.allSatisfy { $0.name == "initial" })
    #expect(events.dropLast().allSatisfy { $0.id == events[0].id })
  }

  @Test func rowsWithoutLocationAndDateThatComeLaterAreReported() async throws {
    let world = try World(rows: 0)
    let client = try await Client(
      world.service, "/collections/places/live?bbox=-1,-1,1,1&datetime=1999-01-01")
    #expect(try await client.next()?.name == "ready")
    try world.insert(600)
    let expected = world.places.filter { place in
      place.founded == nil
        && (place.location.map { abs($0.longitude) <= 1 && abs($0.latitude) <= 1 } ?? true)
    }
    try #require(!expected.isEmpty)
    let events = try await client.next(expected.count)
    #expect(events.allSatisfy { $0.name == "enter" })
    #expect(Set(events.compactMap(\.row)) == Set(expected.map(\.key)))
  }

  @Test func theStreamEndsWithItsClassAndItsTask() async throws {
    let world = try World(rows: 3)
    let client = try await Client(world.service, "/collections/notes/live")
    #expect(try await client.next()?.name == "ready")
    try world.dropNotes()
    #expect(try await client.next(3).map(\.name) == ["leave", "leave", "leave"])
    #expect(try await client.next() == nil)
    let stream = await world.service.respond(to: Request(target: "/collections/places/live"))
    guard case .stream(let bytes) = stream.body else { return }
    let task = Task { while try await bytes.next() != nil {} }
    task.cancel()
    try await task.value
  }

  @Test func eventsAreNotKept() async throws {
    let world = try World(rows: 0)
    let response = await world.service.respond(
      to: Request(target: "/collections/places/live", headers: ["If-None-Match": "*"]))
    #expect(response.status == 200 && response.headers["ETag"] == nil)
    #expect(response.headers["Cache-Control"] == "no-store")
  }

  @Test func wrongRequestsAreRefused() async throws {
    var options = ServiceOptions()
    options.maxLiveStreams = 1
    let world = try World(rows: 3, options: options)
    func status(_ query: String) async throws -> Int {
      let target = "/collections/places/live?\(query)"
      return await world.service.respond(to: Request(target: target)).status
    }
    #expect(try await status("since=x") == 400)
    #expect(try await status("since=1-0") == 410)
    #expect(try await status("initial=x") == 400)
    #expect(try await status("limit=3") == 400)
    #expect(try await status("filter=x") == 400)
    var client: Client? = try await Client(world.service, "/collections/places/live")
    #expect(try await status("") == 503)
    #expect(try await client?.next()?.name == "ready")
    client = nil
    #expect(try await status("") == 200)
    let head = await world.service.respond(
      to: Request("HEAD", target: "/collections/places/live"))
    #expect(head.status == 200)
  }
}
