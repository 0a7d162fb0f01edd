/** What the SQL of the two engines lacks in common. */
export interface Dialect {
  /** The numbers from `from` on, below `to`, as `series(n)`: what comes before INSERT, and what follows FROM. */
  readonly series: (from: number, to: number) => { readonly before: string; readonly from: string };
  /** Eight letters of a number below 2^32. */
  readonly letters: (number: string) => string;
  readonly padded: (number: string, digits: number) => string;
  readonly bytes: (length: 16 | 32) => string;
}

export const sqliteDialect: Dialect = {
  series: (from, to) => ({
    before: `WITH RECURSIVE series (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM series WHERE n + 1 < ${to})`,
    from: 'series',
  }),
  letters: (number) => `printf('%08x', ${number})`,
  padded: (number, digits) => `printf('%0${digits}d', ${number})`,
  bytes: (length) => `randomblob(${length})`,
};

export const postgresDialect: Dialect = {
  series: (from, to) => ({ before: '', from: `generate_series(${from}::bigint, ${to - 1}::bigint) AS series (n)` }),
  letters: (number) => `lpad(to_hex(${number}), 8, '0')`,
  padded: (number, digits) => `lpad((${number})::text, ${digits}, '0')`,
  bytes: (length) => `decode(${length === 16 ? 'md5(n::text)' : "md5(n::text) || md5('-' || n::text)"}, 'hex')`,
};

/** Files of one account in one space, numbered in the whole store. */
export interface Share {
  readonly accountId: string;
  readonly space: 0 | 1;
  readonly from: number;
  readonly to: number;
  /** The entries of activity and the events that the account has already. */
  readonly entries: number;
  readonly events: number;
}

/** Of so many files one has an entry of activity, or an event, that is still kept. */
const [filesAnEntry, filesAnEvent] = [2, 5];

const dayMs = 86_400_000;

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

/** Nine of ten files are small, and one of two hundred has nine tenths of all bytes. */
const size = `CASE WHEN n % 200 = 0 THEN 50000000 WHEN n % 20 = 0 THEN 1000000 WHEN n % 4 = 0 THEN 60000 ELSE 4000 END`;

/** Returns the statements that make files, with their activity and events. */
export function fillOf(sql: Dialect, share: Share, now: number): string[] {
  const { accountId, space, from, to, entries, events } = share;
  const { before, from: series } = sql.series(from, to);
  // Neighbours in a folder have ids that are far apart, as random ones are.
  const scattered = '((n * 2654435761) % 4294967296)';
  const id = `${sql.letters(scattered)} || 'abcdefghijklmnopqr'`;
  const folder = sql.padded(`(n - ${from}) * 200 / ${to - from}`, 3);
  const key = `'photos/' || ${folder} || '/IMG_' || ${sql.padded('n', 8)} || '.jpg'`;
  const at = `${now} - ${scattered} % ${20 * dayMs}`;
  const details = `'{"size":' || (${size}) || ',"replaced":false}'`;
  const data = `'{"object_id":"pub/${accountId}/' || ${key} || '","size_bytes":' || (${size}) || ',"etag":"' ||
    ${id} || '","content_type":"image/jpeg","by":{"kind":"api_key","id":"abcdefghijklmnopqrstuvwxyz"}}'`;
  const select = (columns: string, where = 'TRUE') => `${columns} FROM ${series} WHERE ${where}`;
  return [
    `${before} INSERT INTO contents (content_id, size_bytes, pointing_rows, crc32, blob_id)
      SELECT ${select(`${id}, ${size}, 1, ${scattered}, ${id}`)}`,
    `${before} INSERT INTO objects (account_id, space, key, content_id, size_bytes, etag, sha256, created_at,
        expires_at, original_name, metadata, extension, generation, version_id)
      SELECT ${select(`'${accountId}', ${space}, ${key}, ${id}, ${size}, ${sql.bytes(16)}, ${sql.bytes(32)}, ${at},
        CASE WHEN n % 10 = 0 THEN ${now} + ${30 * dayMs} + n END, 'IMG_' || ${sql.padded('n', 8)} || '.jpg', '{}',
        'jpg', ${id}, 'version' || ${sql.letters(scattered)} || 'abcdefgh'`)}`,
    `${before} INSERT INTO activity (account_id, sequence, type, at, space, key, details, source_ip, user_agent,
        auth, by_key)
      SELECT ${select(
        `'${accountId}', ${entries} + (n - ${from}) / ${filesAnEntry} + 1, 'object.uploaded', ${at}, ${space}, ${key},
        ${details}, '192.0.2.7', '${browser}', 'api_key', 'key-of-${accountId}'`,
        `(n - ${from}) % ${filesAnEntry} = 0`,
      )}`,
    `${before} INSERT INTO events (account_id, sequence, type, at, key, data)
      SELECT ${select(
        `'${accountId}', ${events} + (n - ${from}) / ${filesAnEvent} + 1, 'object.uploaded', ${at}, ${key}, ${data}`,
        `(n - ${from}) % ${filesAnEvent} = 0`,
      )}`,
  ];
}

/** Returns the entries of activity and the events of so many files. */
export function besides(files: number): { readonly entries: number; readonly events: number } {
  return { entries: Math.ceil(files / filesAnEntry), events: Math.ceil(files / filesAnEvent) };
}

/** Returns the statements that bring the totals of all accounts up to date. */
export const totals = [
  `UPDATE accounts SET used_objects = files, used_bytes = bytes FROM (
    SELECT account_id, count(*) AS files, sum(size_bytes) AS bytes FROM objects GROUP BY account_id) AS sums
    WHERE accounts.account_id = sums.account_id`,
  `UPDATE accounts SET activity_count = latest FROM (
    SELECT account_id, max(sequence) AS latest FROM activity GROUP BY account_id) AS entries
    WHERE accounts.account_id = entries.account_id`,
  `UPDATE accounts SET event_count = latest FROM (
    SELECT account_id, max(sequence) AS latest FROM events GROUP BY account_id) AS entries
    WHERE accounts.account_id = entries.account_id`,
];
