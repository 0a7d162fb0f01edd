// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Credential } from '../credentials.js';
import type { UploadOptions } from '../options.js';
import type { CubbyUploadEventMap } from './events.js';
import type { MoreQuery } from './query-of.js';
import type { Texts } from './texts.js';
type Flag = boolean | 'true' | 'false' | '';
/** Attributes and properties of the element in JSX. */
export interface CubbyUploadProps {
    'base-url'?: string;
    'token-url'?: string;
    prefix?: string;
    private?: Flag;
    expire?: string;
    overwrite?: Flag;
    'resume-scope'?: string;
    folders?: 'keep' | 'flat';
    accept?: string;
    multiple?: boolean;
    directory?: boolean;
    'hidden-files'?: boolean;
    capture?: 'user' | 'environment';
    disabled?: boolean;
    manual?: boolean;
    'max-size'?: string | number;
    'min-size'?: string | number;
    'max-total-size'?: string | number;
    'max-files'?: string | number;
    paste?: 'focus' | 'page' | 'off';
    drop?: 'page';
    pictures?: 'on' | 'off';
    'confirm-leave'?: boolean;
    name?: string;
    required?: boolean;
    form?: string;
    lang?: string;
    credential?: Credential;
    query?: MoreQuery;
    options?: Partial<UploadOptions>;
    texts?: Partial<Texts>;
}
/** `onuploaded={…}`: React 19 and Preact listen to the event whose name follows `on`. */
export type Handlers = {
    [Name in keyof CubbyUploadEventMap as `on${Name}`]?: (event: CubbyUploadEventMap[Name]) => void;
};
/** `on:uploaded={…}`, as Solid writes it. */
export type SolidHandlers = {
    [Name in keyof CubbyUploadEventMap as `on:${Name}`]?: (event: CubbyUploadEventMap[Name]) => void;
};
/** The framework's own attributes, except those that the element defines itself. */
export type Without<Props> = Omit<Props, keyof CubbyUploadProps | keyof Handlers>;
export {};
