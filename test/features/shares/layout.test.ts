import { open, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import type { ArchiveEntry } from '#server/features/shares/entry.ts';
import { layOut, type ArchiveLayout } from '#server/features/shares/layout.ts';
import { tool, withFile } from '#test/support/archives.ts';
import { because, noProgram } from '#test/support/programs.ts';

const modifiedAt = Date.UTC(2026, 3, 21, 9, 31, 1);
const gibibyte = 1024 ** 3;

function entryOf(name: string, bytes: Uint8Array): ArchiveEntry {
  return { name, sizeBytes: bytes.length, crc32: crc32(bytes), modifiedAt };
}

/** Returns the bytes of a range, with the contents of the entries in their place. */
function bytesOf(
  layout: ArchiveLayout,
  contents: readonly Uint8Array[],
  start = 0,
  end = layout.sizeBytes - 1,
): Buffer {
  const pieces = [...layout.pieces({ start, end })];
  return Buffer.concat(
    pieces.map((piece) =>
      'bytes' in piece ? piece.bytes : contents[piece.entry]!.subarray(piece.range.start, piece.range.end + 1),
    ),
  );
}

async function listedByPython(path: string): Promise<Array<[string, number, number, number]>> {
  const script =
    'import json,sys,zipfile;print(json.dumps([[i.filename,i.file_size,i.CRC,i.header_offset] for i in ' +
    'zipfile.ZipFile(sys.argv[1]).infolist()]))';
  return JSON.parse(await tool('python3', '-c', script, path)) as Array<[string, number, number, number]>;
}

/** Writes the records of an archive into a sparse file, without the bytes of its entries. */
async function writeSparse(layout: ArchiveLayout, offsets: (entry: number) => number, path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    let at = 0;
    for (const piece of layout.pieces({ start: 0, end: layout.sizeBytes - 1 })) {
      if ('bytes' in piece) {
        await file.write(piece.bytes, 0, piece.bytes.length, at);
        at += piece.bytes.length;
      } else at += offsets(piece.entry);
    }
    expect(at).toBe(layout.sizeBytes);
  } finally {
    await file.close();
  }
}

const missing = noProgram('unzip', 'bsdtar', 'python3');

describe.skipIf(missing)(`layOut()${because(missing)}`, () => {
  const contents = [Buffer.from('first file\n'), Buffer.alloc(0), Buffer.from('Grüße, 世界'.repeat(50))];
  const entries = [
    entryOf('a.txt', contents[0]!),
    entryOf('folder/empty.txt', contents[1]!),
    entryOf('folder/Ärger 世界.txt', contents[2]!),
    { name: 'no files/', sizeBytes: 0, crc32: 0, modifiedAt },
  ];

  it('makes an archive that Python, unzip and bsdtar read, with times and names in UTF-8', async () => {
    const layout = await layOut(entries);
    const whole = bytesOf(layout, contents);
    expect(whole).toHaveLength(layout.sizeBytes);
    await withFile(
      (path) => writeFile(path, whole),
      async (path) => {
        expect((await listedByPython(path)).map(([name, size]) => [name, size])).toEqual(
          entries.map(({ name, sizeBytes }) => [name, sizeBytes]),
        );
        expect(await tool('python3', '-m', 'zipfile', '-t', path)).toContain('Done testing');
        expect(await tool('unzip', '-t', path)).toContain('No errors detected');
        expect(await tool('unzip', '-Z', '-T', path)).toContain('20260421.093101');
        expect(await tool('bsdtar', '-tf', path)).toBe(`${entries.map(({ name }) => name).join('\n')}\n`);
      },
    );
  });

  it('returns each byte of every range as in the whole', async () => {
    const layout = await layOut(entries);
    const whole = bytesOf(layout, contents);
    for (let start = 0; start < whole.length; start += 7)
      for (const length of [1, 2, 30, 31, 100, 700, whole.length]) {
        const end = Math.min(start + length, whole.length) - 1;
        expect(bytesOf(layout, contents, start, end).equals(whole.subarray(start, end + 1))).toBe(true);
      }
  });

  it('uses 64 bits only where they are needed', async () => {
    const small = bytesOf(await layOut(entries), contents);
    expect(small.includes(Buffer.from('PK\u0006\u0006'))).toBe(false);
    const exact = await layOut([{ name: 'a', sizeBytes: 0xffff_fffe, crc32: 1, modifiedAt }]);
    const [record] = exact.pieces({ start: 0, end: 0xff });
    expect('bytes' in record! && record.bytes.length).toBe(30 + 1 + 9);
  });

  it('lays out files of more than 4 GiB, and files behind them', async () => {
    const large = [
      { name: 'small.bin', sizeBytes: 10, crc32: 1, modifiedAt },
      { name: 'at the limit.bin', sizeBytes: 0xffff_ffff, crc32: 2, modifiedAt },
      { name: 'large.bin', sizeBytes: 6 * gibibyte, crc32: 3, modifiedAt },
      { name: 'behind.bin', sizeBytes: 5, crc32: 4, modifiedAt },
    ];
    const layout = await layOut(large);
    await withFile(
      (path) => writeSparse(layout, (at) => large[at]!.sizeBytes, path),
      async (path) => {
        const listed = await listedByPython(path);
        expect(listed.map(([name, size, crc]) => [name, size, crc])).toEqual(
          large.map((one) => [one.name, one.sizeBytes, one.crc32]),
        );
        for (const [index, [, , , offset]] of listed.entries()) {
          const [first] = layout.pieces({ start: offset, end: offset + 3 });
          expect('bytes' in first! && Buffer.from(first.bytes).toString('latin1'), String(index)).toBe(
            'PK\u0003\u0004',
          );
        }
        expect((await tool('unzip', '-Z1', path)).split('\n')).toContain('behind.bin');
      },
    );
  });

  it('lays out more than 65,535 files', async () => {
    const many = Array.from({ length: 70_000 }, (_, at) => ({ name: `f/${at}`, sizeBytes: 0, crc32: 0, modifiedAt }));
    const layout = await layOut(many);
    const whole = bytesOf(layout, []);
    expect(whole).toHaveLength(layout.sizeBytes);
    await withFile(
      (path) => writeFile(path, whole),
      async (path) => {
        const listed = await listedByPython(path);
        expect([listed.length, listed.at(-1)![0]]).toEqual([70_000, 'f/69999']);
      },
    );
  });

  it('keeps times that the old fields cannot hold at their ends', async () => {
    const times = [-1, 0, Date.UTC(1979, 11, 31), Date.UTC(2038, 0, 20), Date.UTC(2200, 0)];
    const layout = await layOut(
      times.map((at, index) => ({ ...entryOf(String(index), Buffer.alloc(0)), modifiedAt: at })),
    );
    await withFile(
      (path) => writeFile(path, bytesOf(layout, [])),
      async (path) => expect(await tool('unzip', '-t', path)).toContain('No errors detected'),
    );
  });
});
