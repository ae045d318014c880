internal import SteadyClock
internal import CMicroHTTPD

/// How a worker stops.
extension Worker {
    /// When the stage ends at the latest; nil: it has no deadline.
    var stageDeadline: SteadyTime? {
        switch stage {
        case .serving, .ended: nil
        case .draining(let deadline), .flushing(let deadline): deadline
        }
    }

    /// Whether responses close their connections.
    var isStopping: Bool { stage != .serving }

    /// Stops accepting clients. A second stop can only shorten the grace period.
    func beginStop(until deadline: SteadyTime) {
        switch stage {
        case .serving:
            _ = MHD_quiesce_daemon(daemon)
            socket.close()
            stage = .draining(until: deadline)
            // Streams do not end by themselves.
            stopStreams()
        case .draining(let earlier):
            stage = .draining(until: min(earlier, deadline))
        case .flushing, .ended:
            break
        }
    }

    func advanceStop() {
        let now = SteadyTime.now()
        switch stage {
        case .serving, .ended:
            break
        case .draining where activeRequests == 0:
            stage = .ended
        case .draining(let deadline):
            guard now >= deadline else { break }
            stage = .flushing(until: now + Worker.flushTime)
            endUnfinished()
        case .flushing(let deadline):
            // A request whose body arrived late may have started to wait since then.
            endUnfinished()
            if activeRequests == 0 || now >= deadline {
                stage = .ended
            }
        }
    }

    /// Ends the requests and streams that have not ended within the grace period.
    private func endUnfinished() {
        cutStreams()
        for flight in suspended.values {
            guard case .responding(let exchange) = flight.stage else { continue }
            exchange.send(application.response(to: .stopping, head: flight.head))
        }
    }

    /// Releases everything. libmicrohttpd aborts if it is stopped with a suspended connection, so all are resumed before.
    func end() {
        stage = .ended
        for message in mailbox.shut() {
            switch message {
            case .abandon(let stream): stream.finish(.dropped)
            case .call(let action): action()
            case .resume, .serve, .timer, .present, .act, .stop: break
            }
        }
        guard let daemon else { return }
        self.daemon = nil
        _ = MHD_quiesce_daemon(daemon)
        for flight in suspended.values {
            MHD_resume_connection(flight.connection)
        }
        suspended = [:]
        group.removeAll()
        for reader in readers.values {
            reader.resume()
        }
        MHD_stop_daemon(daemon)
        socket.close()
    }
}
