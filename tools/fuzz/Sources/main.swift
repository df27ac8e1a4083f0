import CairnFuzzTargets

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// libFuzzer's main loop, which generates the inputs.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<Arguments>,
  _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Feeds an input to the target. libFuzzer links only with a function of this name.
@_cdecl("LLVMFuzzerTestOneInput")
func feed(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  target?.feed(Array(UnsafeBufferPointer(start: bytes, count: size)))
  return 0
}

let name = getenv("CAIRN_FUZZ_TARGET").map { String(cString: $0) } ?? ""
let target = FuzzTarget(rawValue: name)
guard target != nil else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
  print("CAIRN_FUZZ_TARGET must be one of \(names)")
  exit(64)
}
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runFuzzer(&count, &arguments, feed))
