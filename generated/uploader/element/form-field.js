// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { setText } from './attributes.js';
/** Lets the module be imported without a DOM. */
const Base = (globalThis.HTMLElement ?? class {
});
/** A form field with the members of the platform's own fields. */
export class FormField extends Base {
    static formAssociated = true;
    // Some browsers before 2023 lack it. The element then takes no part in forms.
    #internals = typeof this.attachInternals === 'function' ? this.attachInternals() : {};
    get form() {
        return this.#internals.form ?? null;
    }
    /** The id of a form. */
    set form(id) {
        setText(this, 'form', id);
    }
    get name() {
        return this.getAttribute('name') ?? '';
    }
    set name(name) {
        setText(this, 'name', name);
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
    /** Sets one form entry for each value, and the problem that makes the form invalid. */
    tellForm(values, problem) {
        const data = this.name && values.length > 0 ? new FormData() : null;
        for (const value of values)
            data?.append(this.name, value);
        this.#internals.setFormValue?.(data);
        this.#internals.setValidity?.(problem?.flags ?? {}, problem?.words, problem?.anchor);
    }
}
