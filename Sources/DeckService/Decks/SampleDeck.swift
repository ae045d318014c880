import DeckJournal
import DeckWire

/// The deck of a new journal, for first tries. A client can remove it, and a restart does not bring it back.
enum SampleDeck {
    /// Its id.
    static let id = "sample"

    /// Reads it. It has the form in which a client would send it.
    static func read() throws(Problem) -> DeckDocument {
        do throws(WireError) {
            return try JSONParser().read(Array(text.utf8)) { value throws(WireError) in try DeckDocument(value) }
        } catch {
            throw Problem(error)
        }
    }

    private static let text = """
        {"cards": [
          {"id": "lviv", "label": "Lviv", "data": {"title": "Lviv", "country": "Ukraine", "color": "#c8553d"}},
          {"id": "porto", "label": "Porto", "data": {"title": "Porto", "country": "Portugal", "color": "#588b8b"}},
          {"id": "bergen", "label": "Bergen", "data": {"title": "Bergen", "country": "Norway", "color": "#3d5a80"}},
          {"id": "kyoto", "label": "Kyoto", "data": {"title": "Kyoto", "country": "Japan", "color": "#b56576"}},
          {"id": "cusco", "label": "Cusco", "data": {"title": "Cusco", "country": "Peru", "color": "#e09f3e"}},
          {"id": "tbilisi", "label": "Tbilisi", "data": {"title": "Tbilisi", "country": "Georgia", "color": "#6d597a"}},
          {"id": "oaxaca", "label": "Oaxaca", "data": {"title": "Oaxaca", "country": "Mexico", "color": "#9c6644"}},
          {"id": "hobart", "label": "Hobart", "data": {"title": "Hobart", "country": "Australia", "color": "#2a9d8f"}},
          {"id": "fez", "label": "Fez", "data": {"title": "Fez", "country": "Morocco", "color": "#bc6c25"}},
          {"id": "galway", "label": "Galway", "data": {"title": "Galway", "country": "Ireland", "color": "#386641"}}
        ]}
        """
}

extension DeckLibrary {
    /// Puts the sample deck, if there was never a deck.
    func putSample(_ body: @escaping JournalCompletion<Void>) {
        journal.counts { [self] result in
            switch result {
            case .success(let counts) where !counts.hasHadDecks: putFirstSample(body)
            case .success, .failure: body(result.map { _ in })
            }
        }
    }

    /// Puts the sample deck, unless a client puts a deck with its id in the meantime.
    private func putFirstSample(_ body: @escaping JournalCompletion<Void>) {
        let document: DeckDocument
        do throws(Problem) {
            document = try SampleDeck.read()
        } catch {
            return body(.failure(.unavailable("the sample deck is invalid: \(error.detail)")))
        }
        save(document, as: SampleDeck.id, if: .absent) { result in
            if case .failure(.deckConflict) = result { body(.success(())) } else { body(result.map { _ in }) }
        }
    }
}
