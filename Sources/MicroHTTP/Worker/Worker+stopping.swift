internal import CMicroHTTPD

/// How a worker comes to its end.
extension Worker {
    /// When the stage ends at the latest, or nil when it has no end.
    var stageDeadline: Instant? {
        switch stage {
        case .serving, .ended: nil
        case .draining(let deadline), .flushing(let deadline): deadline
        }
    }

    /// Whether responses are to close their connections.
    var isStopping: Bool { stage != .serving }

    /// Stops accepting. A second stop can only bring the end nearer.
    func beginStop(until deadline: Instant) {
        switch stage {
        case .serving:
            _ = MHD_quiesce_daemon(daemon)
            socket.close()
            stage = .draining(until: deadline)
            // Events never end by themselves.
            stopStreams()
        case .draining(let earlier):
            stage = .draining(until: min(earlier, deadline))
        case .flushing, .ended:
            break
        }
    }

    func advanceStop() {
        let now = Instant.now()
        switch stage {
        case .serving, .ended:
            break
        case .draining where activeRequests == 0:
            stage = .ended
        case .draining(let deadline):
            guard now >= deadline else { break }
            stage = .flushing(until: now + Worker.flushTime)
            answerWaiting()
        case .flushing(let deadline):
            // A request whose body came in late may have begun to wait since.
            answerWaiting()
            if activeRequests == 0 || now >= deadline {
                stage = .ended
            }
        }
    }

    /// Ends what has not ended within the grace.
    private func answerWaiting() {
        cutStreams()
        for flight in waiting.values {
            guard case .responding(let exchange) = flight.stage else { continue }
            exchange.send(application.response(to: .stopping, head: flight.head))
        }
    }

    /// Gives everything back. libmicrohttpd aborts when it is stopped with a suspended connection, so all are resumed.
    func end() {
        stage = .ended
        for case .abandon(let stream) in mailbox.shut() {
            stream.finish(.dropped)
        }
        guard let daemon else { return }
        self.daemon = nil
        _ = MHD_quiesce_daemon(daemon)
        for flight in waiting.values {
            MHD_resume_connection(flight.connection)
        }
        waiting = [:]
        for reader in readers.values {
            reader.resume()
        }
        MHD_stop_daemon(daemon)
        socket.close()
    }
}
