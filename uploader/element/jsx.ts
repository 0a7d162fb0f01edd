// The JSX types of <cubby-upload>. Each framework has its own module that declares them: `cubby-server/uploader/react`,
// `…/preact`, `…/solid`.
import type { Credential } from '../credentials.ts';
import type { UploadOptions } from '../options.ts';
import type { AttributeValues } from './attributes.ts';
import type { CubbyUploadEventMap } from './events.ts';
import type { MoreQuery } from './query-of.ts';
import type { Texts } from './texts.ts';

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
