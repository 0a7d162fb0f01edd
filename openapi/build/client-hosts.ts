import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { operationsOf, print, type Json } from '../codegen/document.ts';

/** Returns the first address of a server list, with the defaults of its variables. */
export function defaultAddress([server]: readonly Json[]): string {
  return server!.url.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => server!.variables[name].default);
}

/** Returns the address of each host other than the API's, by the door of its operations. */
function hostsOf(document: Json): Record<string, string> {
  return Object.fromEntries(
    operationsOf(document).flatMap(({ door, spec }) => (spec.servers ? [[door, defaultAddress(spec.servers)]] : [])),
  );
}

/**
 * Makes each function of the client call the host of its operation. The generator supports only one host, so the
 * functions of other hosts get their `baseUrl` from a table that users of the client may change.
 */
export async function writeHosts(source: string, document: Json): Promise<void> {
  const table = `// Made from openapi/ by \`npm run generate\`. Never edit it by hand.
/** The hosts beside the API's, as a server without settings has them. Set yours before the first request; a \`baseUrl\` of the call wins. */
export const hosts = ${print(hostsOf(document))};
`;
  await writeFile(join(source, 'hosts.ts'), table);
  const sdk = join(source, 'sdk.ts');
  let text = await readFile(sdk, 'utf8');
  for (const { id, path, method, door, spec } of operationsOf(document)) {
    if (!spec.servers) continue;
    const call = new RegExp(
      `(export const ${id} = .*?\\.${method}<.*?\\(\\{.*?)(url: '${path.replaceAll(/[{}]/g, '\\$&')}')`,
      's',
    );
    const changed = text.replace(call, `$1baseUrl: hosts.${door}, $2`);
    if (changed === text)
      throw new Error(
        `The generated client has no call of ${id}, so its host cannot be set. Check whether the generator's output changed.`,
      );
    text = changed;
  }
  await writeFile(sdk, text.replace(/^import /m, "import { hosts } from './hosts.js';\nimport "));
}
