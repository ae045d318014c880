/// Shortens a list that fails for as long as it still fails: it first removes chunks, then single steps.
enum Shrinker {
    static func shrunk<Step>(_ steps: [Step], fails: ([Step]) -> Bool) -> [Step] {
        var steps = steps
        var size = max(1, steps.count / 2)
        while true {
            var begin = 0
            var isShorter = false
            while begin < steps.count {
                var fewer = steps
                fewer.removeSubrange(begin..<min(begin + size, steps.count))
                if fails(fewer) {
                    steps = fewer
                    isShorter = true
                } else {
                    begin += size
                }
            }
            if size > 1 {
                size /= 2
            } else if !isShorter {
                return steps
            }
        }
    }
}
