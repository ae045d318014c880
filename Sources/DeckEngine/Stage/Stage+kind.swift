extension Stage {
    /// The two kinds of deck: a stack of cards in slots, and a carousel. Whether a layout is scrolled is decided here
    /// and nowhere else.
    enum Kind: Sendable, Hashable {
        case stack(StackStage)
        case carousel(Carousel, FlipLayout)

        /// The cards at rest.
        init(_ pile: Pile, in scene: Scene) {
            self =
                switch scene.settings.layout {
                case .stack, .stretched: .stack(StackStage(pile, in: scene))
                case .flip(let layout): .carousel(Carousel(at: pile.frontIndex), layout)
                }
        }

        /// When the cards come to rest.
        var end: Instant {
            switch self {
            case .stack(let stack): stack.end
            case .carousel(let carousel, _): carousel.end
            }
        }

        /// When the card on its way to the front arrives. A plain animation takes its time even where
        /// there is no way to go; a spring does not (as Pop has it).
        func frontArrival(in scene: Scene, at now: Instant) -> Instant {
            switch self {
            case .carousel(let carousel, _): return max(now, carousel.end)
            case .stack(let stack):
                guard scene.settings.motion.backgroundSpring != nil else {
                    return now.later(by: scene.settings.motion.backgroundDuration)
                }
                return max(now, stack.front?.motion.rect.end ?? now)
            }
        }

        // MARK: Changes

        /// Changes the stack in its own storage; does nothing to a carousel.
        mutating func changeStack(_ body: (inout StackStage) -> Void) {
            guard case .stack(var stack) = self else { return }
            self = .stack(StackStage())
            body(&stack)
            self = .stack(stack)
        }

        /// Changes the carousel; does nothing to a stack.
        ///
        /// - Returns: by how much its number has grown.
        @discardableResult
        mutating func changeCarousel(
            _ pile: Pile,
            in scene: Scene,
            _ body: (inout Carousel, Carousel.Course) -> Void
        ) -> Int {
            guard case .carousel(var carousel, let layout) = self else { return 0 }
            let former = carousel.number
            body(&carousel, Carousel.Course(layout, of: pile, in: scene))
            self = .carousel(carousel, layout)
            return carousel.number - former
        }

        /// Continues with the current layout of the scene.
        mutating func adoptLayout(_ pile: Pile, in scene: Scene) {
            switch (self, scene.settings.layout) {
            case (.stack, .stack), (.stack, .stretched): break
            case (.carousel(let carousel, _), .flip(let layout)): self = .carousel(carousel, layout)
            case (.stack, .flip), (.carousel, .stack), (.carousel, .stretched): self = Self(pile, in: scene)
            }
        }

        // MARK: Snapshots

        func write(to writer: inout SnapshotWriter) {
            switch self {
            case .stack(let stack): writer.write(stack)
            case .carousel(let carousel, _): writer.write(carousel)
            }
        }

        init(from reader: inout SnapshotReader, _ layout: Layout) throws(SnapshotReader.Failure) {
            self =
                switch layout {
                case .stack, .stretched: .stack(try reader.read())
                case .flip(let flip): .carousel(try reader.read(), flip)
                }
        }

        /// Whether the decoded value fits the pile.
        func isSound(with pile: Pile, in scene: Scene) -> Bool {
            switch self {
            case .stack(let stack): stack.isSound(with: pile, in: scene)
            case .carousel(let carousel, _):
                pile.isExhausted || Carousel.index(of: carousel.number, in: pile) == pile.frontIndex
            }
        }
    }
}
