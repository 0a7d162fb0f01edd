/**
 * `npm run mock` and `npm run sandbox` begin with this. Both need development dependencies, which `npm ci --omit=dev` leaves out: it says
 * so in words, where an import that fails would not.
 */
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** Where a development dependency lies; undefined when it is not installed. */
export function developmentModule(name: string): string | undefined {
  try {
    return resolve(name);
  } catch {
    return undefined;
  }
}

/** What each command imports that a production install lacks. */
const needed: Readonly<Record<string, readonly string[]>> = {
  mock: ['@stoplight/prism-http-server', '@stoplight/prism-http', '@stoplight/prism-core'],
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
