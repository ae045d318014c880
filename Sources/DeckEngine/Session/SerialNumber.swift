#if hasFeature(Embedded)
/// The number of a version, a notification or a verdict. WebAssembly has 32-bit integers, which are too small for it.
public typealias SerialNumber = Int64
#else
/// The number of a version, a notification or a verdict.
public typealias SerialNumber = Int
#endif
