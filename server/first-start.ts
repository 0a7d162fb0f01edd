import type { App } from './compose/compose.ts';
import type { Urls } from './compose/given.ts';
import { createAccount } from './domain/access/create-account.ts';
import { underLease } from './domain/ports/job-leases.ts';
import { buildConsoleCommand, type SiteState } from './doors/site/site-state.ts';
import type { Stores } from './stores/open.ts';

/**
 * Creates one account with one key in an empty store. Returns the text for the person who started the server. Returns
 * `undefined` on every later start, and if another server that started at the same time creates the account.
 */
export async function firstStart(
  { stores, sites, startLines, firstSteps }: Pick<App, 'stores' | 'sites' | 'startLines' | 'firstSteps'>,
  urls: Urls,
): Promise<string | undefined> {
  const created = await createFirst(stores);
  if (!created) return undefined;
  const { accountId, credential } = created;
  const curl = `curl -H "Authorization: ${credential}"`;
  const further = firstSteps(curl)
    .map((step) => `  ${step}\n\n`)
    .join('');
  return `
Cubby runs, and this data folder was empty, so here is your first account.
Keep the key now: it is stored nowhere and will not be shown again.

  account  ${accountId}  (plan: pro)
  key      ${credential}

Try it:

  # upload a file: a thousand numbers
  seq 1000 | ${curl} -F "file=@-;filename=numbers.txt" "${urls.base}/v1/objects?name=numbers"

  # list your files
  ${curl} "${urls.base}/v1/objects"

  # download it: public files need no key
  curl -o downloaded.txt "${urls.public}/${accountId}/numbers.txt"

  # delete it
  ${curl} -X DELETE -d '{"object":"pub/${accountId}/numbers.txt"}' "${urls.base}/v1/objects"

${further}${startLines.join('\n')}
${addressOf('Console', `${urls.api}/console`, sites.console, buildConsoleCommand)}
${addressOf('Documentation', `${urls.api}/docs`, sites.docs, 'npm run docs')}
`;
}

async function createFirst(stores: Stores): Promise<{ accountId: string; credential: string } | undefined> {
  const isFirst = async () => (await stores.metadata.read.accounts.list()).length === 0;
  if (!(await isFirst())) return undefined;
  const leases = stores.shared?.jobLeases;
  const lease = await leases?.take('first-account', 0);
  if (leases && !lease) return undefined;
  try {
    const metadata = lease ? underLease(stores.metadata, lease) : stores.metadata;
    // Another server may have been quicker.
    return (await isFirst()) ? await createAccount({ ...stores, metadata }, { name: 'first', plan: 'pro' }) : undefined;
  } finally {
    if (lease) await leases!.end(lease);
  }
}

/** Prints the address of a site, or how it is made. */
function addressOf(name: string, url: string, state: SiteState, command: string): string {
  if (state === 'missing') return `${name}: not built. In the folder of the server, run: ${command}`;
  return state === 'built'
    ? `${name}: ${url}`
    : `${name}: ${url} (being built now; the page shows it as soon as it is there)`;
}
