import CairnObjects
import Testing

/// Mistakes in the program's own text end it with a sentence.
@Suite struct ProgrammingErrorTests {
  @Test func misspeltPropertyInALiteral() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let world = try World()
      defer { world.remove() }
      _ = try world.realm().dynamicObjects("City").filter("nmae == 'x'")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("Property 'nmae' not found in object of type 'City'. Did you mean 'name'?"))
    #expect(text.contains("  nmae == 'x'\n  ^"))
  }

  @Test func unknownClass() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try World().realm().dynamicObjects("Cty")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Object type 'Cty' is not managed by the Realm. Did you mean 'City'?"))
  }

  @Test func placeBeyondTheResults() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try World().realm().dynamicObjects("City")[7]
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Index 7 is out of bounds (must be less than 7)."))
  }

  @Test func sumOfATextAndOtherMistakes() async {
    await #expect(processExitsWith: .failure) {
      _ = try World().realm().dynamicObjects("City").sum(ofProperty: "name") as Int
    }
    await #expect(processExitsWith: .failure) {
      _ = try World().realm().dynamicObjects("City").limit(2).filter("name == 'x'")
    }
    await #expect(processExitsWith: .failure) {
      _ = try World().realm().dynamicObjects("City").sorted(byKeyPath: "nothing")
    }
    await #expect(processExitsWith: .failure) {
      _ = try World().realm().dynamicObjects("City")[0]["nothing"]
    }
    await #expect(processExitsWith: .failure) {
      let shape = GeoBox(bottomLeft: (0, 0), topRight: (1, 1))
      _ = try World().realm().dynamicObjects("Company").within(#require(shape))
    }
    await #expect(processExitsWith: .failure) {
      _ = try World().realm().dynamicObject(ofType: "Company", forPrimaryKey: 1)
    }
  }
}
