import { operationsOf, type Json } from '#openapi/codegen/document.ts';
import { linkToOperation } from '#openapi/build/pages/addresses.ts';
import { atOnce, capitalized, rateLimit } from '#openapi/build/pages/enforced.ts';
import { table } from '#openapi/build/pages/page.ts';
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
import { sizeSections } from './limits-sizes.ts';

const count = (value: number | null): string => (value === null ? 'no limit' : value.toLocaleString('en-US'));

/** Returns the link from the page to an operation of the built reference. */
const linkTo = (operation: Parameters<typeof linkToOperation>[1]): string =>
  `[${operation.spec.summary}](../dist/docs/${linkToOperation('limits', operation)})`;

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

/** Returns docs/limits.md: sizes, the limits of each plan, and those of each operation. */
export function limitsPage(document: Json): string {
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
      return [linkTo(operation), capitalized(minimum), `\`${code}\``];
    });
  const limited = operations
    .filter(({ spec }) => spec['x-rate-limits']?.length > 0 || spec['x-concurrency'])
    .map((operation) => [
      linkTo(operation),
      [
        ...(operation.spec['x-rate-limits'] ?? []).map(rateLimit),
        operation.spec['x-concurrency'] && atOnce(operation.spec['x-concurrency']),
      ]
        .filter(Boolean)
        .join('; '),
    ]);
  return `# Limits

On this page you look up how large, how many, how often and how long. Its figures come from the contract and from the
server's own constants. A KiB is 1024 bytes, a MiB 1024 KiB, and a GiB 1024 MiB.

A request over a limit of its rate answers 429 \`RATE_LIMITED\` with \`Retry-After\`: the seconds to wait. The headers
\`RateLimit\` and \`RateLimit-Policy\` of every answer say what is left. A limit that rejects a request takes nothing from
the other limits.

${sizeSections(document)}
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

${table(['operation', 'limit'], limited)}
## Where to go from here

- [Accounts and plans](operating/accounts.md), for operators who want to change a quota
- [When something does not work](troubleshooting.md), by what you see
- [Error codes](../dist/docs/errors.md) that say which limit was met
`;
}
