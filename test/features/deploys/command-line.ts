import type { CommandLine } from '#test/cli/command-line.ts';

/** An id of the right form that nothing has. */
const deploy = 'dep_0000000000000000';

export const wrong: CommandLine['wrong'] = [
  [['deploys', 'list'], /required option '--app <id>' not specified/],
  [['deploys', 'show', 'x'], /A deploy id is/],
  [['deploys', 'run', '--once'], /required option '--exec <command>' not specified/],
];

export const helped: CommandLine['helped'] = [
  ['deploys', 'list'],
  ['deploys', 'show'],
  ['deploys', 'run'],
];

export const unknown: CommandLine['unknown'] = [
  ['application', 'deploys', 'list', '--app', 'nope'],
  ['deploy', 'deploys', 'show', deploy],
  ['deploy', 'deploys', 'cancel', deploy],
  ['deploy', 'deploys', 'redeploy', deploy],
];
