import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { nodeFlags, processEnv } from '#mocks/consumer/process-settings.js';

const command = ['node', ...nodeFlags, 'server/main.js'];
const settings = Object.entries(processEnv).map(([name, value]) => `${name}=${value}`);

it.each([
  ['package.json', '"start": "exec node mocks/start.js || node mocks/start.js"'],
  // Which takes the same settings from the same place.
  ['mocks/start.js', 'runServer()'],
  ['deploy/systemd/cubby.service', command.join(' ')],
  ['deploy/systemd/cubby.service', settings.join(' ')],
  ['deploy/Dockerfile', `CMD ${JSON.stringify(command).replaceAll(',', ', ')}`],
  ['deploy/Dockerfile', settings.join(' ')],
  ['docs/operating.md', [...settings, ...command].join(' ')],
])('%s starts a server with %s', (path, words) => {
  expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toContain(words);
});
