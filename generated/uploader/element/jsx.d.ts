// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { Credential } from '../credentials.js';
import type { UploadOptions } from '../options.js';
import type { AttributeValues } from './attributes.js';
import type { CubbyUploadEventMap } from './events.js';
import type { MoreQuery } from './query-of.js';
import type { Texts } from './texts.js';
/** Attributes and properties of the element in JSX. */
export interface CubbyUploadProps extends Partial<AttributeValues> {
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
