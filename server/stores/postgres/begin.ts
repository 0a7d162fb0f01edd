import { JobLeaseLost } from '#server/domain/ports/job-leases.ts';
import type { AtomicOptions } from '#server/domain/ports/metadata.ts';
import { nullable } from '#server/stores/tables/columns.ts';
import { lockedAccount } from './locked-account.ts';
import type { Answer, Session } from './session.ts';
import type { PostgresTransaction } from './transaction.ts';
import type { TransactionId } from './unknown-commit.ts';

/** The clock of transactions. */
export interface BeginOptions {
  /** The clock for `tx.now`, in place of the database's. For tests. */
  readonly now?: (() => number) | undefined;
  /** Called with the database's time and the moment at which it was read, by `performance.now()`. */
  readonly onTime?: (databaseMs: number, readAt: number) => void;
}

/** The database's time in milliseconds, and the transaction's number, which tells later whether it was committed. */
const timeAndId = `floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, pg_current_xact_id()::text`;

/**
 * Locks the account's row and reads it. The time is read after that, because the join waits for the row. So the
 * transactions of an account have times in their order.
 */
const lockAccount = `SELECT ${timeAndId}, locked.* FROM (SELECT 1) AS always LEFT JOIN (
  SELECT ${lockedAccount.names.join(', ')} FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE) AS locked ON TRUE`;

/** The same for the end of the audit log. */
const lockAudit = `SELECT ${timeAndId} FROM (SELECT sequence FROM audit_head FOR NO KEY UPDATE) AS locked`;

/** Another process that takes the job waits until the transaction has ended. */
const holdsJob = 'SELECT 1 FROM job_leases WHERE job = $1 AND epoch = $2 FOR SHARE';

/** The same for an account of a job. */
const holdsAccount = 'SELECT 1 FROM account_leases WHERE job = $1 AND leased_id = $2 AND owner = $3 FOR SHARE';

const readTime = `SELECT ${timeAndId}`;

/**
 * Begins the transaction, locks the account or the audit log and reads the clock, in one round trip. All of it is sent
 * when this returns, so that other statements can follow at once. Resolves with the number of the transaction.
 */
export async function begin(
  session: Session,
  transaction: PostgresTransaction,
  { account, isAudited, lease, isDurable = true }: AtomicOptions,
  { now, onTime }: BeginOptions,
): Promise<TransactionId> {
  const hasLock = account !== undefined || isAudited === true;
  // A lock that was waited for would fail a SERIALIZABLE transaction, whose snapshot is older.
  const isolation = hasLock ? 'READ COMMITTED' : 'SERIALIZABLE';
  const begun = session.command(
    `BEGIN ISOLATION LEVEL ${isolation}${isDurable ? '' : '; SET LOCAL synchronous_commit = off'}`,
  );
  const sentAt = performance.now();
  const first =
    account === undefined ? session.query(isAudited ? lockAudit : readTime) : session.query(lockAccount, [account]);
  const leaseCheck = lease && checkLease(session, lease);
  const answers = await Promise.allSettled([begun, first, leaseCheck]);
  const readAt = performance.now();
  for (const one of answers) if (one.status === 'rejected') throw one.reason;
  const [{ rows }, job] = await Promise.all([first, leaseCheck]);
  if (lease && job!.count === 0) throw new JobLeaseLost(lease);
  const [databaseMs, id] = rows[0] as [number, string];
  // The answer is younger than half of its round trip, unless it waited for a lock.
  onTime?.(databaseMs, hasLock ? readAt : (sentAt + readAt) / 2);
  const locked = account === undefined ? undefined : (nullable(lockedAccount).read(rows[0]!, 2) ?? undefined);
  transaction.begin(now?.() ?? databaseMs, locked);
  return { text: id, timeline: session.timeline };
}

function checkLease(session: Session, lease: NonNullable<AtomicOptions['lease']>): Promise<Answer> {
  return 'epoch' in lease
    ? session.query(holdsJob, [lease.job, lease.epoch])
    : session.query(holdsAccount, [lease.job, lease.accountId, lease.owner]);
}
