import { sentFile, sentPart, type Call } from './call.ts';
import { literal } from './javascript.ts';

/** Prints a call with nothing but `fetch`, for Node and browsers. Files are read as in Node. */
export function fetchSample(call: Call): string {
  const { method, address, target, isAuthenticated, placeholder, headers, body, isJsonResponse, redirectStatus } = call;
  const sentHeaders: Record<string, string> = {
    ...(isAuthenticated && { Authorization: `Bearer ${placeholder}` }),
    ...headers,
  };
  const before: string[] = [];
  const options: string[] = [];
  if (method !== 'GET') options.push(`method: '${method}',`);
  let sent: string | undefined;
  if (body?.type === 'multipart/form-data') {
    before.push(
      `import { openAsBlob } from 'node:fs';\n`,
      'const form = new FormData();',
      `form.append('file', await openAsBlob('${sentFile}'), '${sentFile}');`,
    );
    sent = 'body: form,';
  } else if (body?.value === 'file') {
    before.push(`import { openAsBlob } from 'node:fs';\n`);
    sentHeaders['Content-Type'] = body.type;
    sent = `body: await openAsBlob('${sentPart}'),`;
  } else if (body?.type === 'application/x-www-form-urlencoded') {
    sent = `body: new URLSearchParams(${literal(body.value, '  ')}),`;
  } else if (body) {
    sentHeaders['Content-Type'] = body.type;
    sent =
      typeof body.value === 'string'
        ? `body: ${literal(body.value, '  ')},`
        : `body: JSON.stringify(${literal(body.value, '  ')}),`;
  }
  if (Object.keys(sentHeaders).length > 0) options.push(`headers: ${literal(sentHeaders, '  ')},`);
  if (sent) options.push(sent);
  if (redirectStatus) options.push(`redirect: 'manual',`);
  const isGood = redirectStatus ? `response.status === ${redirectStatus}` : 'response.ok';
  const result = redirectStatus
    ? `response.headers.get('Location')`
    : `await response.${isJsonResponse ? 'json' : 'text'}()`;
  const second = options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : '';
  return [
    ...before,
    `const response = await fetch('${address}${target}'${second});`,
    `if (!${isGood.includes(' ') ? `(${isGood})` : isGood}) throw new Error(\`\${response.status} \${await response.text()}\`);`,
    `console.log(${result});`,
  ].join('\n');
}
