import CairnFuzzTargets

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// libFuzzer's own loop, which makes the inputs up.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<Arguments>,
  _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

let name = getenv("CAIRN_FUZZ_TARGET").map { String(cString: $0) } ?? ""
nonisolated(unsafe) let target = FuzzTarget(rawValue: name)
guard target != nil else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
  print("CAIRN_FUZZ_TARGET is one of \(names)")
  exit(64)
}
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
  runFuzzer(&count, &arguments) { bytes, size in
    target?.feed(Array(UnsafeBufferPointer(start: bytes, count: size)))
    return 0
  })
