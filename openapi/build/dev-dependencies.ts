/**
 * `npm run mock` and `npm run sandbox` (mocks/start.js) start with this check. Both need development dependencies, which `npm ci
 * --omit=dev` leaves out. This prints a message instead of a failed import.
 */
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** Returns the path of a development dependency, or undefined if it is not installed. */
export function developmentModule(name: string): string | undefined {
  try {
    return resolve(name);
  } catch {
    return undefined;
  }
}

/** The development dependencies that each command imports. */
const needed: Readonly<Record<string, readonly string[]>> = {
  mock: ['@stoplight/prism-http', '@stoplight/prism-core'],
  sandbox: ['ajv', 'ajv-formats'],
};

if (import.meta.main) {
  const command = process.argv[2] ?? '';
  const missing = (needed[command] ?? []).filter((name) => developmentModule(name) === undefined);
  if (missing.length > 0) {
    console.error(
      `npm run ${command} needs development dependencies, which --omit=dev leaves out: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed. Run npm ci without --omit=dev.`,
    );
    process.exitCode = 1;
  }
}
