import type { Cubby } from './cubby.ts';

/** Returns action, account and subject of each entry of the audit log. */
export async function actionsOf(cubby: Cubby): Promise<unknown[]> {
  const { stdout } = await cubby('audit', 'export');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ action, account_id, subject }) => [action, account_id, subject]);
}
