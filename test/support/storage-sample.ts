import type { TestAccount, TestServer } from './server.ts';

/** Names that try to become markup, or to turn the text around them. */
export const hostile = {
  title: '<img src=x onerror=alert(1)> \u202Egpj.exe',
  note: '<script>alert(1)</script>\nsecond line \u202Eabc',
};

/**
 * Writes files, links, requests, rules and versions in the trash, as an account has them after some weeks.
 *
 * @param names whether some names try to become markup
 */
export async function fillStorage(
  server: TestServer,
  { credential }: TestAccount,
  names: 'hostile' | 'plain' = 'hostile',
): Promise<void> {
  const { title, note } = names === 'hostile' ? hostile : { title: 'A photo', note: 'From the sea' };
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await server.send(path, { method, credential, body: JSON.stringify(body), headers: json });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`);
    return answer.json().response;
  };
  const upload = async (query: string, text: string, fileName = `${text}.pdf`): Promise<string> => {
    const form = new FormData();
    form.append('file', new File([text.padEnd(600, '.')], fileName));
    const answer = await server.send(`/v1/objects?${query}`, { method: 'POST', credential, body: form });
    if (answer.status >= 300) throw new Error(`The upload ${query} answered ${answer.status}: ${answer.body}`);
    return answer.json().response.id;
  };
  await call('PUT', '/v1/account/settings', {
    rules: [
      { prefix: 'contracts', private: true, extensions: ['pdf'], max_size: 52_428_800, keep_deleted_days: 30 },
      { prefix: 'photos', expire: '365d', cache_control: 'immutable', delete_after_days: 400, keep_deleted_days: 7 },
      { prefix: 'photos/2026', keep_deleted_days: 90, keep_versions: 10 },
    ],
  });
  const lease = await upload('name=lease&prefix=contracts&private=true', 'lease');
  const offer = await upload('name=offer&prefix=contracts&private=true', 'offer');
  const photo = await upload('name=sea&prefix=photos/2026&security_hash=false', 'sea', 'sea.jpg');
  await upload('name=sea&prefix=photos/2026&security_hash=false', 'another sea', 'sea.jpg');
  await upload('name=hill&prefix=photos/2026', 'hill', 'hill.jpg');
  for (const name of ['draft', 'old', 'scan']) {
    const id = await upload(`name=${name}&prefix=contracts&private=true`, name);
    await call('DELETE', '/v1/objects', { object: id });
  }
  await call('POST', '/v1/shares', { object: lease, max_downloads: 3, password: 'example-password', landing: true });
  await call('POST', '/v1/shares', { objects: [lease, offer], title: 'Papers for the notary' });
  await call('POST', '/v1/shares', { prefix: 'photos', expires_in: 2_592_000 });
  await call('POST', '/v1/shares', { object: photo, landing: true, title, message: note });
  await call('POST', '/v1/file-requests', { title: 'Photos of the party', prefix: 'party', sender_folders: true });
  await call('POST', '/v1/file-requests', {
    title,
    note,
    prefix: 'inbox',
    max_files: 200,
    max_bytes: 5_368_709_120,
    allowed_extensions: ['jpg', 'png'],
    password: 'example-password',
  });
}

const json = { 'Content-Type': 'application/json' };
