import type { Command } from 'commander';

import { checkConfig, ConfigProblems } from '#server/config.ts';
import { columns } from '../columns.ts';
import type { Answer, Operator } from '../operator.ts';

export function addConfigCheck(config: Command, operator: Operator): void {
  config
    .command('check')
    .description('show what is in force and every problem at once; exit code 1 when there are any')
    .action((_options: object, command: Command) => {
      const { problems, settings } = checkConfig(operator.env);
      operator.print(answerOf(settings, problems), command);
      if (problems.length > 0) throw new ConfigProblems(problems);
    });
}

function answerOf(settings: ReturnType<typeof checkConfig>['settings'], problems: readonly string[]): Answer {
  const rows = settings.map(({ name, value, source }) => [name, value ?? 'not valid', source === 'default' ? '(default)' : '']);
  const verdict = problems.length === 0 ? '\n\nNo problems.' : '';
  return { json: { ok: problems.length === 0, settings, problems }, text: columns(rows) + verdict };
}
