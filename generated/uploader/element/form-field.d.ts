// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Where there is no DOM the module can be imported all the same. */
declare const Base: typeof HTMLElement;
/** Why a form must not be sent yet, in the browser's terms and in words. */
export interface FieldProblem {
    readonly flags: ValidityStateFlags;
    readonly words: string;
    /** What the browser points to. */
    readonly anchor: HTMLElement;
}
/** An element that is a field of a form, with what the fields of the platform have. */
export declare class FormField extends Base {
    #private;
    static readonly formAssociated = true;
    get form(): HTMLFormElement | null;
    get name(): string;
    get type(): string;
    get validity(): ValidityState | undefined;
    get validationMessage(): string;
    checkValidity(): boolean;
    reportValidity(): boolean;
    /** Tells the form one entry of the element's name for each value, and what keeps it from being sent. */
    protected tellForm(values: readonly string[], problem: FieldProblem | undefined): void;
}
export {};
