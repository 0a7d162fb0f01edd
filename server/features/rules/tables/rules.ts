import type { Duration } from '#server/domain/duration.ts';
import type { Rule } from '../rule.ts';
import type { RulesTable } from '../table.ts';
import { type Fields, flag, json, nullable, record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows } from '#server/stores/tables/rows.ts';

const fields: Fields<Rule> = {
  prefix: 'prefix',
  isPrivate: nullable(flag('private')),
  expire: nullable(record<Duration>({ hours: 'expire_hours' })),
  maxSizeBytes: 'max_size_bytes',
  extensions: nullable(json('extensions')),
  ...snakeCase('cacheControl', 'deleteAfterDays', 'keepDeletedDays', 'keepVersions', 'createdAt'),
};

const rules = table('rules', record<Rule>(fields));
const newRules = table('rules', record<Rule & { accountId: string }>({ accountId: 'account_id', ...fields }));

export function rulesTable(rows: Rows): RulesTable {
  return {
    listOf: async (accountId) => rows.all(rules, 'WHERE account_id = ? ORDER BY prefix', accountId),
    accountsThatDelete: async () =>
      rows.values<string>(
        'SELECT DISTINCT account_id FROM rules WHERE delete_after_days IS NOT NULL ORDER BY account_id',
      ),
    accountsWithUncounted: async () =>
      rows.values<string>(
        'SELECT DISTINCT account_id FROM rules WHERE keep_versions IS NOT NULL AND is_counted = 0 ORDER BY account_id',
      ),
    async noteCounted(accountId) {
      await rows.write('UPDATE rules SET is_counted = 1 WHERE account_id = ?', accountId);
    },
    async sweptUntil(accountId, prefix) {
      const find = 'SELECT swept_until FROM rules WHERE account_id = ? AND prefix = ?';
      return (await rows.value<number | null>(find, accountId, prefix)) ?? undefined;
    },
    async noteSwept(accountId, prefix, until) {
      await rows.write(
        'UPDATE rules SET swept_until = ? WHERE account_id = ? AND prefix = ?',
        until,
        accountId,
        prefix,
      );
    },
    async replaceAll(accountId, replacing) {
      await rows.write('DELETE FROM rules WHERE account_id = ?', accountId);
      for (const rule of replacing) await rows.insert(newRules, { ...rule, accountId });
    },
  };
}
