import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { statement } from '#server/stores/sqlite/connection.ts';
import { connections, folder, withWriter } from './writer-in-test.ts';

withWriter();

describe('Connections', () => {
  it('writes durably, checks foreign keys and does not wait for locks', () => {
    const setting = (name: string) => Object.values(connections.writer.prepare(`PRAGMA ${name}`).get()!)[0];
    expect(['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(setting)).toEqual(['wal', 1, 1, 0]);
  });

  it('refuses writes through a reader', () => {
    expect(() => connections.reader.exec("INSERT INTO note (text) VALUES ('a')")).toThrow(/readonly/);
  });

  it('can be opened by several processes at once when the file is new', async () => {
    const fresh = join(folder, 'fresh.db');
    const code =
      `import { Connections } from '${import.meta.resolve('#server/stores/sqlite/connection.ts')}'; new ` +
      'Connections(process.argv[1]).close();';
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', code, fresh], { stdio: 'inherit' }),
    );
    expect(await Promise.all(children.map((child) => once(child, 'exit')))).toEqual(Array(4).fill([0, null]));
  });

  it('prepares a statement once for each connection', () => {
    expect(statement(connections.writer, 'SELECT 1')).toBe(statement(connections.writer, 'SELECT 1'));
    expect(statement(connections.writer, 'SELECT 1')).not.toBe(statement(connections.reader, 'SELECT 1'));
  });
});
