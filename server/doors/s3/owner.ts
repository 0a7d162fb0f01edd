import { element, type Xml } from './xml.ts';

/** An account, as lists name whose a file is and who has begun an upload. */
export function accountElement(
  role: 'Owner' | 'Initiator',
  { id, name }: { readonly id: string; readonly name: string },
): Xml {
  return element(role, accountFacts({ id, name }));
}

/** What is told of it. */
export function accountFacts({ id, name }: { readonly id: string; readonly name: string }): Xml[] {
  return [element('ID', id), element('DisplayName', name)];
}
