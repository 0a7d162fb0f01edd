import { createRequire } from 'node:module';

import { expect, it } from 'vitest';

import { contract } from '#test/support/contract.ts';
import { needPackages } from '#test/support/need-programs.ts';

interface Finding {
  readonly code: string;
  readonly path: ReadonlyArray<string | number>;
  readonly message: string;
}

// A CommonJS module whose named exports Node cannot detect.
const require = createRequire(import.meta.url);
/**
 * Spectral compiles patterns without the `u` flag, so it does not understand `\p{Cc}`. JSON Schema requires the flag
 * (2020-12, section 6.4 of the core), and the validators of the server, the mock and Redocly set it.
 */
const knownWrong = ['client_name', 'client_name', 'client_id'].map((field) => ({
  code: 'oas3-valid-media-example',
  where: '/v2/auth/device',
  message: expect.stringMatching(new RegExp(`^"${field}" property must match pattern .*\\\\p\\{Cc\\}`)),
}));

it('spectral:oas finds nothing in the bundle, with every rule on', async () => {
  needPackages('@stoplight/spectral-core', '@stoplight/spectral-rulesets');
  const { Spectral } = require('@stoplight/spectral-core');
  const { oas } = require('@stoplight/spectral-rulesets');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] });
  const findings: Finding[] = await spectral.run(contract);
  expect(findings.map(({ code, path, message }) => ({ code, where: path[1], message }))).toEqual(knownWrong);
});
