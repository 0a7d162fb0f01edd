import { sentFile, sentPart, type Call } from './call.ts';
import { literal } from './javascript.ts';

/** Prints a call of the typed client, `cubby-server/client`. */
export function clientSample(call: Call): string {
  const { operation, address, target, isAuthenticated, placeholder, headers, body, redirectStatus } = call;
  const { id, path } = operation;
  const [pathOnly = '', query = ''] = target.split('?');
  const before = [`import { ${id} } from 'cubby-server/client';`];
  const options = [`baseUrl: '${address}',`];
  if (isAuthenticated) options.push(`auth: '${placeholder}',`);
  const inPath = pathValues(path, pathOnly);
  if (Object.keys(inPath).length > 0) options.push(`path: ${literal(inPath, '  ')},`);
  const inQuery = Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [name, typed(operation.spec, name, value)]),
  );
  if (Object.keys(inQuery).length > 0) options.push(`query: ${literal(inQuery, '  ')},`);
  if (Object.keys(headers).length > 0) options.push(`headers: ${literal(headers, '  ')},`);
  if (body?.type === 'multipart/form-data') {
    before.unshift(`import { openAsBlob } from 'node:fs';\n`);
    before.push('', `const bytes = await openAsBlob('${sentFile}');`);
    options.push(`body: { file: new File([bytes], '${sentFile}') },`);
  } else if (body?.value === 'file') {
    before.unshift(`import { openAsBlob } from 'node:fs';\n`);
    options.push(`body: await openAsBlob('${sentPart}'),`);
  } else if (body) {
    options.push(`body: ${literal(body.value, '  ')},`);
  }
  if (redirectStatus) {
    options.push(`redirect: 'manual',`);
    return [
      ...before,
      '',
      `const { response } = await ${id}({\n  ${options.join('\n  ')}\n});`,
      `if (response?.status !== ${redirectStatus}) throw new Error(String(response?.status));`,
      `console.log(response.headers.get('Location'));`,
    ].join('\n');
  }
  return [
    ...before,
    '',
    `const { data, error } = await ${id}({\n  ${options.join('\n  ')}\n});`,
    'if (error) throw new Error(JSON.stringify(error));',
    'console.log(data);',
  ].join('\n');
}

/** Returns the values of a path's parameters, decoded. */
function pathValues(template: string, path: string): Record<string, string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  // The last parameter of a path may hold slashes.
  const pattern = template.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '(.+?)');
  const found = new RegExp(`^${pattern}$`).exec(path) ?? [];
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
}

/** Returns a query's value as the client's types want it. */
function typed(spec: Call['operation']['spec'], name: string, value: string): unknown {
  const parameter = (spec.parameters ?? []).find((one: { readonly name?: string }) => one.name === name);
  switch ([parameter?.schema?.type].flat()[0]) {
    case 'integer':
    case 'number':
      return Number(value);
    case 'boolean':
      return value === 'true';
    default:
      return value;
  }
}
