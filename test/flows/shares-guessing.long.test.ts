import { expect, it } from 'vitest';

import { passwordTries } from '#server/features/shares/limits.ts';
import { guess, submit } from '#test/support/guessing.ts';
import { startTestServer } from '#test/support/server.ts';
import { shareFile } from '#test/support/shares.ts';

const guesses = process.env.CUBBY_TEST_LONG === '1' ? 10_000 : 1_000;

it(
  `${guesses} guesses from as many addresses are limited to 80 a minute, and do not block visitors of another link`,
  { timeout: 60_000 + guesses * 240 },
  async () => {
    const server = await startTestServer({ rateLimits: true, env: { CUBBY_TRUSTED_PROXIES: 'loopback' } });
    const account = await server.account();
    const password = 'correct horse';
    const [guessed, other] = [
      await shareFile(server, account, { body: { password } }),
      await shareFile(server, account, { body: { password } }),
    ];
    const guessing = guess(server, guessed.path, guesses);
    const visits = [];
    for (let visit = 0; visit < 5; visit++) {
      visits.push((await submit(server, other.path, password, `192.0.2.${visit}`)).status);
    }
    expect(visits).toEqual([303, 303, 303, 303, 303]);
    const statuses = await guessing;
    expect([...statuses.keys()].filter((status) => status !== 429).toSorted()).toEqual([401, 503]);
    expect(statuses.get(401)).toBeGreaterThan(0);
    expect(statuses.get(401)).toBeLessThanOrEqual(passwordTries.perLink + passwordTries.reservePerLink);
  },
);
