// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Lets the module be imported without a DOM. */
declare const Base: typeof HTMLElement;
/** The reason why the form is not valid, as flags for the browser and as text. */
export interface FieldProblem {
    readonly flags: ValidityStateFlags;
    readonly words: string;
    /** The element that the browser's message points to. */
    readonly anchor: HTMLElement;
}
/** A form field with the members of the platform's own fields. */
export declare class FormField extends Base {
    #private;
    static readonly formAssociated = true;
    get form(): HTMLFormElement | null;
    /** The id of a form. */
    set form(id: string | null | undefined);
    get name(): string;
    set name(name: string | null | undefined);
    get type(): string;
    get validity(): ValidityState | undefined;
    get validationMessage(): string;
    checkValidity(): boolean;
    reportValidity(): boolean;
    /** Sets one form entry for each value, and the problem that makes the form invalid. */
    protected tellForm(values: readonly string[], problem: FieldProblem | undefined): void;
}
export {};
