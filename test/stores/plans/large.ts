/** A store of 10 million files in 1,000 accounts, as planners are told of it. */
const files = 10_000_000;
const accounts = 1_000;

/** Tables with a few rows for the whole installation, however many files and accounts it has. */
const smallTables: ReadonlySet<string> = new Set([
  'accepted_servers',
  'audit_head',
  'backup_runs',
  'backups',
  'blob_holds',
  'chat_capacity',
  'clock_jump',
  'installation',
  'job_leases',
  'job_runs',
  'master_key_check',
  'master_key_rotations',
  'operator_keys',
  'replicas',
  'root_keys',
  'schema_migrations',
  'scrub',
  'started_settings',
  'store_move',
]);

/** How many rows a table of the large store has. Whatever else grows, it is believed to grow as files do. */
export function rowsOf(table: string): number {
  if (smallTables.has(table)) return 10;
  return table === 'accounts' ? accounts : files;
}

/** How many different values a column has. Negative: a share of all rows, as PostgreSQL has it. */
export function distinctOf(column: string): number {
  if (column === 'account_id') return accounts;
  if (/^(key|at|.*_at|.*_id|.*_until|hash|.*_hash|sequence|blob_id|size_bytes|etag|sha256)$/.test(column)) return -0.8;
  return 5;
}

export function isLarge(table: string): boolean {
  return !smallTables.has(table);
}
