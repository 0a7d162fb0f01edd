import { json, sentFile, sentPart, type Call } from './call.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Prints a call as a command for a shell. */
export function curlSample({
  method,
  address,
  target,
  isAuthenticated,
  placeholder,
  headers,
  body,
}: Omit<Call, 'operation'>): string {
  const lines = [`curl ${method === (body ? 'POST' : 'GET') ? '' : `-X ${method} `}${quoted(address + target)}`];
  if (isAuthenticated) lines.push(`-H ${quoted(`Authorization: Bearer ${placeholder}`)}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body?.type === 'multipart/form-data') lines.push(`-F file=@${sentFile}`);
  else if (body?.type === 'application/x-www-form-urlencoded')
    for (const [name, value] of Object.entries(body.value as Record<string, unknown>))
      lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  else if (body) {
    lines.push(`-H ${quoted(`Content-Type: ${body.type}`)}`);
    const text = typeof body.value === 'string' ? body.value : json(body.value);
    lines.push(body.value === 'file' ? `--data-binary @${sentPart}` : `-d ${quoted(text)}`);
  }
  return lines.join(' \\\n  ');
}
