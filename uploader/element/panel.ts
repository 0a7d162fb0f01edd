import { makeAnnouncer, type Announcer } from './announcer.ts';
import { makeDropZone, type DropZone } from './drop-zone.ts';
import type { Brought } from './found-files.ts';
import type { Takings } from './intake.ts';
import type { Limits } from './limits.ts';
import { partElement } from './part-element.ts';
import type { RowOptions } from './row.ts';
import { makeRows, type Rows } from './rows.ts';
import { elementSheet } from './style.ts';
import type { Texts } from './texts.ts';
import { makeTotals, type TotalAction, type TotalsView } from './totals.ts';

/** The most file names in a message about rejected files. */
const mostNames = 5;

interface PanelOptions extends RowOptions {
  take(brought: Brought): void;
  actOnAll(action: TotalAction): void;
}

/** The visible parts of the element. */
export interface Panel {
  readonly zone: DropZone;
  readonly rows: Rows;
  readonly totals: TotalsView;
  readonly announcer: Announcer;
  /** Shows which files were rejected and why. Returns these sentences. */
  noteTakings(takings: Takings, limits: Limits, isOver: boolean): readonly string[];
  clearNote(): void;
  /** Shows everything again in the current language. */
  label(): void;
  showHidden(): void;
}

export function makePanel(root: ShadowRoot, options: PanelOptions): Panel {
  const [note, list, more, said] = [
    partElement('p', 'note'),
    partElement('ul', 'list'),
    partElement('p', 'more'),
    partElement('p', 'said'),
  ];
  const zone = makeDropZone(options.take);
  const totals = makeTotals(options.actOnAll);
  const rows = makeRows(list, options);
  root.adoptedStyleSheets = [elementSheet()];
  // Safari does not treat a list without bullets as a list.
  list.setAttribute('role', 'list');
  said.setAttribute('role', 'status');
  root.append(zone.element, note, totals.element, list, more, said);
  return {
    zone,
    rows,
    totals,
    announcer: makeAnnouncer(said, options.texts),
    noteTakings({ taken, refused }, limits, isOver) {
      const texts: Texts = options.texts();
      const sentences = [...refused].map(([reason, { paths, count }]) =>
        texts.saysRefused(texts.refused(reason, limits), paths.slice(0, mostNames), count - Math.min(count, mostNames)),
      );
      note.textContent = (isOver ? sentences : [texts.reading(taken), ...sentences]).join(' ');
      note.toggleAttribute('data-busy', !isOver);
      return sentences;
    },
    clearNote: () => void (note.textContent = ''),
    label() {
      list.setAttribute('aria-label', options.texts().list);
      rows.refresh();
    },
    showHidden: () => void (more.textContent = rows.hidden > 0 ? options.texts().notShown(rows.hidden) : ''),
  };
}
