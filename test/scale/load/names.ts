import { someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { Replicas } from '../replicas.ts';
import type { Load } from './load.ts';

/** Uploads and replaces files under names of their own. Every replica has to show the name of the last upload. */
export function nameLoad(account: TestAccount, { workers = 3 } = {}): Load {
  const wrong: string[] = [];
  const promised = new Map<string, string>();
  const { credential } = account;

  const upload = async (replicas: Replicas, key: string, name: string): Promise<void> => {
    const body = new FormData();
    body.append('file', new Blob([someBytes(600)]), name);
    const { status, bytes, json } = await replicas.send(`/v1/objects?name=${key}`, {
      method: 'POST',
      credential,
      body,
    });
    if (status === 200) promised.set(json.response.id as string, name);
    else wrong.push(`upload of ${name}: ${status} ${bytes}`);
  };

  const look = async (replicas: Replicas, id: string, at?: number): Promise<void> => {
    const path = `/v1/objects/info?object=${encodeURIComponent(id)}`;
    const { status, json } = await replicas.send(path, { credential }, at === undefined ? {} : { at });
    const found: unknown = status === 200 ? json.response.original_name : status;
    if (found !== promised.get(id)) wrong.push(`${id} has the name ${String(found)}, and not ${promised.get(id)}`);
  };

  return {
    async run(replicas, signal) {
      const work = async (worker: number): Promise<void> => {
        for (let count = 0; !signal.aborted; count++) {
          // Each file is replaced once.
          const key = `named-${worker}-${count >> 1}`;
          await upload(replicas, key, `${worker}-${count}.png`);
          await look(replicas, `pub/${account.id}/${key}.png`);
        }
      };
      await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    },
    async check(replicas) {
      for (const [index, id] of [...promised.keys()].entries()) await look(replicas, id, index % replicas.count);
      return wrong.splice(0);
    },
    summary: () => `${promised.size} files have the name of their last upload`,
  };
}
