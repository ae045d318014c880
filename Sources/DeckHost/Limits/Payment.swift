internal import Synchronization

/// What a request pays for long work while the work is done.
public final class Payment: Sendable {
    /// Who pays.
    let payer: Payer
    private let account: Account
    /// The units that the request has paid so far.
    private let paid: Atomic<Int>

    /// Pays from an account.
    ///
    /// - Parameter former: what the request has paid before.
    public init(from account: Account, by payer: Payer, after former: Int = 0) {
        self.account = account
        self.payer = payer
        paid = Atomic(former)
    }

    /// Takes the cost of a step before it is done.
    ///
    /// - Throws: `rateLimited` or `tooExpensive`; the step must not be done then.
    func take(_ cost: Int) throws(HostError) {
        try account.take(cost, after: paid.add(cost, ordering: .relaxed).oldValue, from: payer)
    }

    /// Charges the cost of a step that was done, because it was not known before.
    ///
    /// - Throws: `rateLimited` or `tooExpensive` if that is more than was left; there must be no further steps then.
    func charge(_ cost: Int) throws(HostError) {
        account.charge(cost, to: payer)
        try account.take(0, after: paid.add(cost, ordering: .relaxed).newValue, from: payer)
    }
}
