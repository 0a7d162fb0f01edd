import { sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { Replicas } from '../replicas.ts';
import type { Load } from './load.ts';

const path = '/v1/objects/chunked';
const partBytes = 5_242_880;

/** Uploads in parts. Any replica takes any part and the completion, and the file has exactly the acknowledged parts. */
export function chunkedLoad(account: TestAccount, { workers = 2 } = {}): Load {
  const wrong: string[] = [];
  let completed = 0;
  const { credential } = account;

  const uploadOne = async (replicas: Replicas, name: string): Promise<void> => {
    const started = await replicas.send(`${path}?name=${name}`, { method: 'POST', credential });
    if (started.status !== 200)
      return void wrong.push(`${name} could not begin: ${started.status} ${started.json?.code}`);
    const { upload, id } = started.json.response as { upload: string; id: string };
    const parts = [someBytes(partBytes), someBytes(70_000)];
    const puts = await Promise.all(
      parts.map((bytes, at) =>
        replicas.send(`${path}?upload=${upload}&part=${at + 1}`, {
          method: 'PUT',
          credential,
          body: bytes as Uint8Array<ArrayBuffer>,
        }),
      ),
    );
    for (const { status, json } of puts) if (status !== 200) wrong.push(`a part of ${name}: ${status} ${json?.code}`);
    const body = JSON.stringify({ upload });
    const done = await replicas.send(path, { method: 'PATCH', credential, body });
    if (done.status !== 200)
      return void wrong.push(`${name} could not be completed: ${done.status} ${done.json?.code}`);
    const file = await replicas.send(`/${id.replace(/^pub\//, '')}`, { door: 'public' });
    if (file.status !== 200 || sha256(file.bytes) !== sha256(Buffer.concat(parts)))
      wrong.push(`${name} is ${file.status} with other bytes`);
    completed++;
    // Otherwise ten minutes would fill the disk.
    await replicas.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ object: id }) });
  };

  return {
    async run(replicas, signal) {
      const work = async (worker: number): Promise<void> => {
        for (let count = 0; !signal.aborted; count++) await uploadOne(replicas, `chunked-${worker}-${count}`);
      };
      await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    },
    check: async () => wrong.splice(0),
    summary: () => `${completed} chunked uploads were completed`,
  };
}
