import { randomInt } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bytesOf, exchange, readAnswer, sendBytes, textsOf } from './exchange.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { numbersFrom } from '#test/support/numbers-from.ts';
import { mutate } from './mutation.ts';
import { postForm } from './signed-request.ts';

const mutations = process.env.CUBBY_TEST_LONG === '1' ? 20_000 : 500;
const workers = 4;
const maxBytes = 40;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** A form whose policy allows one key under `form/`, with a text of a few bytes. */
function formBytes(): Buffer {
  const conditions = [
    { bucket: 'private' },
    ['starts-with', '$key', 'form/'],
    ['starts-with', '$content-type', 'text/'],
    ['content-length-range', 1, maxBytes],
  ];
  const fields = postForm(
    gateway,
    { expiration: new Date(Date.now() + 3_600_000).toISOString(), conditions },
    { key: 'form/${filename}', 'Content-Type': 'text/plain' },
  );
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: ' +
    'text/plain\r\n\r\nwhat the form brings\r\n--b--\r\n';
  const body = Buffer.from(parts.join('') + file);
  const headers = [
    ['host', new URL(gateway.url).host],
    ['content-type', 'multipart/form-data; boundary=b'],
    ['content-length', String(body.length)],
  ] as const;
  return bytesOf({ method: 'POST', target: '/private', headers, body });
}

/** Sets the length to that of the changed body, so that the change is in more than the length. */
function withLength(wire: Buffer): Buffer {
  const bodyAt = wire.indexOf('\r\n\r\n') + 4;
  const head = wire
    .toString('latin1', 0, bodyAt)
    .replace(/content-length: \d+/, `content-length: ${wire.length - bodyAt}`);
  return Buffer.concat([Buffer.from(head, 'latin1'), wire.subarray(bodyAt)]);
}

describe('forms whose bytes are changed on the way', () => {
  it(
    `write only what their policy allows, and never cause a fault (${mutations.toLocaleString('en')} changes)`,
    { timeout: mutations * 60 + 60_000 },
    async () => {
      const seed = randomInt(2 ** 31);
      const problems: string[] = [];
      const counts = { refused: 0, accepted: 0 };
      const form = formBytes();
      const work = async (worker: number): Promise<void> => {
        const random = numbersFrom(seed + worker);
        for (let done = 0; done < mutations / workers && problems.length < 5; done++) {
          let mutated = form;
          for (let times = 1 + Math.floor(random() * 3); times > 0; times--)
            mutated = mutate(mutated, random, { keepsBody: false });
          const heard = await sendBytes(gateway.url, withLength(mutated), 1000).catch(() => Buffer.alloc(0));
          if (heard.length === 0) continue;
          const { status, text } = readAnswer(heard, 'POST');
          if (status < 300) counts.accepted++;
          else counts.refused++;
          // A changed header or field can ask for something that the gateway does not have.
          if (status >= 500 && status !== 501)
            problems.push(
              `seed ${seed + worker}, mutation ${done}: ${status} ${text.slice(0, 200)}\n${mutated.toString('latin1')}`,
            );
        }
      };
      await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
      expect(problems).toEqual([]);
      expect(counts.refused).toBeGreaterThan(mutations / 2);
      expect(counts.accepted).toBeGreaterThan(0);
      for (const bucket of ['private', 'public']) {
        const { text } = await exchange(gateway, { path: `/${bucket}` });
        expect(textsOf(text, 'Key').filter((key) => bucket !== 'private' || !key.startsWith('form/'))).toEqual([]);
        expect(
          textsOf(text, 'Size')
            .map(Number)
            .filter((sizeBytes) => sizeBytes < 1 || sizeBytes > maxBytes),
        ).toEqual([]);
      }
    },
  );
});
