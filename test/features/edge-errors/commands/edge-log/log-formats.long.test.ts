import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readLogLine } from '#server/features/edge-errors/commands/edge-log/log-formats.ts';
import { parseLogTime } from '#server/features/edge-errors/commands/edge-log/log-time.ts';
import { caddyLine, nginxLine, traefikLine } from './log-lines.ts';

const at = Date.parse('2026-04-21T09:30:00.123Z');
const error = { at, status: 502, method: 'POST', path: '/checkout?step=2' };
const read = { at, status: 502, method: 'POST', target: '/checkout?step=2' };

describe('readLogLine()', () => {
  it.each([
    ['nginx', nginxLine],
    ['caddy', caddyLine],
    ['traefik', traefikLine],
  ] as const)('reads %s, with the format given or detected, and rejects it as another format', (format, line) => {
    expect(readLogLine(line(error), undefined)).toEqual({ error: read });
    expect(readLogLine(line(error), format)).toEqual({ error: read });
    for (const other of (['nginx', 'caddy', 'traefik'] as const).filter((one) => one !== format))
      expect(readLogLine(line(error), other)).toEqual({ bad: `it is not in the format of ${other}` });
    expect(readLogLine(line({ ...error, status: 200 }), format)).toBe('fine');
  });

  it('reads lines in the nginx format of docs/edge-errors.md', async () => {
    const docs = await readFile(join(import.meta.dirname, '../../../../../docs/edge-errors.md'), 'utf8');
    const [, format] = /^log_format cubby escape=json '(.+)';$/m.exec(docs)!;
    const variables = {
      $msec: '1776763800.123',
      $request_method: 'POST',
      $request_uri: '/checkout?step=2',
      $status: '502',
    };
    const line = format!.replace(/\$[a-z_]+/g, (name) => variables[name as keyof typeof variables]);
    expect(readLogLine(line, undefined)).toEqual({ error: read });
    expect(line).toBe(nginxLine(error));
  });

  it('accepts several names for the fields of nginx', () => {
    const line = (fields: object) => readLogLine(JSON.stringify({ status: 502, ...fields }), 'nginx');
    const whole = { ...read, at: Date.parse('2026-04-21T09:30:00Z') };
    expect(line({ time_iso8601: '2026-04-21T11:30:00+02:00', request: 'POST /checkout?step=2 HTTP/1.1' })).toEqual({
      error: whole,
    });
    expect(line({ time_local: '21/Apr/2026:11:30:00 +0200', method: 'POST', uri: '/checkout?step=2' })).toEqual({
      error: whole,
    });
    expect(line({ '@timestamp': '2026-04-21T09:30:00Z', request_method: 'POST', url: '/checkout?step=2' })).toEqual({
      error: whole,
    });
    // A request line that could not be read.
    expect(line({ msec: '1776763800.123', request_method: '', request_uri: '', request: '' })).toEqual({
      error: { ...read, method: '', target: '' },
    });
  });

  it('uses the status that Traefik sent to the client, or that of the server behind it if the log has no other', () => {
    const line = { StartUTC: '2026-04-21T09:30:00.123456789Z', RequestMethod: 'POST', RequestPath: '/checkout?step=2' };
    expect(readLogLine(JSON.stringify({ ...line, DownstreamStatus: 502, OriginStatus: 200 }), undefined)).toEqual({
      error: read,
    });
    expect(readLogLine(JSON.stringify({ ...line, OriginStatus: 502 }), undefined)).toEqual({ error: read });
  });

  it('counts a request once when Caddy writes its error log to the same file', () => {
    const access = JSON.parse(caddyLine(error)) as object;
    for (const logger of ['http.log.error', 'http.log.error.log0', 'http.handlers.reverse_proxy', 5])
      expect(readLogLine(JSON.stringify({ ...access, logger }), 'caddy')).toBe('fine');
    for (const logger of ['http.log.access', 'http.log.access.shop', undefined])
      expect(readLogLine(JSON.stringify({ ...access, logger }), 'caddy')).toEqual({ error: read });
  });

  it.each([
    { level: 'info', ts: 1776763800.123, msg: 'serving initial configuration' },
    { level: 'error', ts: 1776763800.123, logger: 'tls.obtain', msg: 'could not get certificate', status: 502 },
  ])('ignores the other lines that Caddy writes to the file of its access log', (line) => {
    for (const format of ['caddy', undefined] as const) expect(readLogLine(JSON.stringify(line), format)).toBe('fine');
  });

  it.each([
    ['no JSON', 'x', 'it is not JSON'],
    ['half a line', '{"status":502,"requ', 'it is not JSON'],
    ['the common format', '192.0.2.1 - - [21/Apr/2026:09:30:00 +0000] "GET / HTTP/1.1" 502 0', 'it is not JSON'],
    ['a number', '502', 'it is not a JSON object'],
    ['null', 'null', 'it is not a JSON object'],
    ['an array', '[{}]', 'it is not a JSON object'],
    ['no status', '{"msec":"1776763800.123"}', 'it has no status'],
    ['a status that is not a number', '{"msec":"1776763800.123","status":"-"}', 'it has no status'],
    ['a status of four digits', '{"msec":"1776763800.123","status":5020}', 'it has no status'],
    ['no time', '{"status":502,"request_uri":"/"}', 'it has no time'],
    ['a time without a zone', '{"status":502,"time":"2026-04-21T09:30:00"}', 'its time is not a time with a zone'],
    ['a day that does not exist', '{"status":502,"time":"2026-02-31T09:30:00Z"}', 'its time is not a time with a zone'],
    [
      'a request of Caddy without fields',
      '{"level":"info","ts":1,"logger":"http.log.access","msg":"handled request"}',
      'it has no status',
    ],
    ['a path that is not text', '{"status":502,"msec":1776763800.1,"request_uri":5}', 'its method or path is not text'],
  ])('says what is wrong with %s', (_, line, reason) => {
    expect(readLogLine(line, undefined)).toEqual({ bad: reason });
  });

  it.each(['0', '000', 0, 100, 304, 399, 600])('does not count status %s as an error', (status) => {
    expect(readLogLine(JSON.stringify({ status, msec: '1776763800.123' }), undefined)).toBe('fine');
  });
});

describe('parseLogTime()', () => {
  it.each([
    [1776763800.123, at],
    ['1776763800.123', at],
    [1776763800123, at],
    [1776763800123456, at],
    [Number('1776763800123456789'), at],
    ['2026-04-21T09:30:00.123Z', at],
    ['2026-04-21T09:30:00.123456789Z', at],
    ['2026-04-21 09:30:00.123 +0000', at],
    ['2026-04-21T11:30:00.123+0200', at],
    ['2026-04-21T05:30:00-04:00', at - 123],
    ['21/Apr/2026:09:30:00 +0000', at - 123],
    [0, 0],
  ])('reads %s', (time, instant) => {
    expect(parseLogTime(time)).toBe(instant);
  });

  it.each([
    undefined,
    null,
    '',
    'now',
    NaN,
    Infinity,
    -1,
    '2026-04-21',
    '2026/04/21 09:30:00',
    '21/Foo/2026:09:30:00 +0000',
    '31/Feb/2026:09:30:00 +0000',
    {},
    [],
  ])('refuses %s', (time) => {
    expect(parseLogTime(time)).toBeUndefined();
  });
});
