import type { SampleError } from '#test/support/edge-errors.ts';

/** Lines as the three proxies write them, with the fields around those that count. */

/** Returns a line with the `log_format` of docs/edge-errors.md. */
export function nginxLine({ at, status, method, path }: SampleError): string {
  const [msec, uri] = [(at / 1000).toFixed(3), JSON.stringify(path)];
  return `{"msec":"${msec}","request_method":"${method}","request_uri":${uri},"status":"${status}"}`;
}

/** @see https://caddyserver.com/docs/logging */
export function caddyLine({ at, status, method, path }: SampleError): string {
  const request = {
    remote_ip: '192.0.2.1',
    remote_port: '41342',
    client_ip: '192.0.2.1',
    proto: 'HTTP/2.0',
    method,
    host: 'example.invalid',
    uri: path,
    headers: { 'User-Agent': ['curl/8.14.1'], Accept: ['*/*'] },
    tls: { resumed: false, version: 772, cipher_suite: 4865, proto: 'h2', server_name: 'example.invalid' },
  };
  return JSON.stringify({
    level: 'error',
    ts: at / 1000,
    logger: 'http.log.access.log0',
    msg: 'handled request',
    request,
    bytes_read: 0,
    user_id: '',
    duration: 0.0009,
    size: 0,
    status,
    resp_headers: { Server: ['Caddy'] },
  });
}

/** @see https://doc.traefik.io/traefik/reference/install-configuration/observability/logs-and-accesslogs/ */
export function traefikLine({ at, status, method, path }: SampleError): string {
  const startUtc = new Date(at).toISOString().replace('Z', '456789Z');
  return JSON.stringify({
    ClientAddr: '192.0.2.1:41342',
    ClientHost: '192.0.2.1',
    ClientPort: '41342',
    ClientUsername: '-',
    DownstreamContentSize: 11,
    DownstreamStatus: status,
    Duration: 1234567,
    OriginContentSize: 11,
    OriginDuration: 1000000,
    OriginStatus: status,
    Overhead: 234567,
    RequestAddr: 'example.invalid',
    RequestContentSize: 0,
    RequestCount: 7,
    RequestHost: 'example.invalid',
    RequestMethod: method,
    RequestPath: path,
    RequestPort: '-',
    RequestProtocol: 'HTTP/1.1',
    RequestScheme: 'https',
    RetryAttempts: 0,
    RouterName: 'web@docker',
    ServiceName: 'web@docker',
    StartLocal: startUtc,
    StartUTC: startUtc,
    entryPointName: 'websecure',
    level: 'info',
    msg: '',
    time: new Date(at + 5).toISOString(),
  });
}
