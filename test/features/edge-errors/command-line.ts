import type { CommandLine } from '#test/cli/command-line.ts';

export const wrong: CommandLine['wrong'] = [
  [['edge-log', 'import', '--app', 'app_1'], /missing required argument 'files'/],
  [['edge-log', 'import', '/tmp/x'], /required option '--app <id>' not specified/],
  [['edge-log', 'import', '--app', 'a b', '/tmp/x'], /An application id is 1 to 64 characters/],
  [['edge-log', 'import', '--app', 'app_1', '--format', 'apache', '/tmp/x'], /The formats are nginx, caddy, traefik\./],
];

export const helped: CommandLine['helped'] = [['edge-log', 'import']];

export const unknown: CommandLine['unknown'] = [['application', 'edge-log', 'import', '--app', 'nope', 'FILE']];
