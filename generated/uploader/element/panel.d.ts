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
export declare function makePanel(root: ShadowRoot, options: PanelOptions): Panel;
