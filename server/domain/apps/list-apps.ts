import type { Reads } from '../ports/metadata.ts';
import type { App } from './app.ts';

/** All applications of an account: the built-in one first, then by age. */
export function listApps({ metadata }: { readonly metadata: Reads<'apps'> }, accountId: string): Promise<App[]> {
  return metadata.read.apps.listOf(accountId);
}
