// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Where there is no DOM the module can be imported all the same. */
const Base = (globalThis.HTMLElement ?? class {
});
/** An element that is a field of a form, with what the fields of the platform have. */
export class FormField extends Base {
    static formAssociated = true;
    // Browsers before 2023 have none, and then there is no form to take part in.
    #internals = typeof this.attachInternals === 'function' ? this.attachInternals() : {};
    get form() {
        return this.#internals.form ?? null;
    }
    get name() {
        return this.getAttribute('name') ?? '';
    }
    get type() {
        return this.localName;
    }
    get validity() {
        return this.#internals.validity;
    }
    get validationMessage() {
        return this.#internals.validationMessage ?? '';
    }
    checkValidity() {
        return this.#internals.checkValidity?.() ?? true;
    }
    reportValidity() {
        return this.#internals.reportValidity?.() ?? true;
    }
    /** Tells the form one entry of the element's name for each value, and what keeps it from being sent. */
    tellForm(values, problem) {
        const data = this.name && values.length > 0 ? new FormData() : null;
        for (const value of values)
            data?.append(this.name, value);
        this.#internals.setFormValue?.(data);
        this.#internals.setValidity?.(problem?.flags ?? {}, problem?.words, problem?.anchor);
    }
}
