/** An attribute that is on without a value. The text `false` is off: frameworks write it for a `false`. */
type Flag = boolean | '' | 'true' | 'false';

/** A number of bytes, with a unit if it is text. */
type Size = string | number;

/** The attributes of the element, with their values in JSX. */
export interface AttributeValues {
  'base-url': string;
  'token-url': string;
  prefix: string;
  private: Flag;
  'keep-existing': Flag;
  expire: string;
  'resume-scope': string;
  folders: 'keep' | 'flat';
  accept: string;
  multiple: Flag;
  directory: Flag;
  'hidden-files': Flag;
  capture: 'user' | 'environment';
  disabled: Flag;
  manual: Flag;
  'max-size': Size;
  'min-size': Size;
  'max-total-size': Size;
  'max-files': string | number;
  paste: 'focus' | 'page' | 'off';
  drop: 'page';
  pictures: 'on' | 'off';
  'confirm-leave': Flag;
  name: string;
  required: Flag;
  form: string;
  lang: string;
}

/** `own`: the platform or the class of form fields has the property. */
type Kind = 'text' | 'flag' | 'own';

export const attributes = {
  'base-url': 'text',
  'token-url': 'text',
  prefix: 'text',
  private: 'flag',
  'keep-existing': 'flag',
  expire: 'text',
  'resume-scope': 'text',
  folders: 'text',
  accept: 'text',
  multiple: 'flag',
  directory: 'flag',
  'hidden-files': 'flag',
  capture: 'text',
  disabled: 'flag',
  manual: 'flag',
  'max-size': 'text',
  'min-size': 'text',
  'max-total-size': 'text',
  'max-files': 'text',
  paste: 'text',
  drop: 'text',
  pictures: 'text',
  'confirm-leave': 'flag',
  name: 'own',
  required: 'flag',
  form: 'own',
  lang: 'own',
} as const satisfies Readonly<Record<keyof AttributeValues, Kind>>;

type NameOf<Wanted extends Kind> = {
  [Name in keyof typeof attributes]: (typeof attributes)[Name] extends Wanted ? Name : never;
}[keyof typeof attributes];

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** The properties that `reflectAttributes()` defines. A text is null while the attribute is missing. */
export type ReflectedProperties = {
  [Name in NameOf<'text'> as Camel<Name>]: AttributeValues[Name] | null;
} & { [Name in NameOf<'flag'> as Camel<Name>]: boolean };

/** Returns whether a flag is on. */
export function isOn(element: Element, name: NameOf<'flag'>): boolean {
  return !['false', null].includes(element.getAttribute(name));
}

/** Returns the property of an attribute: `maxSize` of `max-size`. */
export function propertyOf(attribute: string): string {
  return attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Sets an attribute, or removes it for `null` and `undefined`. */
export function setText(element: Element, name: string, value: unknown): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value as string);
}

/**
 * Defines a property for each attribute. Frameworks set a property instead of the attribute where an element has one of
 * that name, and every element has a read-only `prefix`.
 */
export function reflectAttributes(prototype: object): void {
  for (const [name, kind] of Object.entries(attributes) as ReadonlyArray<[keyof typeof attributes, Kind]>) {
    if (kind === 'own') continue;
    const accessors: PropertyDescriptor & ThisType<Element> =
      kind === 'flag'
        ? {
            get() {
              return isOn(this, name as NameOf<'flag'>);
            },
            set(value: unknown) {
              this.toggleAttribute(name, ![false, 'false', null, undefined].includes(value as string));
            },
          }
        : {
            get() {
              return this.getAttribute(name);
            },
            set(value: unknown) {
              setText(this, name, value);
            },
          };
    Object.defineProperty(prototype, propertyOf(name), { ...accessors, configurable: true, enumerable: true });
  }
}

/**
 * Sets properties again that the page set before the class was defined. Until then they are plain values, and hide the
 * accessors of the class.
 */
export function adoptEarly(element: Element, properties: Iterable<string>): void {
  for (const name of properties) {
    const early = Object.getOwnPropertyDescriptor(element, name);
    if (!early) continue;
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, early.value);
  }
}
