import type { Command } from 'commander';

import { checkConfig, ConfigProblems, type Config } from '#server/config/config.ts';
import { columns } from '../columns.ts';
import type { Answer, Operator } from '../operator.ts';

export function addConfigCheck(config: Command, operator: Operator): void {
  config
    .command('check')
    .description(
      'show the configuration in force and all its problems, including a master key that does not match the ' +
        'database; exit code 1 on any problem',
    )
    .action(async (_options: object, command: Command) => {
      const { config, problems: wrong, settings } = checkConfig(operator.env);
      // The stores can be checked only when the configuration names them.
      const problems = config ? await storeProblems(config) : wrong;
      operator.print(answerOf(settings, problems), command);
      if (problems.length > 0) throw new ConfigProblems(problems);
    });
}

async function storeProblems(config: Config): Promise<string[]> {
  const { problemsOfStores } = await import('#server/stores/open.ts');
  return problemsOfStores(config);
}

function answerOf(settings: ReturnType<typeof checkConfig>['settings'], problems: readonly string[]): Answer {
  const rows = settings.map(({ name, value, source }) => [
    name,
    value ?? 'not valid',
    source === 'default' ? '(default)' : '',
  ]);
  const verdict = problems.length === 0 ? '\n\nNo problems.' : '';
  return { json: { ok: problems.length === 0, settings, problems }, text: columns(rows) + verdict };
}
