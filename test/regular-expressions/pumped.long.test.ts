import { CL100K_TOKEN_SPLIT_REGEX as pieceExpression } from 'gpt-tokenizer/encodingParams/constants';
import { describe, expect, it } from 'vitest';

import { builtIn, literals, patterns } from './find-expressions.ts';
import { findSlow } from './pump.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Request heads have 16 KB, and no request may block the event loop longer than this. */
const limits = { sizeBytes: 16_384, maxMs: 50, isLong };

/** Expressions that files build from texts, built in the same way. */
const built: Readonly<Record<string, readonly RegExp[]>> = {
  'server/doors/contract/unrouted.ts': [/^\/v1\/account\/keys\/[^/]+\/limits$/],
  'server/features/s3/door/body/xml-body.ts': [/<\/(?:[\w.-]+:)?Part\s*>/g, /<(?:[\w.-]+:)?Part[\s>]/],
  'server/features/devices/device-codes.ts': [/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/],
  'server/features/chat/tokens/text-parts.ts': [new RegExp(pieceExpression)],
  // Patterns of the operator. They are only built where the file is read, and run in a thread with a time limit.
  'server/features/chat/config/redactions.ts': [/\b[0-9]{4}([ -]?[0-9]{4}){3}\b/gu],
  'server/features/chat/backends/redaction-thread.ts': [/\b[0-9]{4}([ -]?[0-9]{4}){3}\b/gu],
  'server/http/http-date.ts': [
    new RegExp(
      String.raw`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, ` +
        String.raw`(?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$`,
    ),
  ],
  'server/domain/prefixes.ts': [/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}){0,7}$/],
};

/** Returns a line for each expression that is slow, because a report abbreviates objects. */
function slowOnesOf(all: ReadonlyArray<{ readonly where: string; readonly expression: RegExp }>): string[] {
  return all.flatMap(({ where, expression }) => {
    const slow = findSlow(expression, limits);
    return slow === undefined ? [] : [`${where} ${String(expression)}: ${slow.ms} ms on ${slow.input}`];
  });
}

/** A wall time, because other programs share the machine. */
const patienceMs = isLong ? 1_800_000 : 900_000;

describe('no regular expression blocks the event loop on pumped input', { timeout: patienceMs }, () => {
  it('in the literals of the server', () => {
    const found = literals();
    expect(found.length).toBeGreaterThan(200);
    expect(slowOnesOf(found)).toEqual([]);
  });

  it('in the expressions that the server builds from texts', () => {
    expect(Object.keys(built).map((file) => [file, built[file]!.length])).toEqual(
      expect.arrayContaining(Object.entries(builtIn())),
    );
    expect(
      slowOnesOf(Object.entries(built).flatMap(([where, all]) => all.map((expression) => ({ where, expression })))),
    ).toEqual([]);
  });

  it('in the patterns of the contract', () => {
    expect(slowOnesOf(patterns())).toEqual([]);
  });
});

describe('findSlow()', () => {
  it.each([
    ['quadratic', /\s+$/],
    ['quadratic behind a word', /^bytes=.*x.*y$/],
    ['cubic', /^a*a*a*$/],
    ['exponential', /^(a+)+$/],
    ['exponential in pairs', /^((ab)+)+$/],
    ['exponential by alternatives', /^("|\w|[a-z])*$/],
  ])(
    'finds a %s expression: %s',
    (_what, expression) => {
      expect(findSlow(expression, limits)).toBeDefined();
    },
    patienceMs,
  );

  it.each([/^[a-z]{1,64}$/, /(?<!\/)\/+$/, /^\d+$/, /[^/]+$/, /"[^"]*"/])('finds nothing in %s', (expression) => {
    expect(findSlow(expression, limits)).toBeUndefined();
  });
});
