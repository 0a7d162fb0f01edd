import { aiLines } from './ai-lines.ts';
import type { Urls } from './compose/compose.ts';
import { createAccount } from './domain/access/create-account.ts';
import type { Stores } from './stores/open.ts';

/**
 * Creates one account with one key in an empty data folder. Returns the text for the person who started the server.
 * Returns `undefined` on every later start.
 */
export async function firstStart(
  stores: Stores,
  urls: Urls,
  ai: Parameters<typeof aiLines>[0],
): Promise<string | undefined> {
  if ((await stores.metadata.read.accounts.list()).length > 0) return undefined;
  const { accountId, credential } = await createAccount(stores, { name: 'first', plan: 'pro' });
  const curl = `curl -H "Authorization: ${credential}"`;
  return `
Cubby runs, and this data folder was empty, so here is your first account.
Keep the key now: it is stored nowhere and will not be shown again.

  account  ${accountId}  (plan: pro)
  key      ${credential}

Try it:

  # upload a picture
  curl -F "file=@docs/cubby.png" -H "Authorization: ${credential}" "${urls.base}/v1/objects?name=cubby"

  # list your files
  ${curl} "${urls.base}/v1/objects"

  # download it: public files need no key
  curl -o downloaded.png "${urls.public}/${accountId}/cubby.png"

  # delete it
  ${curl} -X DELETE -d '{"object":"pub/${accountId}/cubby.png"}' "${urls.base}/v1/objects"

  # ask the AI gateway; without a model (docs/ai.md) a development responder answers
  ${curl} -d '{"messages":[{"role":"user","content":"What is an ETag?"}]}' "${urls.api}/v2/ai/chat/completions"

${aiLines(ai, urls)}
Console: ${urls.api}/console
Documentation: ${urls.api}/docs
`;
}
