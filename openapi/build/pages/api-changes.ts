import type { Json } from '../../codegen/document.ts';
import type { Change } from '../change-rules.ts';
import { contractChanges } from '../contract-changes.ts';
import type { Page } from './page.ts';

/** Returns the page that lists what changed between the released contracts, and since the last of them. */
export function apiChangesPage(released: readonly Json[], document: Json): Page {
  const steps = released.map((before, index) => [before, released[index + 1] ?? document] as const);
  const sections = steps.map(([before, after]) => {
    const changes = contractChanges(before, after);
    const isOpen = after === document;
    const title = isOpen ? `Since ${before.info.version}` : after.info.version;
    return `## ${title}\n\n${listed(changes)}`;
  });
  const markdown = `# Changes of the API

What clients can notice, from the difference of two contracts. The contract's version follows semantic versioning: a
change that can break a client comes only with a new first number. New operations, codes, fields and values of responses
are no such change, so ignore what you do not know. What changed in the server itself: [changelog](changelog.md).

${sections.toReversed().join('\n')}
`;
  return { path: 'api-changes', title: 'Changes of the API', markdown };
}

function listed(changes: readonly Change[]): string {
  if (changes.length === 0) return 'Nothing.\n';
  const breaking = changes.filter(({ isBreaking }) => isBreaking);
  const further = changes.filter(({ isBreaking }) => !isBreaking);
  const part = (title: string, of: readonly Change[]) =>
    of.length === 0
      ? ''
      : `**${title}**\n\n${[...grouped(of)].map(([text, where]) => `- ${text}: ${where}`).join('\n')}\n`;
  return [part('Can break a client', breaking), part('Can be ignored', further)].filter(Boolean).join('\n');
}

/** Joins the same change of several operations into one line. */
function grouped(changes: readonly Change[]): Map<string, string> {
  const few = 4;
  const byText = Map.groupBy(changes, ({ text }) => text);
  return new Map(
    [...byText].map(([text, same]) => {
      const names = [...new Set(same.map(({ operation }) => `\`${operation}\``))];
      const more = names.length - few;
      return [text, more > 1 ? `${names.slice(0, few).join(', ')} and ${more} more` : names.join(', ')];
    }),
  );
}
