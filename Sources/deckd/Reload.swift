import DeckJournal
import DeckService
import Glibc
import Logging
import MicroHTTP
import UnixSignals

/// Reads the configuration again with each SIGHUP, and applies what can change while deckd serves: the API keys, and the
/// certificate and its key.
struct Reload: Sendable {
    var options: ConfigurationOptions
    /// The settings with which the server was started.
    var started: Settings
    var service: DeckService
    var servers: [Server]
    var supervisor: Supervisor
    var logger: Logger

    /// The settings that take effect. All others need a restart.
    private static let reloaded: Set = ["tls.certificate", "tls.key", "access.keysFile", "access.keys"]

    /// Handles the signals until it is cancelled.
    func obey(_ signals: UnixSignalsSequence) async {
        for await _ in signals {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            supervisor.tell("RELOADING=1\nMONOTONIC_USEC=\(Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000)")
            reload()
            supervisor.tell("READY=1")
        }
    }

    /// If there is any error, nothing changes.
    private func reload() {
        do {
            let settings = try options.load()
            guard settings.service.apiKeys.isEmpty != service.hasKeys else {
                return logger.error("reloading: a server cannot go from no API keys to some, or back; start it again")
            }
            guard (settings.server.tls != nil) == servers[0].address.isSecure else {
                return logger.error("reloading: a server cannot go from TLS to none, or back; start it again")
            }
            var metadata: Logger.Metadata = ["keys": "\(settings.service.apiKeys.count)"]
            // The servers have the same certificate, so either all of them accept it or none does.
            for server in servers where server.address.isSecure {
                guard let identity = settings.server.tls else { continue }
                let expiry = WallTime(milliseconds: Int64(try server.replaceIdentity(with: identity)) * 1000)
                metadata["certificateExpires"] = "\(expiry.text)"
            }
            service.replaceKeys(with: settings.service.apiKeys)
            warn(of: settings)
            settings.warnOfExpiredKeys(logger)
            logger.notice("reloaded", metadata: metadata)
        } catch {
            logger.error("reloading: \(error); everything stays as it was")
        }
    }

    /// Logs which settings have changed since the start and do not take effect.
    private func warn(of settings: Settings) {
        let ignored = Setting.all.filter { !Self.reloaded.contains($0.key) && $0.differs(settings, started) }
        guard !ignored.isEmpty else { return }
        let keys = ignored.map(\.key).joined(separator: ", ")
        logger.warning("reloading: changed settings need a restart to take effect", metadata: ["settings": "\(keys)"])
    }
}
