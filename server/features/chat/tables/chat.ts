import { dayMs } from '#server/domain/day.ts';
import { endOfWeek, startOfMinute, startOfWeek } from '../budgets/periods.ts';
import type {
  CachedRequests,
  ChatCharge,
  ChatChargedTo,
  ChatReader,
  ChatTable,
  ChatTally,
  ReachedBudget,
  ReachedKeyLimit,
  UsageDimension,
  UsageGroup,
} from '../budgets/table.ts';
import { column, record, snakeCase } from '#server/stores/tables/columns.ts';
import { hasAccount } from '#server/stores/tables/has-account.ts';
import { table, type Rows, type Table, where } from '#server/stores/tables/rows.ts';

/** An account's charges of one day. */
interface ChargedDay extends ChatTally {
  readonly accountId: string;
  readonly day: number;
  readonly lastStartedAt: number;
}

const days = table(
  'chat_days',
  record<ChargedDay>({
    ...snakeCase('accountId', 'day', 'requests', 'inputTokens', 'outputTokens', 'cost', 'lastStartedAt'),
  }),
);

const installationDays = table(
  'chat_installation_days',
  record<{ day: number; tokens: number }>({ day: 'day', tokens: 'tokens' }),
);

const reachedBudgets = table(
  'chat_reached_budgets',
  record<ReachedBudget>({
    ...snakeCase('accountId', 'budget', 'startsAt'),
    limit: 'token_limit',
    percent: 'percent',
  }),
);

/** The charges of a key and a model on one day. */
interface UsageDay extends ChatTally {
  readonly accountId: string;
  readonly day: number;
  readonly keyId: string;
  readonly model: string;
  readonly cachedRequests: number;
  /** The minute in which the latest of these requests began, and how many began in it. */
  readonly minute: number;
  readonly minuteRequests: number;
}

const usageDays = table(
  'chat_usage_days',
  record<UsageDay>({
    ...snakeCase(
      'accountId',
      'day',
      'keyId',
      'model',
      'requests',
      'inputTokens',
      'outputTokens',
      'cost',
      'cachedRequests',
      'minute',
      'minuteRequests',
    ),
  }),
);

const reachedKeyLimits = table(
  'chat_reached_key_limits',
  record<ReachedKeyLimit>({ keyId: 'key_id', limit: 'limit_name', day: 'day', value: 'value' }),
);

const dimensions: ReadonlyArray<readonly [UsageDimension, string]> = [
  ['day', 'day'],
  ['key', 'key_id'],
  ['model', 'model'],
];

/** Returns the columns of groups. Those that the charges are not grouped by are NULL. */
function usageIn(groupBy: ReadonlySet<UsageDimension>): Table<UsageGroup> {
  const sum = (name: string) => `CAST(sum(${name}) AS BIGINT)`;
  return table(
    'chat_usage_days',
    record<UsageGroup>({
      day: column(groupBy.has('day') ? 'day' : 'CAST(NULL AS BIGINT)'),
      keyId: column(groupBy.has('key') ? 'key_id' : 'CAST(NULL AS TEXT)'),
      model: column(groupBy.has('model') ? 'model' : 'CAST(NULL AS TEXT)'),
      requests: sum('requests'),
      inputTokens: sum('input_tokens'),
      outputTokens: sum('output_tokens'),
      cachedRequests: sum('cached_requests'),
      // A sum of many days may be larger than 2^53.
      cost: 'CAST(sum(cost) AS DOUBLE PRECISION)',
    }),
  );
}

function groupedBy(groupBy: ReadonlySet<UsageDimension>): string {
  const names = dimensions.filter(([dimension]) => groupBy.has(dimension)).map(([, name]) => name);
  return `GROUP BY ${names.join(', ')} ORDER BY ${names.join(', ')}`;
}

/** Calls a function with a row that a charge adds, and with what happens to the row that is there. */
type AddCharge = <Result>(add: <T>(table: Table<T>, value: T, onConflict: string) => Result) => Result;

/** Returns the rows that the charge of one request adds up. */
export function chargesOf(
  { accountId, keyId, model, day, startedAt }: ChatChargedTo,
  { inputTokens, outputTokens, cost = 0 }: ChatCharge,
): readonly AddCharge[] {
  const counts = { requests: 1, inputTokens, outputTokens, cost };
  const ofDay = { accountId, day, ...counts, lastStartedAt: startedAt };
  const minute = startOfMinute(startedAt);
  const ofKey = { accountId, day, keyId, model, ...counts, cachedRequests: 0, minute, minuteRequests: 1 };
  return [
    (add) => add(days, ofDay, addsToDay),
    (add) => add(usageDays, ofKey, addsToUsage),
    (add) => add(installationDays, { day, tokens: inputTokens + outputTokens }, addsToInstallation),
  ];
}

const addsToDay = `ON CONFLICT (account_id, day) DO UPDATE SET requests = chat_days.requests + 1,
  input_tokens = chat_days.input_tokens + excluded.input_tokens,
  output_tokens = chat_days.output_tokens + excluded.output_tokens, cost = chat_days.cost + excluded.cost,
  last_started_at = CASE WHEN chat_days.last_started_at > excluded.last_started_at
    THEN chat_days.last_started_at ELSE excluded.last_started_at END`;

const addsToUsage = `ON CONFLICT (account_id, day, key_id, model) DO UPDATE SET
  requests = chat_usage_days.requests + 1,
  input_tokens = chat_usage_days.input_tokens + excluded.input_tokens,
  output_tokens = chat_usage_days.output_tokens + excluded.output_tokens,
  cost = chat_usage_days.cost + excluded.cost,
  minute_requests = CASE WHEN excluded.minute > chat_usage_days.minute THEN 1
    WHEN excluded.minute = chat_usage_days.minute THEN chat_usage_days.minute_requests + 1
    ELSE chat_usage_days.minute_requests END,
  minute = CASE WHEN chat_usage_days.minute > excluded.minute THEN chat_usage_days.minute ELSE excluded.minute END`;

const addsToInstallation = 'ON CONFLICT (day) DO UPDATE SET tokens = chat_installation_days.tokens + excluded.tokens';

/** Charges of the AI gateway. */
export function chatTable(rows: Rows): ChatTable {
  return {
    ...chatReader(rows),
    async charge(to, usage) {
      for (const add of chargesOf(to, usage)) await add(rows.insert.bind(rows));
    },
    async countCached(counts) {
      for (const { requests: cachedRequests, ...group } of counts) await addCached(rows, group, cachedRequests);
    },
    noteReached: async (reached) => rows.insert(reachedBudgets, reached, 'ON CONFLICT DO NOTHING'),
    noteKeyReached: async (reached) => rows.insert(reachedKeyLimits, reached, 'ON CONFLICT DO NOTHING'),
    async freeLease(leaseId) {
      await rows.write('DELETE FROM chat_key_leases WHERE lease_id = ?', leaseId);
      return (await rows.run('DELETE FROM chat_leases WHERE lease_id = ?', leaseId)) === 1;
    },
    async forgetDaysBefore(day, limit) {
      await rows.removeSome(
        'chat_reached_budgets',
        'account_id, budget, starts_at, token_limit, percent',
        'starts_at < ?',
        day,
        limit,
      );
      await rows.write('DELETE FROM chat_installation_days WHERE day < ?', day);
      await rows.write('DELETE FROM chat_reached_key_limits WHERE day < ?', day);
      const key = 'account_id, day, key_id, model';
      const usage = await rows.removeSome('chat_usage_days', key, 'day < ? ORDER BY day', day, limit);
      return usage + (await rows.removeSome('chat_days', 'account_id, day', 'day < ? ORDER BY day', day, limit));
    },
  };
}

function chatReader(rows: Rows): ChatReader {
  return {
    async chargedTo(accountId, day) {
      const monday = startOfWeek(day);
      // Yesterday too: pacing looks back a few seconds, also on a Monday.
      const since = Math.min(monday, day - dayMs);
      const charged = await rows.all(days, 'WHERE account_id = ? AND day >= ?', accountId, since);
      return {
        today: tallyOf(charged.filter((one) => one.day === day)),
        week: tallyOf(charged.filter((one) => one.day >= monday && one.day < endOfWeek(day))),
        lastStartedAt: charged.length === 0 ? null : Math.max(...charged.map((one) => one.lastStartedAt)),
      };
    },
    tokensOn: async (day) => (await rows.one(installationDays, where('day'), day))?.tokens ?? 0,
    async chargedToKey({ accountId, keyId, day }, minute) {
      const which = where('account_id', 'day', 'key_id');
      const ofModels = await rows.all(usageDays, which, accountId, day, keyId);
      const inMinute = ofModels.filter((one) => one.minute === minute);
      return {
        today: tallyOf(ofModels),
        inMinute: inMinute.reduce((sum, { minuteRequests }) => sum + minuteRequests, 0),
      };
    },
    async usageOf(accountId, { from, to, groupBy, keyId, offset, limit }) {
      const which = `account_id = ? AND day >= ? AND day <= ?${keyId === undefined ? '' : ' AND key_id = ?'}`;
      const values = [accountId, from, to, ...(keyId === undefined ? [] : [keyId])];
      return rows.all(
        usageIn(groupBy),
        `WHERE ${which} ${groupedBy(groupBy)} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      );
    },
    async wasReached({ accountId, budget, startsAt, limit, percent }) {
      const which = where('account_id', 'budget', 'starts_at', 'token_limit', 'percent');
      return (await rows.one(reachedBudgets, which, accountId, budget, startsAt, limit, percent)) !== undefined;
    },
    async wasKeyReached({ keyId, limit, day, value }) {
      const which = where('key_id', 'limit_name', 'day', 'value');
      return (await rows.one(reachedKeyLimits, which, keyId, limit, day, value)) !== undefined;
    },
  };
}

function tallyOf(charged: readonly ChatTally[]): ChatTally {
  const sum = (name: keyof ChatTally) => charged.reduce((total, day) => total + day[name], 0);
  return {
    requests: sum('requests'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cost: sum('cost'),
  };
}

/** The account may be gone, because cached requests are counted a moment later. */
async function addCached(rows: Rows, group: Omit<CachedRequests, 'requests'>, count: number): Promise<void> {
  const { accountId, day, keyId, model } = group;
  const added = await rows.run(
    `UPDATE chat_usage_days SET cached_requests = cached_requests + ?
      WHERE account_id = ? AND day = ? AND key_id = ? AND model = ?`,
    ...[count, accountId, day, keyId, model],
  );
  if (added === 1) return;
  const none = { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0, minute: 0, minuteRequests: 0 };
  await rows.insertIf(usageDays, { ...group, ...none, cachedRequests: count }, hasAccount, accountId);
}
