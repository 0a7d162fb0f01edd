import { isErrorStatus } from '../../edge-error.ts';
import { parseLogTime } from './log-time.ts';

export const logFormats = ['nginx', 'caddy', 'traefik'] as const;

export type LogFormat = (typeof logFormats)[number];

/** One error of an access log. */
interface LoggedError {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly status: number;
  readonly method: string;
  /** Path, perhaps with a query. */
  readonly target: string;
}

/** The meaning of a line: an error, another request, or an unreadable line with the reason. */
type LogLine = { readonly error: LoggedError } | 'fine' | { readonly bad: string };

/** The raw values of a line. */
interface Fields {
  readonly status: unknown;
  readonly time: unknown;
  readonly method: unknown;
  readonly target: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * nginx has no JSON format of its own. The fields are recognised by the names of its variables, or by common other
 * names.
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

/**
 * Returns whether a line belongs to another log of Caddy, which may write all its logs to one file. The error log
 * repeats requests of the access log, and other logs have none.
 */
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

/** Detects the format by a field that the others lack. */
function formatOf(line: Json): LogFormat {
  if ('DownstreamStatus' in line || 'OriginStatus' in line || 'RequestMethod' in line) return 'traefik';
  const isCaddy =
    (typeof line.request === 'object' && line.request !== null) || ('level' in line && 'ts' in line && 'msg' in line);
  return isCaddy ? 'caddy' : 'nginx';
}

/**
 * Reads one JSON line of an access log.
 *
 * @param format undefined: detected for each line
 */
export function readLogLine(text: string, format: LogFormat | undefined): LogLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return { bad: 'it is not JSON' };
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return { bad: 'it is not a JSON object' };
  const found = formatOf(line as Json);
  if (found === 'caddy' && isOtherCaddyLog(line as Json)) return 'fine';
  if (format !== undefined && found !== format) return { bad: `it is not in the format of ${format}` };
  return lineOf(readers[found](line as Json));
}

function lineOf({ status: given, time, method, target }: Fields): LogLine {
  const status = typeof given === 'string' && /^[0-9]{1,3}$/.test(given) ? Number(given) : given;
  // Caddy, Traefik and nginx write 0 or 000 when the client disconnected before a response.
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 0 || status > 999)
    return { bad: 'it has no status' };
  if (!isErrorStatus(status)) return 'fine';
  const at = parseLogTime(time);
  if (at === undefined) return { bad: time === undefined ? 'it has no time' : 'its time is not a time with a zone' };
  // An unreadable request has neither. nginx writes both as ''.
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  if (!isText(method) || !isText(target)) return { bad: 'its method or path is not text' };
  return {
    error: { at, status, method: (method as string | undefined) ?? '', target: (target as string | undefined) ?? '' },
  };
}
