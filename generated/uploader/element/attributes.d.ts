// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** An attribute that is on without a value. The text `false` is off: frameworks write it for a `false`. */
export type Flag = boolean | '' | 'true' | 'false';
/** A number of bytes, with a unit if it is text. */
export type Size = string | number;
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
export declare const attributes: {
    readonly 'base-url': 'text';
    readonly 'token-url': 'text';
    readonly prefix: 'text';
    readonly private: 'flag';
    readonly 'keep-existing': 'flag';
    readonly expire: 'text';
    readonly 'resume-scope': 'text';
    readonly folders: 'text';
    readonly accept: 'text';
    readonly multiple: 'flag';
    readonly directory: 'flag';
    readonly 'hidden-files': 'flag';
    readonly capture: 'text';
    readonly disabled: 'flag';
    readonly manual: 'flag';
    readonly 'max-size': 'text';
    readonly 'min-size': 'text';
    readonly 'max-total-size': 'text';
    readonly 'max-files': 'text';
    readonly paste: 'text';
    readonly drop: 'text';
    readonly pictures: 'text';
    readonly 'confirm-leave': 'flag';
    readonly name: 'own';
    readonly required: 'flag';
    readonly form: 'own';
    readonly lang: 'own';
};
type NameOf<Wanted extends Kind> = {
    [Name in keyof typeof attributes]: (typeof attributes)[Name] extends Wanted ? Name : never;
}[keyof typeof attributes];
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;
/** The properties that `reflectAttributes()` defines. A text is null while the attribute is missing. */
export type ReflectedProperties = {
    [Name in NameOf<'text'> as Camel<Name>]: AttributeValues[Name] | null;
} & {
    [Name in NameOf<'flag'> as Camel<Name>]: boolean;
};
/** Returns whether a flag is on. */
export declare function isOn(element: Element, name: NameOf<'flag'>): boolean;
/** Returns the property of an attribute: `maxSize` of `max-size`. */
export declare function propertyOf(attribute: string): string;
/** Sets an attribute, or removes it for `null` and `undefined`. */
export declare function setText(element: Element, name: string, value: unknown): void;
/**
 * Defines a property for each attribute. Frameworks set a property instead of the attribute where an element has one of
 * that name, and every element has a read-only `prefix`.
 */
export declare function reflectAttributes(prototype: object): void;
/**
 * Sets properties again that the page set before the class was defined. Until then they are plain values, and hide the
 * accessors of the class.
 */
export declare function adoptEarly(element: Element, properties: Iterable<string>): void;
export {};
