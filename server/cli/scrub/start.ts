import type { Command } from 'commander';

import { scrubStatus } from '#server/domain/store-check/scrub-status.ts';
import { startScrub } from '#server/domain/store-check/start-scrub.ts';
import { scrubView } from '#server/handlers/operator/views/upkeep.ts';
import type { Operator } from '../operator.ts';
import { scrubText } from './scrub-text.ts';

export function addScrubStart(scrub: Command, operator: Operator): void {
  scrub
    .command('start')
    .description(
      'let the server read all files now, and compare them with their hashes; it begins within five minutes, and ' +
        '"upkeep show" shows its progress; safe to repeat',
    )
    .action(
      operator.storesAction(async (stores) => {
        await startScrub(stores, operator.actor);
        const json = scrubView(await scrubStatus(stores));
        return { json, text: scrubText(json) };
      }),
    );
}
