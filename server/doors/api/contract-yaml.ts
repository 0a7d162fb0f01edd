import { dump } from 'js-yaml';

/** Returns a contract as YAML. */
export function yamlOf(contract: unknown): string {
  return dump(contract, { lineWidth: -1, noRefs: true });
}
