import { randomInt } from 'node:crypto';

import { formWith, sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { Replicas } from '../replicas.ts';
import type { Load } from './load.ts';

/** Sizes below and above the limit of files in the database, and files that take a while. */
const sizes = [600, 4_096, 16_384, 16_385, 70_000, 900_000];

/**
 * Uploads, replaces, reads and deletes files, each worker its own. After an acknowledged change every replica has to
 * show it.
 */
export function fileLoad(account: TestAccount, { workers = 6 } = {}): Load {
  /** The hash of each file's bytes, or `gone` for a deleted one. */
  const promised = new Map<string, string>();
  const wrong: string[] = [];
  let kept = 0;

  const idOf = (name: string) => `pub/${account.id}/${name}.png`;
  const look = async (replicas: Replicas, id: string, when: string, at?: number): Promise<void> => {
    const expected = promised.get(id)!;
    const { status, bytes } = await replicas.send(
      `/${id.replace(/^pub\//, '')}`,
      { door: 'public' },
      at === undefined ? {} : { at },
    );
    if (expected === 'gone' ? status !== 404 : status !== 200 || sha256(bytes) !== expected)
      wrong.push(`${when}: ${id} is ${status}, and was promised as ${expected.slice(0, 8)}`);
    else kept++;
  };

  return {
    async run(replicas, signal) {
      const work = async (worker: number): Promise<void> => {
        for (let count = 0; !signal.aborted; count++) {
          const doing = (['add', 'add', 'replace', 'delete'] as const)[count % 4]!;
          const name = `${worker}-${doing === 'add' ? count : count - 2}`;
          const id = idOf(name);
          const bytes = someBytes(sizes[randomInt(sizes.length)]);
          const { status, json } = await (doing === 'delete'
            ? replicas.send('/v1/objects', {
                method: 'DELETE',
                credential: account.credential,
                body: JSON.stringify({ object: id }),
              })
            : replicas.send(`/v1/objects?name=${name}`, {
                method: 'POST',
                credential: account.credential,
                body: formWith(bytes),
              }));
          // A deletion whose response was lost finds nothing the second time.
          const isDone = status === 200 || (doing === 'delete' && json?.code === 'OBJECT_NOT_FOUND');
          if (!isDone) {
            wrong.push(`${doing} ${id}: ${status} ${json?.code}`);
            promised.delete(id);
            continue;
          }
          promised.set(id, doing === 'delete' ? 'gone' : sha256(bytes));
          if (count % 3 === 0) await look(replicas, id, 'at once');
        }
      };
      await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    },
    async check(replicas) {
      const left = [...promised.keys()];
      const lookAtAll = async () => {
        for (let id = left.pop(); id !== undefined; id = left.pop())
          await look(replicas, id, 'at last', randomInt(replicas.count));
      };
      await Promise.all(Array.from({ length: 8 }, lookAtAll));
      return wrong.splice(0);
    },
    summary: () => `${kept} looks at ${promised.size} files found what was acknowledged`,
  };
}
