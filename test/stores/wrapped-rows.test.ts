import { expect, it } from 'vitest';

import { parseConfig } from '#server/config/config.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { openLog } from '#server/log.ts';
import { wrappedRows } from '#server/stores/wrapped-rows.ts';
import { randomIds } from '#server/stores/system/ids.ts';

const given = {
  config: parseConfig({}),
  log: openLog('silent'),
  metadata: named('rows'),
  ids: randomIds,
  isServing: false,
  tracing: undefined,
};

function named(name: string): Metadata {
  return { name } as unknown as Metadata;
}

/** Returns a wrapper whose rows name what they wrap, and that tells of its end. */
function wrapper(name: string, ended: string[]) {
  return {
    wrapRows: ({ metadata }: { readonly metadata: Metadata }) => ({
      metadata: named(`${name}(${(metadata as unknown as { readonly name: string }).name})`),
      ports: { [name]: true },
      async close() {
        ended.push(name);
      },
    }),
  };
}

it('wrappedRows() wraps what the wrapper before returned, and ends the last one first', async () => {
  const ended: string[] = [];
  const { metadata, ports, close } = await wrappedRows([wrapper('first', ended), wrapper('second', ended)], given);
  expect(metadata).toEqual({ name: 'second(first(rows))' });
  expect(ports).toEqual({ first: true, second: true });
  await close();
  expect(ended).toEqual(['second', 'first']);
});

it('wrappedRows() returns the rows themselves without a wrapper', async () => {
  expect((await wrappedRows([], given)).metadata).toBe(given.metadata);
});

it('wrappedRows() ends the wrappers before one that throws, the last one first', async () => {
  const ended: string[] = [];
  const broken = {
    wrapRows() {
      throw new Error('broken');
    },
  };
  const wrappers = [wrapper('first', ended), wrapper('second', ended), broken, wrapper('fourth', ended)];
  await expect(wrappedRows(wrappers, given)).rejects.toThrow('broken');
  expect(ended).toEqual(['second', 'first']);
});
