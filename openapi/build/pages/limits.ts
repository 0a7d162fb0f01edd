import { operationsOf, type Json } from '../../codegen/document.ts';
import { gibibyte } from '#server/domain/limits.ts';
import {
  accountRequestsPerMinute,
  includedBytes,
  maxRules,
  plans,
  quotaBytesOf,
  s3RequestsPerWindow,
  s3WindowMs,
} from '#server/domain/plan.ts';
import { linkToOperation } from './addresses.ts';
import { atOnce, capitalized, rateLimit } from './enforced.ts';
import { table, type Page } from './page.ts';

const path = 'limits';
const count = (value: number | null): string => (value === null ? 'no limit' : value.toLocaleString('en-US'));

/** The names of the fields of `x-plan-limits`. */
const chatLimits: Readonly<Record<string, string>> = {
  requestsPerDay: 'requests a day',
  contextTokens: 'context window, tokens',
  outputTokens: 'longest answer, tokens',
  concurrent: 'requests at once',
  pacingSeconds: 'seconds between requests',
  spendPerDay: 'fair use a day, tokens (output counts four times)',
  tokensPerDay: 'tokens a day',
  tokensPerWeek: 'tokens a week',
  tools: 'tools of a chat completion',
  messages: 'messages of a chat completion',
};

/** Returns the page of limits: those of each plan, and those of each operation. */
export function limitsPage(document: Json): Page {
  const operations = operationsOf(document);
  const gib = (bytes: number) => `${bytes / gibibyte} GiB`;
  const ofPlans: Array<readonly [string, (plan: (typeof plans)[number]) => string]> = [
    ['included storage', (plan) => gib(includedBytes[plan])],
    ['quota: uploads stop here', (plan) => gib(quotaBytesOf({ plan, quotaBytes: null }))],
    ['requests a minute, over all routes', (plan) => count(accountRequestsPerMinute[plan])],
    [`S3 requests in ${s3WindowMs / 1000} seconds`, (plan) => count(s3RequestsPerWindow[plan])],
    ['prefix rules', (plan) => count(maxRules[plan])],
  ];
  const limitsOf = (operation: string): Json => operations.find(({ id }) => id === operation)?.spec['x-plan-limits'];
  const chat: Json = limitsOf('createChatCompletion') ?? {};
  const agents: Json = limitsOf('createMessage')?.enterprise ?? {};
  const chatPlans = Object.keys(chat);
  const gated = operations
    .filter(({ spec }) => spec['x-plan'])
    .map((operation) => {
      const { minimum, code } = operation.spec['x-plan'];
      return [`[${operation.spec.summary}](${linkToOperation(path, operation)})`, capitalized(minimum), `\`${code}\``];
    });
  const limited = operations
    .filter(({ spec }) => spec['x-rate-limits']?.length > 0 || spec['x-concurrency'])
    .map((operation) => [
      `[${operation.spec.summary}](${linkToOperation(path, operation)})`,
      [
        ...(operation.spec['x-rate-limits'] ?? []).map(rateLimit),
        operation.spec['x-concurrency'] && atOnce(operation.spec['x-concurrency']),
      ]
        .filter(Boolean)
        .join('; '),
    ]);
  const markdown = `# Limits

A request over a limit answers 429 \`RATE_LIMITED\` with \`Retry-After\`: the seconds to wait. The headers \`RateLimit\` and
\`RateLimit-Policy\` of every answer say what is left. A limit that rejects a request takes nothing from the other limits.

## By plan

An operator sets the plan of an account. Storage above the included amount is possible up to the quota.

${table(
  ['', ...plans.map((plan) => `\`${plan}\``)],
  ofPlans.map(([name, of]) => [name, ...plans.map(of)]),
)}
## Operations that need a plan

${table(['operation', 'lowest plan', 'else'], gated)}
## AI gateway

Days begin at 00:00 UTC, weeks on Monday at 00:00 UTC. An operator may set other limits for a plan or an account. Open
Responses and the Messages API take ${count(agents.tools)} tools, and ${count(agents.messages)} messages or items.

${table(
  ['', ...chatPlans.map((plan) => `\`${plan}\``)],
  Object.entries(chatLimits).map(([field, name]) => [name, ...chatPlans.map((plan) => count(chat[plan][field]))]),
)}
## By operation

These apply beside the plan's requests a minute.

${table(['operation', 'limit'], limited)}`;
  return { path, title: 'Limits', markdown };
}
