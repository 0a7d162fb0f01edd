import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { untilStopped } from '#server/cli/until-stopped.ts';
import { onStopSignal } from '#server/stop-signals.ts';
import { sourceFiles } from '#test/architecture/imports.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;
/** The handlers of the process that the tests share with others. They are put back after each. */
let others: ReadonlyArray<readonly [NodeJS.Signals, readonly NodeJS.SignalsListener[]]>;
beforeEach(() => {
  others = signals.map((signal) => [signal, process.listeners(signal) as NodeJS.SignalsListener[]]);
  for (const signal of signals) process.removeAllListeners(signal);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const [signal, listeners] of others) {
    process.removeAllListeners(signal);
    for (const listener of listeners) process.on(signal, listener);
  }
});

describe('onStopSignal()', () => {
  it('stops at the first signal, and changes nothing at further ones, of either kind', () => {
    const stop = vi.fn();
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    onStopSignal(stop);
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGTERM', 'SIGTERM');
    expect(stop.mock.calls).toEqual([['SIGINT']]);
    expect(exit).not.toHaveBeenCalled();
  });

  it('ends the process at a signal after the time of a stop', () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    onStopSignal(() => {}, { graceMs: 500 });
    process.emit('SIGTERM', 'SIGTERM');
    clock.mockReturnValue(1_500);
    process.emit('SIGTERM', 'SIGTERM');
    expect(exit).not.toHaveBeenCalled();
    clock.mockReturnValue(1_501);
    process.emit('SIGINT', 'SIGINT');
    expect(exit.mock.calls).toEqual([[130]]);
  });
});

describe('untilStopped()', () => {
  it('lets work end although the signal comes twice, also the second time after the work', async () => {
    vi.useFakeTimers();
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const result = untilStopped(
      ({ signal }) => new Promise((done) => signal.addEventListener('abort', () => done('all of it'))),
    );
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGINT', 'SIGINT');
    expect(await result).toBe('all of it');
    // Without a handler this one would end the process before it has printed its report.
    expect(process.listenerCount('SIGINT')).toBe(1);
    process.emit('SIGINT', 'SIGINT');
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(32_000);
    expect(process.listenerCount('SIGINT')).toBe(0);
  });

  it('leaves no handler behind if no signal came', async () => {
    await untilStopped(async () => {});
    for (const signal of signals) expect(process.listeners(signal)).toEqual([]);
  });
});

/** Files that take these signals in another way, and why. */
const inAnotherWay: Readonly<Record<string, string>> = {
  'server/stop-signals.ts': 'the one place',
  'server/backends/task-child.ts': 'it ignores them: its parent ends it',
  'server/compose/backup-process/child.ts': 'it ignores them: its parent ends it',
  'mocks/consumer/command.ts': 'it runs on Node 20 too, without the files of the server. It keeps its handlers',
  'mocks/consumer/run-program.js': 'it passes them on to the server, and keeps its handlers',
  'mocks/sandbox/process.ts': 'its stop runs once, whoever asks for it',
};

it('no other file of the server or the sandbox takes a signal only once, after which the second one kills', () => {
  const root = join(import.meta.dirname, '../..');
  const takes = /process\s*\.(on|once)\(\s*(signal|name|'SIG(INT|TERM)')|once\(process, *(signal|name|'SIG)/;
  const found = sourceFiles()
    .filter((file) => /^(server|mocks)\//.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => /'SIG(INT|TERM)'/.test(text) && takes.test(text))
    .map(({ file }) => file);
  expect(found).toEqual(Object.keys(inAnotherWay).toSorted());
});
