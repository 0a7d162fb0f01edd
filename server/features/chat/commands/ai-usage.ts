import { InvalidArgumentError, type Command } from 'commander';

import { chatHistory } from '../usage/chat-history.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { usageQueryOf, wireHistory } from '../handlers/usage-history.ts';
import { plainAmount } from '#server/cli/amounts.ts';
import { parseAccountId } from '#server/cli/arguments.ts';
import { columns } from '#server/cli/columns.ts';
import { Failure, type Answer, type Operator, type Stores } from '#server/cli/operator.ts';
import { findAccount } from '#server/cli/account/view.ts';

interface Options {
  readonly from?: string;
  readonly to?: string;
  readonly groupBy: string;
}

export function addAccountAiUsage(account: Command, operator: Operator): void {
  account
    .command('ai-usage')
    .description('show what an account was charged for in the AI gateway')
    .argument('<id>', 'account id', parseAccountId)
    .option('--from <day>', 'first day in UTC, such as 2026-04-01; without it 29 days before the last one', parseDay)
    .option('--to <day>', 'last day in UTC; without it today', parseDay)
    .option('--group-by <list>', 'what to tell apart: day, key and model, joined by commas', parseGroups, 'day')
    .action(operator.storesAction(show));
}

function parseDay(text: string): string {
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return text;
  throw new InvalidArgumentError('A day is written as 2026-04-21.');
}

function parseGroups(text: string): string {
  if (/^(day|key|model)(,(day|key|model)){0,2}$/.test(text)) return text;
  throw new InvalidArgumentError('Groups are day, key and model, joined by commas.');
}

/** A command has no pages. */
const pageSize = 1000;

async function show(stores: Stores, accountId: string, { groupBy, ...days }: Options): Promise<Answer> {
  const { id } = await findAccount(stores, accountId);
  const query = queryOf({ ...days, group_by: groupBy }, stores.clock.now());
  const groups = [];
  for (let offset = 0, hasMore = true; hasMore; offset += pageSize) {
    const page = await chatHistory(stores, id, { ...query, offset, limit: pageSize });
    groups.push(...page.groups);
    ({ hasMore } = page);
  }
  // The currency is in the file of models, which only the server reads.
  const history = wireHistory(query, { groups, hasMore: false }, undefined);
  const header = ['DAY', 'KEY', 'MODEL', 'REQUESTS', 'INPUT', 'OUTPUT', 'FAIR USE', 'COST', 'FROM CACHE', 'NAME'];
  const rows = history.data.map((group) => [
    group.day ?? 'all',
    group.key_id ?? 'all',
    group.model ?? 'all',
    ...[group.requests, group.input_tokens, group.output_tokens, group.spend].map(String),
    ...[plainAmount(group.cost), String(group.cached_requests)],
    group.key_name ?? '',
  ]);
  return {
    json: history,
    text:
      rows.length === 0
        ? `Account ${accountId} was charged nothing from ${history.from} to ${history.to}.`
        : columns([header, ...rows]),
  };
}

function queryOf(given: Parameters<typeof usageQueryOf>[0], now: number) {
  try {
    return usageQueryOf(given, now, 'INVALID_TIME_RANGE', 'INVALID_GROUP_BY');
  } catch (error) {
    if (error instanceof Refusal) throw new Failure(error.ownMessage ?? error.message);
    throw error;
  }
}
