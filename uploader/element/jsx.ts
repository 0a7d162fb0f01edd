// The JSX types of <cubby-upload>. Each framework has its own module that declares them: `cubby-server/uploader/react`,
// `…/preact`, `…/solid`.
import type { Credential } from '../credentials.ts';
import type { UploadOptions } from '../options.ts';
import type { CubbyUploadEventMap } from './events.ts';
import type { MoreQuery } from './query-of.ts';
import type { Texts } from './texts.ts';

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
