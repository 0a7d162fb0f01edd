import type { Parameter } from '#server/stores/postgres/session.ts';
import type { Recording } from './recorded.ts';

/** A plan that may stay as it is although it looks as if it grew with the store. */
interface Exception {
  /** A part of the statement, with `?` for each parameter. Default: any statement. */
  readonly statement?: string;
  /** The beginning of what is wrong with the plan. */
  readonly problem: string;
  /** Why it does not grow, or may. */
  readonly why: string;
}

/** Partial indexes that hold only what is due or under way. Work leaves them. */
const queues = [
  'accounts_deleted',
  'chunked_uploads_with_parts_left',
  'deploys_in_turn',
  'file_requests_deleted',
  'folder_jobs_due',
  'purges_failed',
  'purges_new',
  'rules_uncounted',
].map((index): Exception => ({ problem: `scans ${index}`, why: 'It holds only what is due.' }));

const exceptions: readonly Exception[] = [
  ...queues,
  { statement: 'FROM marked_blobs', problem: 'scans marked_blobs', why: 'A queue, of which a batch is read.' },
  { statement: 'FROM purges LIMIT', problem: 'scans purges', why: 'A queue, read up to a limit.' },
  { statement: 'FROM account_purges', problem: 'scans account_purges', why: 'A queue, read up to a limit.' },
  { statement: 'FROM damaged_contents', problem: 'scans damaged_contents', why: 'It holds what is broken.' },
  // Questions of operators and owners.
  { statement: 'ORDER BY created_at, account_id', problem: 'scans accounts', why: 'Commands list all accounts.' },
  { statement: 'ORDER BY created_at, account_id', problem: 'sorts', why: 'A part of a name leaves few accounts.' },
  { statement: 'FROM api_keys WHERE master_key < ?', problem: 'scans api_keys', why: 'Keys left by a rotation.' },
  { statement: 'FROM api_keys WHERE master_key < ?', problem: 'sorts', why: 'Keys left by a rotation.' },
  { statement: 'FROM edge_errors WHERE app_no', problem: 'sorts', why: 'The time that a question is about.' },
  // The check of a store compares all rows.
  { statement: 'AS compared WHERE stored <> actual', problem: 'scans', why: 'The check of a store.' },
  { statement: 'FROM contents WHERE NOT (EXISTS', problem: 'scans', why: 'The check of a store.' },
  { statement: 'FROM usage_days WHERE day % ?', problem: 'scans', why: 'The check of a store.' },
  { statement: 'FROM usage_days WHERE day % 86400000', problem: 'scans', why: 'The check of a store.' },
  { statement: 'bundle IS NULL AND generation = ?', problem: 'sorts', why: 'The links of one file.' },
  { statement: 'AS looked_at', problem: 'sorts', why: 'The files of one step.' },
  { statement: 'UPDATE webhook_deliveries SET due_at', problem: 'sorts', why: 'What waits for one webhook.' },
  { problem: 'scans device_requests', why: 'Codes, which are forgotten after a day.' },
  { statement: 'UPDATE sessions', problem: 'scans sessions', why: 'Approvals of devices, which last minutes.' },
  { problem: 'scans file_request_reservations', why: 'Uploads under way, when a server starts.' },
  { problem: 'scans reservations', why: 'Uploads under way, when a server starts.' },
  { problem: 'scans reserved_token_uses', why: 'Uploads under way, when a server starts.' },
  { statement: 'SELECT key, used, ends_at', problem: 'scans limit_windows', why: 'A server reads it when it starts.' },
  {
    statement: 'FROM rules WHERE delete_after_days IS NOT NULL',
    problem: 'scans rules_that_delete',
    why: 'The accounts with such rules, each of which the job looks at.',
  },
  { statement: 'SUM(used_objects)', problem: 'scans accounts', why: 'A sum of one row an account, for operators.' },
  { statement: 'UPDATE slots', problem: 'scans slots', why: 'Once a replica is gone. A row for each busy account.' },
  { statement: 'UNION ALL SELECT owner, job, leased_id', problem: 'scans account_leases', why: 'Jobs under way.' },
  { statement: 'UNION ALL SELECT owner, job, leased_id', problem: 'sorts', why: 'Jobs under way.' },
  { statement: 'unnest(?::text[])', problem: 'sorts', why: 'The values of the statement.' },
  {
    statement: 'FROM shares WHERE revoked_at IS NULL',
    problem: 'sorts',
    why: 'Active links of an account: a plan limits them.',
  },
  { statement: 'FROM browser_sessions WHERE key_id = ?', problem: 'sorts', why: 'The sessions of a key.' },
  {
    statement: 'by_key = ? AND sequence / 256 <= ?',
    problem: 'sorts',
    why: 'What a key did in the time of a question.',
  },
  {
    statement: 'AND sequence IN (SELECT sequence FROM activity',
    problem: 'sorts',
    why: 'What happened below a prefix, if that is little.',
  },
  { statement: 'ORDER BY started_at, upload_id', problem: 'sorts', why: 'Open uploads of an account.' },
  { statement: 'FROM apps WHERE account_id = ?', problem: 'sorts', why: 'The applications of an account.' },
  { statement: 'usage_days', problem: 'sorts', why: 'The days of an account.' },
  { statement: 'FROM webhooks WHERE account_id = ?', problem: 'sorts', why: 'A plan limits webhooks.' },
  { statement: 'FROM file_request_reservations', problem: 'sorts', why: 'Uploads under way.' },
  { statement: 'ORDER BY sha256 DESC LIMIT 1', problem: 'sorts', why: 'The copies of one content.' },
  { statement: 'WITH RECURSIVE entry', problem: 'sorts', why: 'The entries of a page.' },
];

/** Returns what is wrong with the plans of recorded statements, without what has a reason. */
export async function unexcepted(
  { statements }: Recording,
  problemsOf: (sql: string, values: readonly Parameter[]) => readonly string[] | Promise<readonly string[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [sql, values] of statements)
    for (const problem of await problemsOf(sql, values))
      if (!isExcepted(sql, problem)) found.push(`${problem}: ${sql}`);
  return found;
}

function isExcepted(sql: string, problem: string): boolean {
  const plain = sql.replace(/\$[0-9]+|\?[0-9]+|(?<!:):[a-z_]+/gi, '?').replaceAll(/\s+/g, ' ');
  return exceptions.some(
    ({ statement = '', problem: begin }) => plain.includes(statement) && problem.startsWith(begin),
  );
}
