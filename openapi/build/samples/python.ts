import { indented, sentFile, sentPart, type Call } from './call.ts';

/** Prints a value as Python. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return String(value);
  const isList = Array.isArray(value);
  const deeper = `${indent}    `;
  const parts = isList
    ? value.map((entry) => literal(entry, deeper))
    : Object.entries(value).map(([name, entry]) => `${literal(name)}: ${literal(entry, deeper)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const line = `${open}${parts.join(', ')}${close}`;
  if (line.length + indent.length <= 80 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close}`;
}

/** Prints a call with `requests`, which Debian has as python3-requests. */
export function pythonSample(call: Call): string {
  const { method, address, target, isAuthenticated, placeholder, headers, body, isJsonResponse } = call;
  const sentHeaders: Record<string, string> = {
    ...(isAuthenticated && { Authorization: `Bearer ${placeholder}` }),
    ...headers,
  };
  const options: string[] = [];
  if (body?.type === 'multipart/form-data') options.push(`files={"file": open("${sentFile}", "rb")},`);
  else if (body?.value === 'file') {
    sentHeaders['Content-Type'] = body.type;
    options.push(`data=open("${sentPart}", "rb"),`);
  } else if (body?.type === 'application/x-www-form-urlencoded') options.push(`data=${literal(body.value, '    ')},`);
  else if (body && typeof body.value === 'string') {
    sentHeaders['Content-Type'] = body.type;
    options.push(`data=${literal(body.value)},`);
  } else if (body) options.push(`json=${literal(body.value, '    ')},`);
  if (Object.keys(sentHeaders).length > 0) options.unshift(`headers=${literal(sentHeaders, '    ')},`);
  const args = [`"${address}${target}",`, ...options].map((line) => indented(line, ''));
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...args.map((line) => `    ${line}`),
    ')',
    'if not response.ok:',
    '    raise SystemExit(f"{response.status_code} {response.text}")',
    `print(response.${isJsonResponse ? 'json()' : 'text'})`,
  ].join('\n');
}
