// Made from mocks/consumer/ by `npm run generate`. Never edit it by hand.
/** How the package starts a server. A test compares these with `server/process-settings.ts`, which this code may not import. */
export const nodeFlags = ['--max-semi-space-size=16', '--heap-growing-percent=20'];
export const processEnv = { MALLOC_ARENA_MAX: '1' };
