/// Makes a list that fails shorter for as long as it goes on failing: chunks are left out first, single steps last.
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
