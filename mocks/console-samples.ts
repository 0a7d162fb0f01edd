import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Sandbox } from './sandbox.ts';

/** The key of the account that the samples belong to. */
export function sampleKey({ accounts }: Sandbox): string {
  return accounts.find(({ plan }) => plan === 'enterprise')!.credential;
}

/** Fills an account and the installation, so that every screen of the console has something to show. */
export async function storeSamples(sandbox: Sandbox): Promise<void> {
  const base = sandbox.urls.api.replace(/\/$/, '');
  const send = sampleSender(sampleKey(sandbox));
  const api = (method: string, path: string, body?: unknown) => send(method, `${base}/v1${path}`, body);
  const upload = (name: string, bytes: Uint8Array, more: Readonly<Record<string, string>> = {}) => {
    const form = new FormData();
    form.append('file', new File([bytes as Uint8Array<ArrayBuffer>], name));
    const query = new URLSearchParams({ name: name.replace(/\.\w+$/, ''), ...more });
    return api('POST', `/objects?${query}`, form);
  };
  const picture = await readFile(join(import.meta.dirname, '../docs/cubby.png'));
  const zeros = (size: number) => Buffer.alloc(size, 1);
  const logo = await upload('logo.png', picture);
  await upload('team-photo.png', picture);
  await upload('notes.txt', Buffer.from('A few lines of text.\n'.repeat(60)));
  await upload('april.pdf', zeros(48_213), { prefix: 'invoices' });
  const lease = await upload('lease.pdf', zeros(91_840), { prefix: 'contracts', private: 'true' });
  await upload('salaries-2026.pdf', zeros(9184), { private: 'true', expire: '30d' });
  await upload('backup-of-the-website-with-a-long-name-that-does-not-fit-in-a-narrow-window.zip', zeros(2_000_000));
  for (const name of ['old-draft.txt', 'older-draft.txt'])
    await api('DELETE', '/objects', { objects: [(await upload(name, zeros(4096))).id] });

  await api('POST', '/shares', { object: logo.id });
  await api('POST', '/shares', { object: lease.id, max_downloads: 3, password: 'a long password', landing: true });
  await api('POST', '/shares', { prefix: 'contracts', title: 'Papers for May' });
  const deadline = new Date(Date.now() + 7 * 86_400_000).toISOString();
  await api('POST', '/file-requests', { title: 'Photos of the party', prefix: 'party', deadline, max_files: 200 });
  await api('POST', '/file-requests', { title: 'صور الحفلة', prefix: 'guests' });
  await api('PUT', '/account/settings', {
    rules: [
      { prefix: 'contracts/', private: true, extensions: ['pdf'], max_size: 52_428_800 },
      {
        prefix: 'invoices/',
        expire: '30d',
        cache_control: 'max-age=3600',
        delete_after_days: 365,
        keep_deleted_days: 30,
      },
    ],
  });
  await api('POST', '/webhooks', { url: 'https://example.invalid/hooks/cubby', types: ['object.*'] });
  await api('POST', '/account/keys', { name: 'Website', scopes: ['blob:read', 'blob:write'], prefixes: ['site'] });
  await api('POST', '/account/keys', { name: 'Assistant', scopes: ['ai:chat'], ai: { requests_per_day: 100 } });
  for (const content of ['What is an ETag?', 'And a weak one?', 'How do caches use it?'])
    await send('POST', `${base}/v2/ai/chat/completions`, { model: 'cubic', messages: [{ role: 'user', content }] });

  const operator = sandbox.urls.operator.replace(/\/$/, '');
  const operate = (path: string, body: unknown) =>
    send('POST', `${operator}/v2/operator${path}`, body, `Bearer ${sandbox.operatorKey}`);
  const accountId = sandbox.accounts.find(({ plan }) => plan === 'enterprise')!.accountId;
  await operate(`/accounts/${accountId}/apps`, { name: 'Shop' });
  await operate('/accounts', { name: 'A customer whose name is much longer than most others', plan: 'hobby' });
}

/** Returns a function that sends a request and returns the `response` of its answer. */
function sampleSender(ownKey: string) {
  return async (method: string, address: string, body?: unknown, key = ownKey): Promise<any> => {
    const answer = await fetch(address, {
      method,
      headers: { Authorization: key, ...(!(body instanceof FormData) && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The sample ${method} ${address} was refused: ${answer.status} ${text}`);
    return text === '' ? {} : (JSON.parse(text).response ?? {});
  };
}
