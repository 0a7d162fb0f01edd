import { dayMs } from '#server/domain/account/usage-days.ts';
import { endOfWeek, startOfWeek } from '#server/domain/chat/periods.ts';
import type { ChatTable, ChatTally, ReachedBudget } from '#server/domain/chat/table.ts';
import { record } from './columns.ts';
import { table, type Rows } from './rows.ts';

type Tally = Omit<ChatTally, 'isEstimated'>;

/** An account's charges of one day. */
interface ChargedDay extends Tally {
  readonly accountId: string;
  readonly day: number;
  readonly lastStartedAt: number;
}

const days = table(
  'chat_days',
  record<ChargedDay>({
    accountId: 'account_id',
    day: 'day',
    requests: 'requests',
    inputTokens: 'input_tokens',
    outputTokens: 'output_tokens',
    lastStartedAt: 'last_started_at',
  }),
);

const installationDays = table(
  'chat_installation_days',
  record<{ day: number; tokens: number }>({ day: 'day', tokens: 'tokens' }),
);

const reachedBudgets = table(
  'chat_reached_budgets',
  record<ReachedBudget>({ accountId: 'account_id', budget: 'budget', startsAt: 'starts_at', limit: 'token_limit' }),
);

/** Charges of the AI gateway. */
export function chatTable(rows: Rows): ChatTable {
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
    tokensOn: async (day) => (await rows.one(installationDays, 'WHERE day = ?', day))?.tokens ?? 0,
    async charge({ accountId, day, startedAt }, { inputTokens, outputTokens }) {
      await rows.insert(
        days,
        { accountId, day, requests: 1, inputTokens, outputTokens, lastStartedAt: startedAt },
        `ON CONFLICT (account_id, day) DO UPDATE SET requests = chat_days.requests + 1,
          input_tokens = chat_days.input_tokens + excluded.input_tokens,
          output_tokens = chat_days.output_tokens + excluded.output_tokens,
          last_started_at = CASE WHEN chat_days.last_started_at > excluded.last_started_at
            THEN chat_days.last_started_at ELSE excluded.last_started_at END`,
      );
      await rows.insert(
        installationDays,
        { day, tokens: inputTokens + outputTokens },
        'ON CONFLICT (day) DO UPDATE SET tokens = chat_installation_days.tokens + excluded.tokens',
      );
    },
    async wasReached({ accountId, budget, startsAt, limit }) {
      const which = 'WHERE account_id = ? AND budget = ? AND starts_at = ? AND token_limit = ?';
      return (await rows.one(reachedBudgets, which, accountId, budget, startsAt, limit)) !== undefined;
    },
    noteReached: async (reached) => rows.insert(reachedBudgets, reached, 'ON CONFLICT DO NOTHING'),
    freeLease: async (leaseId) => (await rows.run('DELETE FROM chat_leases WHERE lease_id = ?', leaseId)) === 1,
    async forgetDaysBefore(day, limit) {
      await rows.removeSome(
        'chat_reached_budgets',
        'account_id, budget, starts_at, token_limit',
        'starts_at < ?',
        day,
        limit,
      );
      await rows.write('DELETE FROM chat_installation_days WHERE day < ?', day);
      return rows.removeSome('chat_days', 'account_id, day', 'day < ? ORDER BY day', day, limit);
    },
  };
}

function tallyOf(charged: readonly ChargedDay[]): ChatTally {
  const sum = (name: keyof Tally) => charged.reduce((total, day) => total + day[name], 0);
  return { requests: sum('requests'), inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') };
}
