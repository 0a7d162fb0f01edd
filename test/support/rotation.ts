import { randomBytes } from 'node:crypto';

import { parseConfig } from '#server/config/config.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { openLog } from '#server/log.ts';
import { openStores } from '#server/stores/open.ts';
import {
  rotateMasterKey,
  type RotateCommand,
  type RotationReport,
  type RotationStep,
} from '#server/stores/rotate-master-key.ts';
import { settingsOfOpened } from './chosen-store.ts';

export const dayMs = 86_400_000;

/** How often the servers of these tests look for a rotation. */
export const reloadKeysEveryMs = 50;

interface RotationOptions extends Partial<Pick<RotateCommand, 'graceMs' | 'isLeaked' | 'newKey' | 'waitMs'>> {
  /** Variables of the command besides the data folder. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onStep?: (step: RotationStep) => void;
}

/** Rotates the master key as the command does, with the clock of a server. The grace period is two days. */
export async function rotate(
  { dataDir, clock }: { readonly dataDir: string; readonly clock?: Clock },
  { env = {}, ...options }: RotationOptions = {},
): Promise<RotationReport> {
  const config = parseConfig({
    CUBBY_DATA_DIR: dataDir,
    CUBBY_MIN_FREE_BYTES: '0',
    ...(await settingsOfOpened(dataDir)),
    ...env,
  });
  const stores = await openStores(config, openLog('silent'), { ...(clock && { clock }), sync: false });
  const given = { graceMs: 2 * dayMs, isLeaked: false, newKey: undefined, waitMs: 10 * reloadKeysEveryMs };
  try {
    return await rotateMasterKey({ config, stores, by: serverActor, onStep: () => {}, ...given, ...options });
  } finally {
    await stores.close();
  }
}

/** Makes a master key as an operator does. */
export function ownKey(): string {
  return randomBytes(32).toString('hex');
}
