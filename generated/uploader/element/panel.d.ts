// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { type Announcer } from './announcer.js';
import { type DropZone } from './drop-zone.js';
import type { Brought } from './found-files.js';
import type { Takings } from './intake.js';
import type { Limits } from './limits.js';
import type { RowOptions } from './row.js';
import { type Rows } from './rows.js';
import { type TotalAction, type TotalsView } from './totals.js';
export interface PanelOptions extends RowOptions {
    take(brought: Brought): void;
    actOnAll(action: TotalAction): void;
}
/** Everything that is seen of the element. */
export interface Panel {
    readonly zone: DropZone;
    readonly rows: Rows;
    readonly totals: TotalsView;
    readonly announcer: Announcer;
    /** Says which files were not taken, and why; returns the sentences. */
    noteTakings(takings: Takings, limits: Limits, isOver: boolean): readonly string[];
    clearNote(): void;
    /** Says all anew in the texts of now. */
    label(): void;
    showHidden(): void;
}
export declare function makePanel(root: ShadowRoot, options: PanelOptions): Panel;
