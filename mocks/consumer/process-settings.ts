/** How the package starts a server. A test compares these with `server/process-settings.ts`, which this code may not import. */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=16', '--heap-growing-percent=20'];

export const processEnv: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };
