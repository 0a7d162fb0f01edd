import type { App } from '../app.ts';
import { timestamp } from '#server/handlers/wire.ts';

/** Returns an application as the APIs and `--json` show it. */
export function appView({ id, name, createdAt, isBuiltIn }: App) {
  return { id, name, created_at: timestamp(createdAt), built_in: isBuiltIn };
}
