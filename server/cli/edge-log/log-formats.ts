import { isErrorStatus } from '#server/domain/edge-errors/edge-error.ts';
import { parseLogTime } from './log-time.ts';

export const logFormats = ['nginx', 'caddy', 'traefik'] as const;

export type LogFormat = (typeof logFormats)[number];

/** One error of an access log, as the log says it. */
export interface LoggedError {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly status: number;
  readonly method: string;
  /** Perhaps with a query. */
  readonly target: string;
}

/** What a line is: an error, a request that was answered otherwise, or neither, and why. */
export type LogLine = { readonly error: LoggedError } | 'fine' | { readonly bad: string };

/** What a format's line says, as it stands there. */
interface Fields {
  readonly status: unknown;
  readonly time: unknown;
  readonly method: unknown;
  readonly target: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * nginx has no format of its own in JSON; the fields are known by the names of its variables, or by those that people
 * mostly give them.
 *
 * @see https://nginx.org/en/docs/http/ngx_http_log_module.html
 */
function nginxFields(line: Json): Fields {
  const [method, target] = typeof line.request === 'string' ? line.request.split(' ') : [];
  return {
    status: line.status,
    time: line.msec ?? line.time_iso8601 ?? line.time ?? line.timestamp ?? line['@timestamp'] ?? line.time_local,
    method: line.request_method ?? line.method ?? method,
    target: line.request_uri ?? line.uri ?? line.path ?? line.url ?? target,
  };
}

/** @see https://caddyserver.com/docs/logging */
function caddyFields({ request, status, ts }: Json): Fields {
  const { method, uri } = (request ?? {}) as Json;
  return { status, time: ts, method, target: uri };
}

/** Caddy may write all its logs to one file: that of errors, which tells of the same requests as the access log, and what tells of none. */
function isOtherCaddyLog({ logger, request }: Json): boolean {
  if (logger === undefined) return request === undefined;
  return !(typeof logger === 'string' && /^http\.log\.access(\.|$)/.test(logger));
}

/** @see https://doc.traefik.io/traefik/reference/install-configuration/observability/logs-and-accesslogs/ */
function traefikFields(line: Json): Fields {
  return {
    status: line.DownstreamStatus ?? line.OriginStatus,
    time: line.StartUTC ?? line.StartLocal ?? line.time,
    method: line.RequestMethod,
    target: line.RequestPath,
  };
}

const readers: Readonly<Record<LogFormat, (line: Json) => Fields>> = {
  nginx: nginxFields,
  caddy: caddyFields,
  traefik: traefikFields,
};

/** By a field that the others do not have. */
function formatOf(line: Json): LogFormat {
  if ('DownstreamStatus' in line || 'OriginStatus' in line || 'RequestMethod' in line) return 'traefik';
  const isCaddy =
    (typeof line.request === 'object' && line.request !== null) || ('level' in line && 'ts' in line && 'msg' in line);
  return isCaddy ? 'caddy' : 'nginx';
}

/**
 * Reads one line of an access log, in JSON.
 *
 * @param format guessed for each line when left out
 */
export function readLogLine(text: string, format: LogFormat | undefined): LogLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return { bad: 'it is no JSON' };
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return { bad: 'it is no JSON object' };
  const found = formatOf(line as Json);
  if (found === 'caddy' && isOtherCaddyLog(line as Json)) return 'fine';
  if (format !== undefined && found !== format) return { bad: `it is not ${format}'s` };
  return lineOf(readers[found](line as Json));
}

function lineOf({ status: given, time, method, target }: Fields): LogLine {
  const status = typeof given === 'string' && /^[0-9]{1,3}$/.test(given) ? Number(given) : given;
  // 0 and 000 are what Caddy, Traefik and nginx write when the client went away before an answer.
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 0 || status > 999)
    return { bad: 'it has no status' };
  if (!isErrorStatus(status)) return 'fine';
  const at = parseLogTime(time);
  if (at === undefined) return { bad: time === undefined ? 'it has no time' : 'its time is none, or has no zone' };
  // A request that could not be read has neither, and nginx writes both as ''.
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  if (!isText(method) || !isText(target)) return { bad: 'its method or path is no text' };
  return {
    error: { at, status, method: (method as string | undefined) ?? '', target: (target as string | undefined) ?? '' },
  };
}
